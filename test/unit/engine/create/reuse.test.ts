import { expect, test } from 'vitest'
import { NO_ORDER } from '../../../../src/core/video.ts'
import { inputHashOf } from '../../../../src/engine/create/reuse.ts'
import type { Source } from '../../../../src/engine/create/route.ts'
import { ACCOUNT } from '../../../fakes/records.ts'

const uploaded = (id: string, audioUrl: string): Source => ({
  kind: 'upload',
  param: 'upload_id',
  upload: {
    id,
    client: 'anna',
    account: ACCOUNT,
    backend: 'main',
    contentType: 'audio/mpeg',
    sizeBytes: 3,
    audioUrl,
    createdAtMs: 0,
  },
})
const hashOf = (id: string, audioUrl: string) => inputHashOf('anna', { ...NO_ORDER, audioUrl }, uploaded(id, audioUrl))

test('an upload is the same under every signature, and another one is not', () => {
  const monday = hashOf('upl_1', 'https://files.example/1.mp3?sig=monday')
  expect(monday).toMatch(/^[0-9a-f]{32}$/)
  expect(hashOf('upl_1', 'https://files.example/1.mp3?sig=tuesday')).toBe(monday)
  expect(hashOf('upl_2', 'https://files.example/1.mp3?sig=monday')).not.toBe(monday)
  expect(inputHashOf('bert', NO_ORDER, uploaded('upl_1', ''))).not.toBe(monday)
})

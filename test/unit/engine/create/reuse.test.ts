import { expect, test } from 'vitest'
import { NO_DEFAULTS } from '../../../../src/core/access.ts'
import { NO_ORDER } from '../../../../src/core/video.ts'
import type { Source } from '../../../../src/engine/create/route.ts'
import { reuseMsOf } from '../../../../src/engine/create/create.ts'
import { inputHashOf } from '../../../../src/engine/create/reuse.ts'
import { UNIFIED_CREATE } from '../../../../src/engine/index.ts'
import { INPUT, uploadRecord } from '../../../fakes/records.ts'

const TEXT: Source = { kind: 'text', text: 'Hello' }
const ORDER = { ...NO_ORDER, imageUrl: 'https://img.example/a.png', text: 'Hello' }
const upload = uploadRecord()
const UPLOAD: Source = { kind: 'upload', param: 'upload_id', upload }
const ELSEWHERE: Source = { kind: 'external', param: 'audio_url', audioUrl: 'https://cdn.example/a.mp3' }

test('the same client and order are the same input, and anything else is another', () => {
  const hash = inputHashOf('anna', ORDER, TEXT)
  expect(hash).toMatch(/^[0-9a-f]{32}$/)
  expect(inputHashOf('anna', { ...ORDER }, TEXT)).toBe(hash)
  const other = [
    inputHashOf('bert', ORDER, TEXT),
    ...Object.entries({
      imageUrl: 'b',
      puppetId: 'p',
      text: 'Bye',
      voiceId: 'v',
      language: 'en',
      expressiveness: 0,
    }).map(([field, value]) => inputHashOf('anna', { ...ORDER, [field]: value }, TEXT)),
    inputHashOf('anna', { ...ORDER, resolution: '720p' }, TEXT),
  ]
  expect(new Set([hash, ...other]).size).toBe(other.length + 1)
})

test('an own upload is the same file as long as it exists; a file elsewhere may have changed', () => {
  const order = { ...NO_ORDER, puppetId: 'p', audioUrl: upload.audioUrl }
  const hash = inputHashOf('anna', order, UPLOAD)
  // Its URL is signed again from time to time.
  expect(inputHashOf('anna', { ...order, audioUrl: `${upload.audioUrl}&sig=tuesday` }, UPLOAD)).toBe(hash)
  const other: Source = { ...UPLOAD, upload: { ...upload, id: 'upl_other' } }
  expect(inputHashOf('anna', order, other)).not.toBe(hash)
  expect(inputHashOf('anna', { ...order, audioUrl: ELSEWHERE.audioUrl }, ELSEWHERE)).toBeNull()
})

test.each([
  [null, 0, 0],
  [null, 7, 7],
  [0, 7, 0],
  [5, 7, 5],
  [5, 0, 5],
])('%s asked, and %i of the client, is %i', (asked, own, is) => {
  const request = {
    ...UNIFIED_CREATE,
    input: INPUT,
    backend: null,
    unsupported: 'reject' as const,
    webhookUrl: null,
    webhookEvents: [],
    metadata: {},
  }
  expect(reuseMsOf({ defaults: { ...NO_DEFAULTS, reuseMs: own } }, { ...request, reuseMs: asked })).toBe(is)
})

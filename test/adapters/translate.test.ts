import { describe, expect, test } from 'vitest'
import { CAPABILITIES } from '../../src/core/vocabulary.ts'
import type { Order } from '../../src/core/video.ts'
import { ORDERS, speak } from './harness.ts'

const adapters = {
  primary: speak('primary', 'https://primary.example').adapter,
  alternate: speak('alternate', 'https://alternate.example').adapter,
}

const AUDIO = { text: null, audioUrl: 'https://a.example/1.wav', voiceId: null, language: null, expressiveness: null }

type Case = [
  name: 'primary' | 'alternate',
  change: Partial<Order>,
  code: string | null,
  param: string | null,
  ignored: string[],
]

describe('what an order becomes', () => {
  test.each<Case>([
    ['primary', {}, null, null, []],
    ['alternate', {}, null, null, []],
    ['primary', { imageUrl: null, puppetId: 'p' }, 'capability_not_supported', 'puppet_id', []],
    ['alternate', { imageUrl: 'https://a.example/1.png', puppetId: null }, 'capability_not_supported', 'image_url', []],
    ['primary', { resolution: '1080p' }, null, null, ['resolution']],
    ['alternate', { language: 'en' }, null, null, ['language']],
    ['alternate', { language: 'en', expressiveness: 0 }, null, null, ['language', 'expressiveness']],
    ['primary', { text: 'x'.repeat(100_000) }, null, null, []],
    ['primary', AUDIO, null, null, []],
    ['primary', { ...AUDIO, language: 'en' }, null, null, ['language']],
    ['primary', { ...AUDIO, expressiveness: 1, resolution: '720p' }, null, null, ['resolution']],
    ['alternate', AUDIO, 'capability_not_supported', 'audio_url', []],
    ['alternate', { text: 'x'.repeat(5_000) }, null, null, []],
    ['alternate', { text: 'x'.repeat(5_001) }, 'invalid_request', 'text', []],
    // 10,000 UTF-16 units, 5,000 code points: the contract does not say which it counts.
    ['alternate', { text: '😀'.repeat(5_000) }, null, null, []],
    ['alternate', { text: '😀'.repeat(5_001) }, 'invalid_request', 'text', []],
  ])('%s %j', (name, change, code, param, ignored) => {
    const order = { ...ORDERS[name], ...change }
    const lenient = adapters[name].translate(order, 'warn')
    const strict = adapters[name].translate(order, 'reject')
    if (code !== null) {
      expect(lenient).toMatchObject({ ok: false, problem: { code, param } })
      expect(strict).toEqual(lenient)
      return
    }
    const warnings = ignored.map((option) => expect.objectContaining({ code: 'option_ignored', param: option }))
    expect(lenient).toEqual({ ok: true, warnings })
    if (ignored.length === 0) expect(strict).toEqual({ ok: true, warnings: [] })
    else expect(strict).toMatchObject({ ok: false, problem: { code: 'capability_not_supported', param: ignored[0] } })
  })
})

test.each([
  [
    'primary',
    [
      'text_source',
      'audio_source',
      'image_url',
      'expressiveness',
      'language',
      'speech',
      'uploads',
      'puppets_write',
      'usage',
      'native_idempotency',
      'progress',
      'puppet_by_id',
    ],
  ],
  ['alternate', ['text_source', 'puppet_id', 'resolution', 'native_webhook', 'native_list']],
] as const)('%s can, today, %j', (name, able) => {
  const { capabilities } = adapters[name]
  expect(CAPABILITIES.filter((capability) => capabilities[capability]).toSorted()).toEqual([...able].toSorted())
})

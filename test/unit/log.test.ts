import { expect, test } from 'vitest'
import { createLog } from '../../src/log.ts'

const lineOf = (fields: Record<string, unknown>): Record<string, unknown> => {
  const lines: string[] = []
  createLog({ level: 'info', format: 'json' }, { write: (line) => void lines.push(line) }, false).info(fields, 'said')
  return JSON.parse(lines.join('')) as Record<string, unknown>
}
const failure = (fields: object): Error => Object.assign(new Error('failed'), fields)

test('what a careless line says of a secret is not written, however deep it lies', () => {
  const fields = {
    token: 'CANARY',
    video_id: 'vid_1',
    at: new Date(0),
    given: { key: 'CANARY', kept: 1, deeper: { authorization: 'Bearer CANARY', kept: 2 } },
    list: [{ api_key: 'CANARY', kept: 3 }, 4],
    err: failure({ secret: 'CANARY', code: 'E1', config: { password: 'CANARY', kept: 5 } }),
    other: failure({ sig: 'CANARY', code: 'E2' }),
  }
  const line = lineOf(fields)
  expect(JSON.stringify(line)).not.toContain('CANARY')
  expect(line).toMatchObject({
    level: 'info',
    msg: 'said',
    token: '[redacted]',
    video_id: 'vid_1',
    at: '1970-01-01T00:00:00.000Z',
    given: { kept: 1, deeper: { authorization: '[redacted]', kept: 2 } },
    list: [{ api_key: '[redacted]', kept: 3 }, 4],
    err: { type: 'Error', message: 'failed', code: 'E1', secret: '[redacted]', config: { kept: 5 } },
    other: { code: 'E2' },
  })
  // Whoever logged them goes on using them.
  expect(fields.given.deeper.authorization).toBe('Bearer CANARY')
  expect(fields.err).toMatchObject({ secret: 'CANARY' })
})

test('a line without any is written as it is, its error too', () => {
  const line = lineOf({ video_id: 'vid_1', err: new Error('failed'), again: null, nothing: undefined })
  expect(line).toMatchObject({ video_id: 'vid_1', again: null, err: { type: 'Error', message: 'failed' } })
  expect(line['err']).toHaveProperty('stack')
})

test('what refers to itself ends', () => {
  const round: Record<string, unknown> = { key: 'CANARY' }
  round['self'] = round
  expect(JSON.stringify(lineOf({ round }))).not.toContain('"key":"CANARY","self":{"key":"CANARY"')
})

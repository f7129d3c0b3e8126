import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import { createLog } from '../../src/log.ts'

const lineOf = (fields: Record<string, unknown>): string => {
  const lines: string[] = []
  const log = createLog({ level: 'info', format: 'json' }, { write: (line: string) => void lines.push(line) }, false)
  log.info(fields, 'said')
  expect(lines).toHaveLength(1)
  return lines[0] ?? ''
}
const SECRET = 'a-secret-of-somebody'

describe('a field of a secret name is never read in a log', () => {
  const NAMES = ['authorization', 'api_key', 'apiKey', 'key', 'secret', 'webhook_secret', 'token', 'sig', 'password']
  const PLACES: Record<string, (field: Record<string, unknown>) => Record<string, unknown>> = {
    'by itself': (field) => field,
    'within another': (inner) => ({ inner }),
    'deep within': (deep) => ({ a: { b: { c: { deep } } } }),
    'in a list': (one) => ({ all: [{ other: 1 }, one] }),
    'of an error': (held) => ({ err: Object.assign(new Error('failed'), held) }),
    'of what an error holds': (details) => ({ err: new Problem('backend_error', 'failed', { details }) }),
  }
  test.each(Object.entries(PLACES))('%s', (_, place) => {
    for (const name of NAMES) {
      for (const value of [SECRET, [SECRET], { is: SECRET }]) {
        const line = lineOf({ ...place({ [name]: value, beside: 'shown' }) })
        expect(line, name).not.toContain(SECRET)
        expect(line).toContain(`"${name}":"[redacted]"`)
        expect(line).toContain('"beside":"shown"')
      }
    }
  })
})

test('everything else is shown as it is, and what was handed over stays as it was', () => {
  const fields = { video_id: 'vid_1', n: 1, none: null, list: [1, { a: 'b' }], inner: { token: SECRET } }
  const line = lineOf(fields)
  expect(JSON.parse(line)).toEqual({
    level: 'info',
    time: expect.any(String),
    msg: 'said',
    ...fields,
    inner: { token: '[redacted]' },
  })
  expect(fields.inner.token).toBe(SECRET)
})

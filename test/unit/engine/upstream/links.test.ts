import { describe, expect, test } from 'vitest'
import type { BackendProblem } from '../../../../src/core/adapter.ts'
import type { ProblemCode } from '../../../../src/core/errors.ts'
import { createAskLink, lacksLink } from '../../../../src/engine/upstream/ask.ts'
import { accountOf, completed, running, scriptedAdapter, unread } from '../../../fakes/adapter.ts'
import { problem } from '../../../fakes/records.ts'

const LINK = { url: 'https://cdn.example/1.mp4', expiresAtMs: null }

const refused = (status: number | null, code: ProblemCode = 'backend_error'): BackendProblem => ({
  ...problem({ code }),
  backendError: { status, code: null, block_code: null, message: null },
})

const linked = async (answer: BackendProblem | typeof LINK | 'not_now') => {
  const adapter = scriptedAdapter(() => 0, 'alternate')
  if (answer !== 'not_now') {
    adapter.downloads.push(
      'url' in answer
        ? { ok: true, value: answer, rate: null }
        : { ok: false, problem: answer, lost: true, rate: null },
    )
  }
  const askLink = createAskLink({
    ask: async (_account, _class, _patienceMs, request) =>
      answer === 'not_now'
        ? { kind: 'not_now', why: 'no_budget', retryAtMs: 7 }
        : { kind: 'asked', outcome: await request() },
  })
  const asked = await askLink(accountOf(adapter), 'job_1')
  expect(adapter.calls.map(({ operation }) => operation)).toEqual(answer === 'not_now' ? [] : ['download'])
  return asked
}

test('only a completed job without a link lacks one', () => {
  expect(lacksLink(completed({ link: null }))).toBe(true)
  for (const outcome of [running(), completed({ link: LINK }), running({ status: 'failed' }), unread()])
    expect(lacksLink(outcome)).toBe(false)
})

test('the link of a completed job is fetched', async () => {
  expect(await linked(LINK)).toMatchObject({
    kind: 'asked',
    outcome: { ok: true, value: { jobId: 'job_1', status: 'completed', link: LINK } },
  })
})

describe('evidence that there is no link', () => {
  const NONE = { kind: 'asked', outcome: { ok: true, value: { status: 'completed', link: null } } }

  test.each([400, 404, 409, 410, 422])('a %i', async (status) => {
    expect(await linked(refused(status))).toMatchObject(NONE)
  })

  test('a job that was read again and has none yet', async () => {
    expect(await linked(refused(null, 'video_not_completed'))).toMatchObject(NONE)
  })
})

/** A paid video is not failed for what is wrong with the key, the network or the day. */
describe('no evidence', () => {
  test.each([302, 401, 402, 403, 407, 408, 429, 500, 503])('a %i: a failed poll', async (status) => {
    expect(await linked(refused(status))).toMatchObject({ kind: 'asked', outcome: { ok: false, lost: false } })
  })

  test('silence: a failed poll', async () => {
    expect(await linked(refused(null))).toMatchObject({ kind: 'asked', outcome: { ok: false, lost: false } })
  })

  test('no request left: nothing is known, but when to ask', async () => {
    expect(await linked('not_now')).toMatchObject({ kind: 'not_now', retryAtMs: 7 })
  })
})

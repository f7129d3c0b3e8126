import { describe, expect, test } from 'vitest'
import type { BackendProblem } from '../../../src/core/adapter.ts'
import type { ProblemCode } from '../../../src/core/errors.ts'
import { createWithLink } from '../../../src/videos/with-link.ts'
import { accountOf, completed, running, scriptedAdapter } from '../../fakes/adapter.ts'
import { problem } from '../../fakes/records.ts'

const LINKLESS = completed({ link: null })
const LINK = { url: 'https://cdn.example/1.mp4', expiresAtMs: null }

const refused = (status: number | null, code: ProblemCode = 'backend_error'): BackendProblem => ({
  ...problem({ code }),
  backendError: { status, code: null, block_code: null, message: null },
})

const linked = async (outcome: typeof LINKLESS, answer: BackendProblem | typeof LINK | 'not_now') => {
  const adapter = scriptedAdapter(() => 0, 'alternate')
  if (answer !== 'not_now') {
    adapter.downloads.push(
      'url' in answer
        ? { ok: true, value: answer, rate: null }
        : { ok: false, problem: answer, lost: true, rate: null },
    )
  }
  const withLink = createWithLink({
    ask: async (_account, _class, _patienceMs, request) =>
      answer === 'not_now'
        ? { kind: 'not_now', why: 'no_budget', retryAtMs: 7 }
        : { kind: 'asked', outcome: await request() },
  })
  return { answer: await withLink(accountOf(adapter), 'job_1', outcome), asked: adapter.callsOf('download').length }
}

test('what runs, or has its link, costs no request', async () => {
  for (const outcome of [running(), completed({ link: LINK })]) {
    expect(await linked(outcome, LINK)).toEqual({ answer: outcome, asked: 0 })
  }
})

test('the link of a completed job is fetched', async () => {
  expect((await linked(LINKLESS, LINK)).answer).toMatchObject({ ok: true, value: { status: 'completed', link: LINK } })
})

describe('evidence that there is no link', () => {
  test.each([400, 404, 409, 410, 422])('a %i', async (status) => {
    expect((await linked(LINKLESS, refused(status))).answer).toEqual(LINKLESS)
  })

  test('a job that was read again and has none yet', async () => {
    expect((await linked(LINKLESS, refused(null, 'video_not_completed'))).answer).toEqual(LINKLESS)
  })
})

/** A paid video is not failed for what is wrong with the key, the network or the day. */
describe('no evidence', () => {
  test.each([302, 401, 402, 403, 407, 408, 429, 500, 503])('a %i: a failed look', async (status) => {
    expect((await linked(LINKLESS, refused(status))).answer).toMatchObject({ ok: false, lost: false })
  })

  test('silence: a failed look', async () => {
    expect((await linked(LINKLESS, refused(null))).answer).toMatchObject({ ok: false, lost: false })
  })

  test('no request left: looked at, and no more is known', async () => {
    expect((await linked(LINKLESS, 'not_now')).answer).toMatchObject({ ok: true, value: { status: null } })
  })
})

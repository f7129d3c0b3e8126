import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ADAPTERS, type InterfaceName } from '../../src/adapters/index.ts'
import { statusPathOf } from '../../src/adapters/shared/dialect.ts'
import type { ErrorRow } from '../../src/adapters/shared/dialect.ts'
import { readFault } from '../../src/adapters/shared/problems.ts'
import { ORDERED } from '../../src/adapters/shared/speaker.ts'
import type { WireRequest } from '../../src/core/video.ts'
import { NOW_MS, speak, type Spoken } from '../adapters/harness.ts'
import { startBackend, type ScriptedBackend } from '../fakes/backend.ts'
import type { AdapterKit, Refusal } from './adapter-kit.ts'

/** With one value alone, an adapter that always sends that one would pass. */
const isSeveral = (values: number): boolean => values > 1

/** Every value in a request's body, however deep. */
const leavesOf = ({ body }: WireRequest): unknown[] => {
  const leaves = (value: unknown): unknown[] =>
    typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [value]
  return body === null ? [] : leaves(JSON.parse(body))
}

/** That an adapter says and reads what its interface means: the other half of `adapterContract`, which holds it safe. */
export const adapterIsExact = (name: InterfaceName, kit: AdapterKit): void => {
  let backend: ScriptedBackend
  let spoken: Spoken
  beforeAll(async () => {
    backend = await startBackend()
  })
  afterAll(() => backend.close())
  beforeEach(() => {
    backend.requests.length = 0
    spoken = speak(name, backend.url)
  })
  afterEach(() => spoken.agents.close())
  const paths = (): string[] => backend.requests.map(({ method, path }) => `${method} ${path}`)

  test('what holds where a configuration says nothing', () => {
    expect(ADAPTERS[name].defaults).toEqual(kit.defaults)
  })

  describe('a create', () => {
    test('without a voice is refused where one is required, and only there', () => {
      const translation = spoken.adapter.translate({ ...kit.order, voiceId: null }, 'reject')
      const refused = { ok: false, problem: { code: 'invalid_request', param: 'voice_id' } }
      expect(translation).toMatchObject(kit.voiceRequired ? refused : { ok: true })
      expect(spoken.adapter.capabilities.voice_required).toBe(kit.voiceRequired)
    })

    test.each(kit.creates)('is exactly $request.method $request.path $request.body', ({ order, context, request }) => {
      expect(spoken.adapter.translate(order, 'reject')).toEqual({ ok: true, warnings: [] })
      expect(spoken.adapter.createRequest(order, context)).toEqual(request)
    })

    test.each(kit.creates)('leaves out nothing of the order: $request.body', ({ order, request }) => {
      const given = Object.values(order).filter((value) => value !== null)
      expect(leavesOf(request)).toEqual(expect.arrayContaining(given))
    })

    test.each(Object.entries(ORDERED))('is shown with two values of %s, where there is %s', (field, capability) => {
      const shown = kit.creates.flatMap(({ order }) => {
        const value: unknown = new Map<string, unknown>(Object.entries(order)).get(field) ?? null
        return value === null ? [] : [value]
      })
      const { capabilities } = spoken.adapter
      expect(new Set(shown).size).toEqual(capabilities[capability] ? expect.toSatisfy(isSeveral) : 0)
    })

    test('is shown with two keys, and with two places to call back, where the interface takes them', () => {
      const { capabilities } = spoken.adapter
      const keys = kit.creates.flatMap(({ context: { idempotencyKey }, request }) =>
        Object.values(request.headers).includes(idempotencyKey) ? [idempotencyKey] : [],
      )
      expect(keys).toHaveLength(capabilities.native_idempotency ? kit.creates.length : 0)
      const called = kit.creates.flatMap(({ context: { callbackUrl }, request }) =>
        callbackUrl !== null && leavesOf(request).includes(callbackUrl) ? [callbackUrl] : [],
      )
      for (const [values, capability] of [
        [keys, 'native_idempotency'],
        [called, 'native_webhook'],
      ] as const)
        expect(new Set(values).size).toEqual(capabilities[capability] ? expect.toSatisfy(isSeveral) : 0)
    })

    test('that is accepted tells exactly this', async () => {
      backend.next(kit.accepted.answer)
      const wire = spoken.adapter.createRequest(kit.order, { idempotencyKey: 'key-1', callbackUrl: null })
      const verbatim = kit.accepted.answer.body
      const { outcome } = kit.accepted
      if (outcome.kind !== 'accepted') throw new Error('the kit has no accepted create')
      expect(await spoken.adapter.create(wire)).toEqual({ ...outcome, report: { ...outcome.report, verbatim } })
      expect(spoken.drifts).toEqual([])
    })
  })

  describe('a job', () => {
    test.each(kit.jobs)('is read exactly: $report.backendStatus', async ({ answer, report }) => {
      backend.next(answer)
      const value = { ...report, verbatim: answer.body }
      expect(await spoken.adapter.status(kit.jobId)).toMatchObject({ ok: true, value })
      expect(paths()).toEqual([`GET ${statusPathOf(kit.jobId, kit.dialect)}`])
      expect(spoken.drifts).toEqual([])
    })

    test('is shown running, completed and failed, and with one percent where progress is told', () => {
      const reports = kit.jobs.map(({ report }) => report)
      for (const status of ['processing', 'completed', 'failed'] as const)
        expect(reports.map((report) => report.status)).toContain(status)
      expect(reports.find(({ status }) => status === 'failed')?.failure).not.toBeNull()
      const told = reports.flatMap(({ progress }) => (progress === null ? [] : [progress]))
      if (spoken.adapter.capabilities.progress) expect(told).toContain(0.01)
      else expect(told).toEqual([])
    })

    test('is shown with a duration, in seconds', () => {
      const told = kit.jobs.flatMap(({ report: { durationSeconds } }) => durationSeconds ?? [])
      expect(told).toContainEqual(expect.toSatisfy(Boolean))
    })

    test('tells no progress where the interface tells none: nobody knows what the number counts', async () => {
      const { capabilities } = spoken.adapter
      backend.next({ body: { ...Object(kit.job('processing')), progress: 42 } })
      const outcome = await spoken.adapter.status(kit.jobId)
      if (!capabilities.progress) expect(outcome).toMatchObject({ ok: true, value: { progress: null } })
      expect(kit.dialect.progress !== null).toBe(capabilities.progress)
    })

    test.each(Object.entries(kit.words))('that is called %s is %s', async (word, status) => {
      for (const written of [word, ` ${word.toUpperCase()} `, word.replaceAll('_', ' '), word.replaceAll('_', '-')]) {
        backend.next({ body: kit.job(written) })
        const value = { status, backendStatus: written.trim() }
        expect(await spoken.adapter.status(kit.jobId)).toMatchObject({ ok: true, value })
      }
    })

    test.each(['unheard of', 'toString', '__proto__'])('that is called %s stays as it is', async (word) => {
      backend.next({ body: kit.job(word) })
      expect(await spoken.adapter.status(kit.jobId)).toMatchObject({ ok: true, value: { status: null } })
      expect(spoken.drifts).toMatchObject([{ kind: 'status', operation: 'getVideo' }])
    })

    test('is read by no word that is not shown', () => {
      expect(Object.keys(kit.dialect.statuses).toSorted()).toEqual(Object.keys(kit.words).toSorted())
    })

    test('has a link', async () => {
      const { path, answer, link } = kit.download
      backend.next(answer)
      expect(await spoken.adapter.download(kit.jobId)).toMatchObject({ ok: true, value: link })
      expect(paths()).toEqual([`GET ${path}`])
      expect(spoken.drifts).toEqual([])
    })
  })

  describe('a catalogue', () => {
    test('of voices', async () => {
      const { path, answer, voices } = kit.voices
      backend.next(answer)
      expect(await spoken.adapter.voices()).toMatchObject({ ok: true, value: { items: voices(backend.url) } })
      expect(voices(backend.url).some(({ name, languageCode }) => name !== null && languageCode !== null)).toBe(true)
      expect(paths()).toEqual([`GET ${path}`])
      expect(spoken.drifts).toEqual([])
    })

    test('of puppets, page by page', async () => {
      const pages = kit.puppets
      let cursor: string | null = null
      for (const { answer, page } of pages) {
        backend.next(answer)
        expect(await spoken.adapter.puppets(cursor)).toMatchObject({ ok: true, value: page })
        cursor = page.nextCursor
      }
      expect(paths()).toEqual(pages.map(({ path }) => `GET ${path}`))
      expect(pages.map(({ page }) => page.nextCursor !== null)).toEqual(pages.map((_, at) => at < pages.length - 1))
      expect(pages.length).toBeGreaterThan(1)
      expect(pages.flatMap(({ page }) => page.items).some(({ name: called }) => called !== null)).toBe(true)
      expect(spoken.drifts).toEqual([])
    })

    test('of jobs, page by page, and a callback, where there are any', async () => {
      const { adapter } = spoken
      expect(kit.list.length > 1).toBe(adapter.capabilities.native_list)
      expect(kit.callback !== null).toBe(adapter.capabilities.native_webhook)
      for (const [at, { answer, page }] of kit.list.entries()) {
        backend.next(answer)
        expect(await adapter.list(at + 1)).toMatchObject({ ok: true, value: page })
      }
      expect(paths()).toEqual(kit.list.map(({ path }) => `GET ${path}`))
      expect(spoken.drifts).toEqual([])
      if (kit.callback) expect(adapter.callbackJobId(kit.callback.body)).toBe(kit.callback.jobId)
    })
  })

  describe('a refusal', () => {
    const tried = async (status: number, body: unknown, headers: Record<string, string>) => {
      backend.next({ status, body, headers })
      const wire = spoken.adapter.createRequest(kit.order, { idempotencyKey: 'key-1', callbackUrl: null })
      const outcome = await spoken.adapter.create(wire)
      if (outcome.kind === 'accepted') throw new Error('it was accepted')
      const { code, retryable, retryAtMs, backendError } = outcome.problem
      const waits = outcome.kind === 'refused' ? outcome.waits : null
      const afterS = retryAtMs && (retryAtMs - NOW_MS) / 1000
      return {
        comesTo: [code, retryable, waits, outcome.kind, afterS],
        said: [backendError.code, backendError.message],
      }
    }

    test.each(kit.refusals)('%i %j %j', async (status, body, headers, comesTo, said) => {
      expect(await tried(status, body, headers)).toEqual({ comesTo, said })
    })

    test('is shown with a code and a message of the backend', () => {
      const said = kit.refusals.map(([, , , , words]) => words)
      expect(said.some(([code, message]) => code !== null && message !== null)).toBe(true)
    })

    test('429 that says when to come back is waited for', async () => {
      const told = await tried(429, {}, { 'retry-after': '7' })
      expect(told.comesTo).toEqual([expect.anything(), true, expect.anything(), 'refused', 7])
    })

    /** Without any one row, some case comes out differently: no row is there for nothing, and none unproven. */
    test.each(kit.dialect.rows.map((row, index) => ({ row, index })))('row $row decides one of them', ({ index }) => {
      const { dialect } = kit
      const decides = (rows: readonly ErrorRow[], [status, body, headers, comesTo]: Refusal): boolean => {
        const fault = readFault({ kind: 'json', status, headers, body, text: '' }, { ...dialect, rows }, NOW_MS)
        const { problem, waits, onCreate } = fault
        return (
          JSON.stringify([problem.code, problem.retryable, waits, onCreate]) === JSON.stringify(comesTo.slice(0, 4))
        )
      }
      const without = dialect.rows.toSpliced(index, 1)
      expect(kit.refusals.every((refusal) => decides(without, refusal))).toBe(false)
    })
  })
}

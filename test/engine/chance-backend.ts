import type { CreateOutcome, JobPage, JobReport, ReadOutcome } from '../../src/core/adapter.ts'
import type { Clock } from '../../src/core/time/clock.ts'
import { sleepUntil } from '../../src/core/time/clock.ts'
import { completed, listed, running, scriptedAdapter, unread, type ScriptedAdapter } from '../fakes/adapter.ts'
import { acceptedAs, doubt, MINUTE, rate, refused, SECOND, unreachable } from '../fakes/records.ts'

export interface ChanceJob {
  jobId: string
  /** Whose it is: each video of the test asks for a text of its own. */
  text: string
  key: string
  puppetId: string | null
  createdAtMs: number
  listedFromMs: number
  endsAtMs: number
}

type Wire = Parameters<ScriptedAdapter['create']>[0]

/** A backend that by chance refuses, hangs, loses answers before or after the job is made, and lists jobs late. */
export const chanceBackend = (kind: 'primary' | 'alternate', clock: Clock, random: () => number) => {
  const jobs: ChanceJob[] = []
  const upTo = (ms: number): number => Math.round(random() * ms)
  const within = (ms: number): Promise<void> => sleepUntil(clock, clock.now() + upTo(ms))
  const dated = () => rate({ dateMs: clock.now() })

  const made = ({ headers, body }: Wire): ChanceJob => {
    const { text, puppetId } = JSON.parse(String(body)) as Pick<ChanceJob, 'text' | 'puppetId'>
    const key = headers['idempotency-key'] ?? ''
    const known = kind === 'primary' ? jobs.find((job) => job.key === key) : undefined
    if (known) return known
    const createdAtMs = clock.now()
    const listedFromMs = createdAtMs + (random() < 0.5 ? upTo(4 * MINUTE) : 0)
    const jobId = `job_${jobs.length + 1}`
    const job = { jobId, text, key, puppetId, createdAtMs, listedFromMs, endsAtMs: createdAtMs + upTo(10 * MINUTE) }
    jobs.push(job)
    return job
  }

  const create = async (wire: Wire): Promise<CreateOutcome> => {
    const chance = random()
    await within(2 * SECOND)
    if (chance < 0.1) return unreachable()
    if (chance < 0.15) return refused({ code: 'insufficient_credits' })
    if (chance < 0.2) return refused({ code: 'concurrency_limit_reached', retryable: true }, 'slot')
    const job = chance < 0.4 ? null : made(wire)
    await within(chance < 0.6 ? 28 * SECOND : 5 * SECOND)
    if (chance < 0.6 || !job) return doubt()
    const outcome = acceptedAs(job.jobId)
    return outcome.kind === 'accepted' ? { ...outcome, rate: dated() } : outcome
  }

  const status = async (jobId: string): Promise<ReadOutcome<JobReport>> => {
    await within(SECOND)
    const job = jobs.find((one) => one.jobId === jobId)
    if (!job || random() < 0.1) return unread(!job)
    const { puppetId, createdAtMs, endsAtMs } = job
    const report = { jobId, made: { puppetId, voiceId: 'v1', resolution: null, createdAtMs } }
    return clock.now() >= endsAtMs ? { ...completed(report), rate: dated() } : running(report, dated())
  }

  const list = async (): Promise<ReadOutcome<JobPage>> => {
    await within(SECOND)
    if (random() < 0.05) return unread()
    const items = jobs
      .filter(({ listedFromMs }) => listedFromMs <= clock.now())
      .toReversed()
      .map(({ jobId, puppetId, createdAtMs }) => listed({ jobId, status: 'processing', puppetId, createdAtMs }))
    return { ok: true, value: { items, total: items.length, totalPages: 1, dateMs: clock.now() }, rate: dated() }
  }

  const adapter: ScriptedAdapter = Object.assign(scriptedAdapter(clock.now, kind), {
    createRequest: ({ text, puppetId }, { idempotencyKey }) => ({
      method: 'POST',
      path: '/videos',
      headers: { 'idempotency-key': idempotencyKey },
      body: JSON.stringify({ text, puppetId }),
    }),
    create,
    status,
    list,
  } satisfies Partial<ScriptedAdapter>)
  return { adapter, jobs }
}

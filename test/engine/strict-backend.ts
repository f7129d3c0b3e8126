import type { CreateOutcome, JobReport, ReadOutcome } from '../../src/core/adapter.ts'
import type { Clock } from '../../src/core/time/clock.ts'
import { completed, running, scriptedAdapter, unread, type ScriptedAdapter } from '../fakes/adapter.ts'
import { acceptedAs, doubt, MINUTE, rate, refused, SECOND, unreachable } from '../fakes/records.ts'

interface Job {
  jobId: string
  key: string
  /** Whose it is: each video of a test asks for a text of its own. */
  text: string
  endsAtMs: number
}

export interface StrictBackend {
  adapter: ScriptedAdapter
  jobs: Job[]
  /** How many jobs run now. */
  busy(): number
  /** How many of each happened to it. */
  met: { limited: number; full: number; refused: number; doubts: number; dead: number }
  /** Until then nobody answers. */
  deadUntilMs: number
}

const LIMIT = 10
const SLOTS = 2

/** An account that counts: ten requests in each minute and two jobs, as its contract says. By chance it does worse. */
export const strictBackend = (clock: Clock, name: string, random: () => number = () => 1): StrictBackend => {
  const jobs: Job[] = []
  const met = { limited: 0, full: 0, refused: 0, doubts: 0, dead: 0 }
  let window = { endsAtMs: 0, used: 0 }

  /** Null: one request too many. */
  const counted = () => {
    if (clock.now() >= window.endsAtMs) window = { endsAtMs: clock.now() + MINUTE, used: 0 }
    window.used += 1
    if (window.used > LIMIT) met.limited += 1
    const told = { limit: LIMIT, remaining: Math.max(0, LIMIT - window.used), resetAtMs: window.endsAtMs }
    return window.used > LIMIT ? null : rate({ ...told, dateMs: clock.now() })
  }
  const busy = (): number => jobs.filter(({ endsAtMs }) => endsAtMs > clock.now()).length
  const isDead = (): boolean => {
    const dead = clock.now() < self.deadUntilMs
    if (dead) met.dead += 1
    return dead
  }

  const create = async ({ headers, body }: Parameters<ScriptedAdapter['create']>[0]): Promise<CreateOutcome> => {
    if (isDead()) return unreachable()
    const told = counted()
    if (told === null) return refused({ code: 'rate_limited', retryable: true }, 'budget')
    const chance = random()
    if (chance < 0.05) {
      met.refused += 1
      return Object.assign(refused({ code: 'backend_unavailable', retryable: true }, 'check'), { rate: told })
    }
    const key = headers['idempotency-key'] ?? ''
    const known = jobs.find((job) => job.key === key)
    if (!known && busy() >= SLOTS) {
      met.full += 1
      return Object.assign(refused({ code: 'concurrency_limit_reached', retryable: true }, 'slot'), { rate: told })
    }
    const { text } = JSON.parse(String(body)) as { text: string }
    const job = known ?? {
      jobId: `${name}_${jobs.length + 1}`,
      key,
      text,
      endsAtMs: clock.now() + (20 + 40 * random()) * SECOND,
    }
    const isLost = chance < 0.1
    // Half of the answers that are lost are of jobs that were never made.
    if (!known && !(isLost && chance < 0.075)) jobs.push(job)
    if (isLost) met.doubts += 1
    return isLost ? Object.assign(doubt(), { rate: told }) : Object.assign(acceptedAs(job.jobId), { rate: told })
  }

  const status = async (jobId: string): Promise<ReadOutcome<JobReport>> => {
    if (isDead()) return unread()
    const told = counted()
    const job = jobs.find((one) => one.jobId === jobId)
    if (told === null || !job) return unread(!job)
    return clock.now() >= job.endsAtMs ? { ...completed({ jobId }), rate: told } : running({ jobId }, told)
  }

  const adapter: ScriptedAdapter = Object.assign(scriptedAdapter(clock.now), { create, status })
  const self: StrictBackend = { adapter, jobs, busy, met, deadUntilMs: 0 }
  return self
}

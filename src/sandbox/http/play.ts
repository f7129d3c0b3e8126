import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import { sleepUntil } from '../../core/clock.ts'
import type { Fault } from '../faults.ts'
import type { World } from '../world.ts'
import { send, type Answer, type Dialect } from './answer.ts'

/** What is put on the wire in the end. */
export type Outcome =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Record<string, string>
      readonly text: string
    }
  | { readonly kind: 'huge'; readonly bytes: number }
  | { readonly kind: 'reset' }
  | { readonly kind: 'hang' }

const HTML = '<!DOCTYPE html><html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>\n'

export const plain = (answer: Answer): Outcome => ({
  kind: 'answer',
  status: answer.status,
  headers: { ...answer.headers },
  text: answer.body === undefined ? '' : JSON.stringify(answer.body),
})

/** What a fault puts in the place of the answer; `null`: it lets the true answer through (changed by `altered`). */
const replaced = (fault: Fault, dialect: Dialect, world: World, origin: string): Outcome | null => {
  switch (fault.kind) {
    case 'status': {
      if (fault.body === 'none') return { kind: 'answer', status: fault.status, headers: {}, text: '' }
      const seconds = fault.retry_after_seconds
      const refused = {
        status: fault.status,
        reason: { code: fault.code ?? `sandbox_fault_${fault.status}` },
        message: fault.message,
        ...(fault.retryable !== undefined && { retryable: fault.retryable }),
        ...(seconds !== undefined && { retryAfter: { seconds, atMs: world.clock.now() + seconds * 1000 } }),
      }
      return plain(dialect.refuse(refused, origin))
    }
    case 'html':
      return {
        kind: 'answer',
        status: fault.status,
        headers: { 'Content-Type': 'text/html; charset=utf-8' },
        text: HTML,
      }
    case 'empty-body':
      return { kind: 'answer', status: fault.status, headers: {}, text: '' }
    case 'huge-body':
      return { kind: 'huge', bytes: fault.bytes }
    case 'reset':
    case 'hang':
      return { kind: fault.kind }
    default:
      return null
  }
}

const altered = (fault: Fault, answer: Answer): Outcome => {
  const whole = plain(answer)
  if (whole.kind !== 'answer') return whole
  if (fault.kind === 'truncated-json') return { ...whole, text: whole.text.slice(0, Math.ceil(whole.text.length / 2)) }
  // Errors have a `status` word only by accident: the fault is about jobs.
  if (fault.kind === 'unknown-status' && typeof answer.body?.['status'] === 'string')
    return { ...whole, text: JSON.stringify({ ...answer.body, status: fault.word }) }
  return whole
}

/** Runs `work` under a fault. `during` is called by creates that hold an idempotency key but have no job yet. */
export const played = async (
  fault: Fault | null,
  context: { world: World; dialect: Dialect; origin: string },
  work: (during: () => Promise<void>) => Promise<Answer>,
): Promise<Outcome> => {
  const { world, dialect, origin } = context
  if (fault === null) return plain(await work(async () => {}))
  const wait = (moment: string): Promise<void> =>
    fault.kind === 'latency' && fault.when === moment
      ? sleepUntil(world.clock, world.clock.now() + fault.latency_ms, world.closing)
      : Promise.resolve()
  await wait('before')
  const instead = replaced(fault, dialect, world, origin)
  if (instead && 'when' in fault && fault.when === 'before') return instead
  const answer = await work(() => wait('during'))
  await wait('after')
  return instead ?? altered(fault, answer)
}

/** `{"padding":"xxx…"}`, in chunks: forty megabytes are never held at once. */
function* padded(bytes: number): Generator<string> {
  yield '{"padding":"'
  const chunk = 'x'.repeat(65_536)
  for (let left = bytes - 14; left > 0; left -= chunk.length) yield left < chunk.length ? chunk.slice(0, left) : chunk
  yield '"}'
}

/** Writes the outcome. A caller that hangs up in between is not an error. */
export const put = async (
  res: Response,
  outcome: Outcome,
  headers: Readonly<Record<string, string>>,
): Promise<void> => {
  switch (outcome.kind) {
    case 'answer':
      return send(res, outcome.status, { ...headers, ...outcome.headers }, outcome.text)
    case 'huge':
      res.status(200).set({ ...headers, 'Content-Type': 'application/json; charset=utf-8' })
      return pipeline(Readable.from(padded(outcome.bytes)), res).catch(() => {})
    case 'reset':
      res.socket?.resetAndDestroy()
      return undefined
    case 'hang':
      return undefined
  }
}

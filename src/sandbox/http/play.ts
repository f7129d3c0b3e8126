import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import { sleepUntil } from '../../core/time/clock.ts'
import type { Fault } from '../faults.ts'
import type { Window } from '../rates.ts'
import type { Key } from '../state.ts'
import type { World } from '../world.ts'
import { forbidden, rateLimited, unauthorized } from './admission.ts'
import { send, type Answer, type Dialect, type Outcome, type Refusal, type Written } from './answer.ts'
import type { Operation } from './call.ts'

const HTML = '<!DOCTYPE html><html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>\n'

export const plain = (answer: Answer): Written => ({
  kind: 'answer',
  status: answer.status,
  headers: { ...answer.headers },
  text: answer.body === undefined ? '' : JSON.stringify(answer.body),
})

/** The request that a fault strikes. */
interface Scene {
  readonly world: World
  readonly dialect: Dialect
  readonly operation: Operation
  readonly origin: string
  readonly req: Request
  readonly key: Key
  readonly window: Window
}

const statusAnswer = (fault: Extract<Fault, { kind: 'status' }>, scene: Scene): Outcome => {
  if (fault.body === 'none') return plain({ status: fault.status })
  const seconds = fault.retry_after_seconds
  const refused = {
    status: fault.status,
    reason: { code: fault.code ?? `sandbox_fault_${fault.status}` },
    message: fault.message,
    ...scene.operation.faulted?.(scene.req, fault.status),
    ...(fault.retryable !== undefined && { retryable: fault.retryable }),
    ...(seconds !== undefined && { retryAfter: { seconds, atMs: scene.world.clock.now() + seconds * 1000 } }),
  }
  return plain(scene.dialect.refuse(refused, scene.origin))
}

/** What a fault puts in the place of the answer; `null`: it lets the true answer through (changed by `altered`). */
const replaced = (fault: Fault, scene: Scene): Outcome | null => {
  const refusal = (cause: Refusal): Outcome => plain(scene.dialect.refuse(cause.refused, scene.origin))
  switch (fault.kind) {
    case 'status':
      return statusAnswer(fault, scene)
    case 'rate-limited':
      return refusal(rateLimited(scene.world, scene.window))
    case 'scope-missing':
      return refusal(forbidden(scene.operation.scope ?? 'asked for'))
    case 'key-revoked':
      if (fault.for_good) scene.world.state.keys.put(scene.key.hash, { ...scene.key, active: false })
      return refusal(unauthorized())
    case 'html':
      return { ...plain({ status: fault.status, headers: { 'Content-Type': 'text/html; charset=utf-8' } }), text: HTML }
    case 'empty-body':
      return plain({ status: fault.status })
    case 'huge-body':
      return { kind: 'huge', bytes: fault.bytes, headers: {} }
    case 'reset':
    case 'hang':
      return { kind: fault.kind }
    default:
      return null
  }
}

const altered = (fault: Fault, answer: Answer): Outcome => {
  const whole = plain(answer)
  if (fault.kind === 'truncated-json') return { ...whole, text: whole.text.slice(0, Math.ceil(whole.text.length / 2)) }
  // Errors have a `status` word only by accident: the fault is about jobs.
  if (answer.body === undefined) return whole
  if (fault.kind === 'extra-fields') return { ...whole, text: JSON.stringify({ ...answer.body, ...fault.fields }) }
  if (fault.kind === 'drop-fields') {
    const left = Object.entries(answer.body).filter(([name]) => !fault.fields.includes(name))
    return { ...whole, text: JSON.stringify(Object.fromEntries(left)) }
  }
  if (fault.kind === 'unknown-status' && typeof answer.body['status'] === 'string')
    return { ...whole, text: JSON.stringify({ ...answer.body, status: fault.word }) }
  return whole
}

/** Runs `work` under a fault. `during` is called by creates that hold an idempotency key but have no job yet. */
export const playedUnder = async (
  fault: Fault | null,
  scene: Scene,
  work: (during: () => Promise<void>) => Promise<Answer>,
): Promise<Outcome> => {
  const { world, operation } = scene
  if (fault === null) return plain(await work(async () => {}))
  const wait = (moment: string): Promise<void> =>
    fault.kind === 'latency' && fault.when === moment
      ? sleepUntil(world.clock, world.clock.now() + fault.latency_ms, world.closing)
      : Promise.resolve()
  await wait('before')
  if (!('when' in fault) || fault.when === 'before') {
    const instead = replaced(fault, scene)
    if (instead) {
      await operation.unheard?.(scene).catch(() => {})
      return instead
    }
  }
  const answer = await work(() => wait('during'))
  await wait('after')
  return replaced(fault, scene) ?? altered(fault, answer)
}

/** `{"padding":"xxx…"}`, in chunks: forty megabytes are never held at once. */
function* padded(bytes: number): Generator<string> {
  yield '{"padding":"'
  const chunk = 'x'.repeat(65_536)
  for (let left = bytes - 14; left > 0; left -= chunk.length) yield left < chunk.length ? chunk.slice(0, left) : chunk
  yield '"}'
}

/** Writes the outcome. A caller that hangs up in between is not an error. */
export const put = async (res: Response, outcome: Outcome): Promise<void> => {
  switch (outcome.kind) {
    case 'answer':
      // Node would add its own Date.
      if (outcome.headers['Date'] === undefined) res.removeHeader('Date')
      res.sendDate = false
      return send(res, outcome.status, outcome.headers, outcome.text)
    case 'huge':
      res.status(200).set({ ...outcome.headers, 'Content-Type': 'application/json; charset=utf-8' })
      return pipeline(Readable.from(padded(outcome.bytes)), res).catch(() => {})
    case 'reset':
      res.socket?.resetAndDestroy()
      return undefined
    case 'hang':
      return undefined
  }
}

import { createHash } from 'node:crypto'
import { Refusal, type Answer } from '../http/answer.ts'
import type { Call } from '../http/call.ts'
import { hint, type World } from '../world.ts'

export interface Once {
  readonly call: Call
  readonly endpoint: string
  readonly key: string | null
  /** The input after aliases and defaults are resolved: equal inputs, equal values. */
  readonly input: unknown
  /** Makes the resource; runs in one transaction with the remembering of its key. */
  readonly make: () => { resourceId: string; answer: Answer }
  /** `null`: the resource is no more, so the request makes a new one. */
  readonly replay: (resourceId: string) => Answer | null
  /** Is the resource a job? Then a conflict names it. */
  readonly job: boolean
  /** retry_block_code of a conflict, where the contract shows one. */
  readonly conflictBlockCode?: string
}

/**
 * The Idempotency-Key rules (primary, "Idempotency-Key"): scoped to the workspace and the endpoint; the same accepted
 * request is replayed, another input is 409 `idempotency_key_conflict`, one still in work is 409
 * `idempotency_key_in_progress`. Refused creates are not remembered.
 */
export const createOnce = (world: World) => {
  const inWork = new Map<string, string>()
  return async ({ call, endpoint, key, input, make, replay, job, conflictBlockCode }: Once): Promise<Answer> => {
    const conflict = (jobId?: string): Refusal =>
      new Refusal(409, { code: 'idempotency_key_conflict' }, 'The idempotency key was used with different input.', {
        blockCode: conflictBlockCode,
        jobId,
      })
    if (key === null) {
      await call.during()
      return world.state.atomically(make).answer
    }
    call.entry.idempotency_key = key
    const place = JSON.stringify([call.key.account, endpoint, key])
    const fingerprint = createHash('sha256').update(JSON.stringify(input)).digest('hex')
    const known = world.state.idempotency.get(place)
    if (known) {
      const replayed = replay(known.resourceId)
      if (replayed && known.fingerprint !== fingerprint) throw conflict(job ? known.resourceId : undefined)
      if (replayed) return replayed
    }
    const other = inWork.get(place)
    if (other !== undefined) throw other === fingerprint ? inProgress(world) : conflict()
    inWork.set(place, fingerprint)
    try {
      await call.during()
      return world.state.atomically(() => {
        const { resourceId, answer } = make()
        world.state.idempotency.put(place, { fingerprint, resourceId })
        return answer
      })
    } finally {
      inWork.delete(place)
    }
  }
}

const inProgress = (world: World): Refusal =>
  new Refusal(409, { code: 'idempotency_key_in_progress' }, 'A request with this idempotency key is in progress.', {
    retryable: true,
    retryAfter: hint(world, world.decisions.primary.inProgressRetryMs),
  })

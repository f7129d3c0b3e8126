import type { WriteOutcome } from '../core/adapter.ts'
import type { Clock } from '../core/time/clock.ts'
import { fingerprintOf } from '../core/ids.ts'
import { Problem } from '../core/errors.ts'
import { type Log, logFailure } from '../core/log.ts'
import type { IdemKey, Intent } from '../core/store/videos.ts'
import type { Lease } from '../core/store/webhooks.ts'
import type { Store } from '../core/store/index.ts'
import { notNow, PATIENCE_MS, problemOf } from '../engine/upstream/ask.ts'
import { leaseMsOf, type Backend, type Backends } from '../engine/upstream/accounts.ts'
import type { Upstream } from '../engine/upstream/tickets.ts'

export interface KeyedDeps {
  store: Pick<Store, 'begin' | 'unmade' | 'intentOf'>
  upstream: Pick<Upstream, 'ask'>
  clock: Clock
  log: Log
  /** What goes to the backend in place of a client's key: two clients of one workspace never collide. */
  outboundKey: (client: string, operation: string, key: string) => string
  /** For a request without a key. */
  randomKey: () => string
}

/** A right to one attempt at a create, or what an earlier one came to. */
export interface Attempt {
  key: IdemKey | null
  outboundKey: string
  backend: Backend
  /** What it is to be called; of a replay, what was made. */
  resource: string | null
  /** Null: nobody else is kept out, and nothing need be told to the store if nothing comes of it. */
  lease: Lease | null
  /** An earlier attempt may have been carried out: a refusal now proves nothing about it. */
  again: boolean
  replayed: boolean
}

export const keyOf = (client: string, operation: string, key: string | null, request: object): IdemKey | null =>
  key === null ? null : { client, operation, key, fingerprint: fingerprintOf(request) }

/** A backend that an earlier attempt went to, if the client still sees it and it is still the same account. */
const sameBackend = (intent: Intent | null, visible: Backends): Backend | null => {
  const backend = intent && visible.get(intent.backend)
  return backend && backend.account.id === intent.account ? backend : null
}

const SAME_AGAIN = 'nobody knows whether it happened: send the same request with the same Idempotency-Key to find out'
const NO_KEY = 'nobody knows whether it happened. You can repeat a request safely only with an Idempotency-Key'

/**
 * Creates a puppet or an upload under an `Idempotency-Key`. The intent is stored before the first byte goes out. If the
 * outcome is unknown, the next attempt uses the same outbound key, and the backend's own idempotency ends the doubt.
 */
export const createKeyed = ({ store, upstream, clock, log, outboundKey, randomKey }: KeyedDeps) => {
  const inProgress = (untilMs: number): Problem =>
    new Problem(
      'idempotency_key_in_progress',
      'the first request with this Idempotency-Key is still running: retry soon',
      {
        retryAtMs: Math.min(untilMs, clock.now() + 1_000),
      },
    )

  /** That nothing came of it; if the store cannot take that now, the lease runs out and the next attempt finds out. */
  const tellUnmade = async ({ key, lease }: Attempt, outcome: 'free' | 'doubt'): Promise<void> => {
    if (!key || !lease) return
    await store.unmade(key, lease, outcome).catch((error: unknown) => {
      logFailure(
        log,
        { client: key.client, operation: key.operation, err: error },
        'an attempt’s end could not be stored',
      )
    })
  }

  const doubtful = (attempt: Attempt, problem: Extract<WriteOutcome<never>, { kind: 'doubt' }>['problem']): Problem => {
    const keyed = attempt.key !== null
    return problemOf(problem, attempt.backend, {
      message: `${problem.message}; ${keyed ? SAME_AGAIN : NO_KEY}`,
      retryable: keyed || problem.retryAtMs !== null,
      retryAtMs: problem.retryAtMs ?? (keyed ? clock.now() + 1_000 : null),
    })
  }

  return {
    /** `route` is asked only where no earlier attempt decides. Throws both conflicts of keys, and what `route` throws. */
    async begin(
      key: IdemKey | null,
      visible: Backends,
      route: () => Backend,
      resource: () => string | null,
    ): Promise<Attempt> {
      const fresh = { again: false, replayed: false, resource: resource() }
      if (!key) return { ...fresh, key, outboundKey: randomKey(), backend: route(), lease: null }
      const backend = sameBackend(await store.intentOf(key), visible) ?? route()
      const intent = { account: backend.account.id, backend: backend.name, resource: fresh.resource }
      const begun = await store.begin(key, intent, leaseMsOf(backend.account) + PATIENCE_MS)
      const base = { key, outboundKey: outboundKey(key.client, key.operation, key.key) }
      switch (begun.kind) {
        case 'conflict':
          throw new Problem(
            'idempotency_key_conflict',
            'this Idempotency-Key was used with another request: use a new key for a new request',
          )
        case 'running':
          throw inProgress(begun.untilMs)
        case 'begun':
          return { ...base, backend, ...begun, replayed: false }
        case 'done': {
          const made = sameBackend(begun.intent, visible)
          if (!made)
            throw new Problem(
              'idempotency_key_conflict',
              'the backend of what this Idempotency-Key made is not available to you',
            )
          return { ...base, backend: made, resource: begun.intent.resource, lease: null, again: true, replayed: true }
        }
      }
    },

    /** Sends it once. Throws what came of it where that is nothing, or unknown, after it was stored. */
    async send<T>(attempt: Attempt, request: (outboundKey: string) => Promise<WriteOutcome<T>>): Promise<T> {
      const { backend, again } = attempt
      const nothing = again ? 'doubt' : 'free'
      const asked = await upstream
        .ask(backend.account, 'create', PATIENCE_MS, () => request(attempt.outboundKey))
        .catch(async (error: unknown) => {
          await tellUnmade(attempt, 'doubt')
          throw error
        })
      if (asked.kind === 'not_now') {
        await tellUnmade(attempt, nothing)
        throw notNow(backend, asked.retryAtMs)
      }
      const { outcome } = asked
      switch (outcome.kind) {
        case 'done':
          return outcome.value
        case 'refused':
        case 'unreachable':
          await tellUnmade(attempt, nothing)
          throw problemOf(outcome.problem, backend)
        case 'doubt':
          await tellUnmade(attempt, 'doubt')
          throw doubtful(attempt, outcome.problem)
      }
    },
  }
}
export type Keyed = ReturnType<typeof createKeyed>

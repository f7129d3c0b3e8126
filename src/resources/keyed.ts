import type { Ports } from '../core/ports.ts'
import { fieldProblem, noBackend, Problem } from '../core/errors.ts'
import type { Capability } from '../core/vocabulary.ts'
import { type Aliases, inOrder, type Reference } from '../engine/create/route.ts'
import { allNames, type Backend, type Backends, leaseMsOf, namedBy } from '../engine/upstream/accounts.ts'
import type { Puppet, WriteOutcome } from '../core/adapter.ts'
import { fingerprintOf } from '../core/ids.ts'
import { logFailure } from '../core/log.ts'
import type { IdemKey, Intent } from '../core/store/videos.ts'
import type { Lease } from '../core/store/webhooks.ts'
import { notNow, PATIENCE_MS, problemOf } from '../engine/upstream/ask.ts'
import type { Upstream } from '../engine/upstream/tickets.ts'

/** Who asks, and which backends it sees, in the order of the configuration. */
export interface Caller {
  client: string
  visible: Backends
}

interface Wanted {
  capability: Capability
  /** In words: a backend cannot … */
  what: string
  /** A backend that the request names, itself or by an id, and in which field. */
  pin: { backend: string; param: string } | null
}

const notSupported = (message: string, param: string | null, backend?: string): Problem =>
  new Problem('capability_not_supported', message, {
    ...(param !== null && { param, errors: [{ path: param, message }] }),
    ...(backend !== undefined && { backend }),
  })

const draining = ({ name }: Backend): Problem =>
  new Problem('backend_unavailable', `backend ${name} accepts nothing new, because it is being drained`, {
    backend: name,
  })

const pinned = ({ capability, what, pin }: Wanted & { pin: object }, visible: Backends): Backend => {
  const named = namedBy(pin.backend, visible)
  const backend = named.find(({ drain }) => !drain) ?? named[0]
  if (!backend) throw fieldProblem('invalid_request', pin.param, noBackend(pin.backend, allNames(visible)))
  if (!backend.account.adapter.capabilities[capability]) {
    throw notSupported(`backend ${backend.name} cannot ${what}`, pin.param, backend.name)
  }
  if (backend.drain) throw draining(backend)
  return backend
}

/**
 * Who does what is no video: the backend that the request names; otherwise the default, or the first of the client's,
 * that can and is not being drained. Throws `invalid_request`, `capability_not_supported` or `backend_unavailable`.
 * Pure.
 */
export const pick = (wanted: Wanted, visible: Backends, defaultName: string): Backend => {
  const { capability, what, pin } = wanted
  if (pin) return pinned({ ...wanted, pin }, visible)
  const able = inOrder(visible, defaultName)
    .flatMap((name) => namedBy(name, visible))
    .filter(({ account }) => account.adapter.capabilities[capability])
  const open = able.filter(({ drain }) => !drain)
  // One whose key lacked the scope of late is asked where nobody else can be: that is how it is found to have it again.
  const found = open.find(({ account }) => !account.denied()?.includes(capability)) ?? open[0] ?? able[0]
  if (!found) throw notSupported(`none of your backends can ${what}`, null)
  if (found.drain) throw draining(found)
  return found
}

/**
 * Whose an id may be, and what it is called there: a bare one is of the default backend, or of the client's first. Of a
 * pool, any member may have it.
 */
export const ownersOf = (
  { home, alias, on }: Reference,
  visible: Backends,
  defaultName: string,
): { backend: Backend; id: string }[] => {
  const names = home === null ? inOrder(visible, defaultName) : [home]
  const owners = names.map((name) =>
    namedBy(name, visible).flatMap((backend) => {
      const native = on(backend)
      // An image that an alias names is no puppet of that backend.
      return typeof native === 'string' && native !== '' ? [{ backend, id: native }] : []
    }),
  )
  return (alias === null ? owners[0] : owners.find((some) => some.length > 0)) ?? []
}

/** The catalogue, as far as it is about puppets. */
interface PuppetCatalog {
  /** Throws `puppet_not_found`. A request that it takes is of the client's share. */
  puppet(backend: string, id: string, client: string): Promise<{ value: Puppet; state: 'hit' | 'miss' | 'stale' }>
  portrait(backend: string, id: string, client: string): Promise<string | null>
  fresh: { puppets(backend: string): Puppet[] | null }
  puppetMade(backend: string, puppet: Puppet): void
  puppetGone(backend: string, id: string): void
}

export interface ResourcesDeps extends Pick<Ports, 'store' | 'clock' | 'newId' | 'log'> {
  upstream: Upstream
  catalog: PuppetCatalog
  defaultBackend: string
  aliases: Aliases
  /** The same backends, the members of each pool with most room first. */
  ranked: (visible: Backends) => Promise<Backends>
  /** What goes to the backend in place of a client's key: two clients of one workspace never collide. */
  outboundKey: (client: string, operation: string, key: string) => string
  /** For a request without a key. */
  randomKey: () => string
}

/** A right to one attempt at a create, or what an earlier one came to. */
interface Attempt {
  key: IdemKey | null
  outboundKey: string
  backend: Backend
  /** What it is to be called; of a replay, what was made. */
  resource: string | null
  /** Null: nobody else has to wait, and the store needs no note if nothing comes of it. */
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
export const createKeyed = ({ store, upstream, clock, log, outboundKey, randomKey }: ResourcesDeps) => {
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
    /**
     * `route` is asked only where no earlier attempt decides. Throws both conflicts of keys, and what `route` throws.
     */
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

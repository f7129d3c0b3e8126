import { MAX_RESENT_AN_HOUR, MAX_ENDPOINTS, MAX_REPLAYED, type EndpointRecord } from '../core/endpoints.ts'
import { Problem, fieldProblem } from '../core/errors.ts'
import type { Rates } from '../core/limits/rates.ts'
import { createInTurn, type Clock, iso } from '../core/time/clock.ts'
import type { Store } from '../core/store/index.ts'
import type { Ports } from '../core/ports.ts'
import { createTasks } from './queue.ts'
import { boundedLookup, vetTarget, type GuardPolicy, type Lookup } from '../http/guard.ts'
import type { AuditEntry } from '../core/access.ts'
import type { Tally } from '../core/tally.ts'
import type { EndpointPatch, NewEndpoint, Replay } from '../core/store/webhooks.ts'
import { type PostOptions, type Sender, postTest } from './sender.ts'
import type { WebhookSecrets } from './secrets.ts'

/** The window of the rates that count them. */
export const RESEND_WINDOW_MS = 3_600_000

/**
 * Limits what clients may have sent again. A call is accepted while any of the hour's deliveries is left, and then
 * costs as many as it makes. Calls of one client run one after the other, or many at the same time would all be
 * accepted. Where processes share the count, each may accept one call for the last that is left.
 */
export const createResends = (rates: Rates, limit = MAX_RESENT_AN_HOUR) => {
  const inTurn = createInTurn()

  const counted = async <T>(client: string, call: () => Promise<T>, costOf: (made: T) => number): Promise<T> => {
    const taken = await rates.take(client, limit)
    if (!taken.ok) {
      const message = `you may resend ${limit} deliveries in an hour: wait, or resend fewer`
      throw new Problem('rate_limited', message, {
        retryAtMs: taken.resetAtMs,
        details: { deliveries_an_hour: limit },
      })
    }
    const made = await call()
    await rates.add(client, Math.max(0, costOf(made) - 1))
    return made
  }

  return <T>(client: string, call: () => Promise<T>, costOf: (made: T) => number): Promise<T> =>
    inTurn(client, () => counted(client, call, costOf))
}
export type Resends = ReturnType<typeof createResends>

const EVERY_MS = 5_000
/** One write does few, so that other writes do not wait long. */
const AT_ONCE = 200

export interface ReplayerDeps extends Pick<Ports, 'clock' | 'log'> {
  store: Pick<Store, 'replayStep' | 'backlogStep'>
  onDue: (ids: readonly string[]) => void
}

/**
 * Does accepted replays, and moves the deliveries of changed endpoints, a part at a time. The store knows how far each
 * has come. So after a crash it continues from there, and no event is sent again twice.
 */
export const createReplayer = ({ store, clock, log, onDue }: ReplayerDeps) => {
  const tasks = createTasks(log)
  let cancel = (): void => undefined
  let running = false
  let again = false
  let stopped = true

  const work = async (): Promise<void> => {
    running = true
    try {
      do {
        again = false
        while (await store.backlogStep()) if (stopped) return
        for (let due = await store.replayStep(AT_ONCE); due; due = await store.replayStep(AT_ONCE)) {
          onDue(due)
          if (stopped) return
        }
      } while (again)
    } finally {
      running = false
      if (!stopped) cancel = clock.at(clock.now() + EVERY_MS, wake)
    }
  }

  const wake = (): void => {
    again = true
    if (stopped || running) return
    cancel()
    tasks.run('a replay failed, and will be tried again', {}, work)
  }

  return {
    start(): void {
      stopped = false
      wake()
    },
    /** Call when there is a replay to do, or when an endpoint changed and its deliveries must move. */
    wake,
    stop(): Promise<void> {
      stopped = true
      cancel()
      return tasks.idle()
    },
  }
}

/** How long a create waits for the resolver to vet its `webhook_url`. */
const VET_TIMEOUT_MS = 5_000

/** Also of characters that the parser drops: a store finds deliveries by this text, PostgreSQL by 2,704 bytes at most. */
const MAX_URL_BYTES = 2048

/** Throws `invalid_request` or `webhook_url_not_allowed` if events may not be sent there, by what is known now. */
export const createVetWebhookUrl = (policy: GuardPolicy, clock: Clock, resolve: Lookup) => {
  const lookup = boundedLookup(resolve, clock, VET_TIMEOUT_MS)
  return async (url: string, field = 'webhook_url'): Promise<void> => {
    if (Buffer.byteLength(url) > MAX_URL_BYTES)
      throw fieldProblem('invalid_request', field, `the URL is longer than ${MAX_URL_BYTES} bytes`)
    const verdict = await vetTarget(url, policy, lookup)
    if (verdict.ok) return
    const code = verdict.code === 'invalid' ? 'invalid_request' : 'webhook_url_not_allowed'
    throw fieldProblem(code, field, verdict.message)
  }
}

interface EndpointsDeps extends Pick<Ports, 'store' | 'clock' | 'newId'> {
  secrets: WebhookSecrets
  tally: Pick<Tally, 'count'>
  /** Throws `invalid_request` or `webhook_url_not_allowed`, naming the field. */
  vet: (url: string, field: string) => Promise<void>
  sending: PostOptions
  /** Test events take their turns among the deliveries. */
  trial: Sender['trial']
  /** Limits what the client may have sent again. */
  resends: Resends
  /** Called when there is a replay to do, or when an endpoint changed and its deliveries must move. */
  onWork: () => void
  /** Called with deliveries that are due now. */
  onDue: (ids: readonly string[]) => void
  /** Called when followers of this client's events have something to read. */
  onTold: (client: string) => void
}

/** What was done to an endpoint last: among it, why an operator disabled it. */
const ACTS_READ = 100

export const unknownEndpoint = (id: string): Problem =>
  new Problem('endpoint_not_found', `there is no webhook endpoint ${id.slice(0, 64)}`)

/** `error`: why it was not delivered. */
interface Tested {
  delivered: boolean
  status: number | null
  error: string | null
  responseBody: string | null
  durationMs: number
}

/** What a client does with its registered endpoints. An id of another client is answered like an unknown one. */
export const createEndpoints = (deps: EndpointsDeps) => {
  const { store, secrets, clock, tally, newId, vet, sending } = deps

  const get = async (client: string, id: string): Promise<EndpointRecord> => {
    const found = await store.endpointOf(client, id)
    if (!found) throw unknownEndpoint(id)
    return found
  }

  const tooMany = (): Problem =>
    new Problem('invalid_request', `a client may have ${MAX_ENDPOINTS} webhook endpoints: delete one first`, {
      details: { max_endpoints: MAX_ENDPOINTS },
    })

  /** With the note that the operator gave. */
  const disabledByOperator = async (id: string, atMs: number): Promise<Problem> => {
    const { detail } = (await store.auditOf(id, ACTS_READ)).find(({ action }) => action === 'endpoint.disable') ?? {}
    const note = typeof detail?.['note'] === 'string' ? ` (${detail['note']})` : ''
    const what = `an operator disabled this endpoint at ${iso(atMs)}${note}: only an operator can enable it`
    return new Problem('endpoint_disabled_by_operator', what)
  }

  return {
    get,
    list: (client: string): Promise<EndpointRecord[]> => store.endpointsOf(client),

    async create(given: Omit<NewEndpoint, 'id' | 'secret'>): Promise<{ endpoint: EndpointRecord; secret: string }> {
      // Checked first: no name is resolved for an endpoint that is refused anyway.
      if ((await store.endpointsOf(given.client)).length >= MAX_ENDPOINTS) throw tooMany()
      await vet(given.url, 'url')
      const id = newId('we')
      const { secret, sealed } = secrets.make({ kind: 'endpoint', id })
      const endpoint = await store.createEndpoint({ ...given, id, secret: sealed })
      if (endpoint) return { endpoint, secret }
      throw tooMany()
    },

    /** `audit`: an operator does it, here and below. */
    async change(client: string, id: string, patch: EndpointPatch, audit?: AuditEntry): Promise<EndpointRecord> {
      const before = await get(client, id)
      if (patch.url !== undefined) await vet(patch.url, 'url')
      const changed = await store.changeEndpoint(client, id, patch, audit)
      if (!changed) throw unknownEndpoint(id)
      if (patch.enabled === true && changed.disabled) throw await disabledByOperator(id, changed.disabled.atMs)
      if (patch.enabled !== undefined) deps.onWork()
      const { disabled } = changed
      if (disabled && !before.disabled) tally.count('endpoint_disabled', { reason: disabled.reason })
      return changed
    },

    async remove(client: string, id: string): Promise<void> {
      if (!(await store.deleteEndpoint(client, id))) throw unknownEndpoint(id)
      deps.onWork()
    },

    async rotate(
      client: string,
      id: string,
      expireOldMs: number,
    ): Promise<{ endpoint: EndpointRecord; secret: string }> {
      await get(client, id)
      const secret = await secrets.rotate({ kind: 'endpoint', id }, expireOldMs)
      // Null means deleted here: the configuration sets no secret of an endpoint.
      if (secret === null) throw unknownEndpoint(id)
      return { endpoint: await get(client, id), secret }
    },

    /** The client's own secret, for its `webhook_url`s. */
    async rotateOwn(client: string, expireOldMs: number): Promise<string> {
      const secret = await secrets.rotate({ kind: 'client', id: client }, expireOldMs)
      if (secret !== null) return secret
      throw new Problem('invalid_request', 'the configuration sets the secret of this client: change it there')
    },

    /**
     * Sends `webhook.test` once, as soon as a slot is free, also to a disabled endpoint. It is no delivery; nothing is
     * kept.
     */
    async test(client: string, id: string, audit?: AuditEntry): Promise<Tested> {
      const { url } = await get(client, id)
      if (audit) await store.changeEndpoint(client, id, {}, audit)
      const live = await secrets.live({ kind: 'endpoint', id })
      if (live.length === 0) throw unknownEndpoint(id)
      const event = newId('evt')
      return deps.trial({ id: event, lane: id, client, video: null }, () => {
        const timestamp = iso(clock.now())
        const body = JSON.stringify({ type: 'webhook.test', timestamp, data: { endpoint_id: id } })
        return postTest({ id: event, url, body }, live, sending)
      })
    },

    async replay(asked: Replay, audit?: AuditEntry): Promise<number> {
      if (asked.sinceMs >= asked.untilMs)
        throw fieldProblem('invalid_request', 'until', 'until must be later than since')
      // Events from now on are sent anyway.
      const taken = await deps.resends(
        asked.client,
        () => store.replay({ ...asked, untilMs: Math.min(asked.untilMs, clock.now()) }, audit),
        (made) => (made.kind === 'taken' ? made.events : 0),
      )
      switch (taken.kind) {
        case 'taken':
          if (taken.events > 0) deps.onWork()
          return taken.events
        case 'unknown':
          throw unknownEndpoint(asked.endpointId)
        case 'disabled':
          throw new Problem('invalid_request', 'the endpoint is disabled: enable it first')
        case 'many':
          throw fieldProblem(
            'invalid_request',
            'since',
            `the time has more than ${MAX_REPLAYED} events: give a shorter one`,
          )
      }
    },

    /** Answers the deliveries that are due again. */
    async redeliver(client: string, eventId: string, audit?: AuditEntry): Promise<string[]> {
      const ids = await deps.resends(
        client,
        () => store.redeliver(client, eventId, audit),
        (made) => made?.length ?? 0,
      )
      if (!ids) throw new Problem('event_not_found', `there is no event ${eventId.slice(0, 64)}`)
      deps.onDue(ids)
      deps.onTold(client)
      return ids
    },
  }
}
export type Endpoints = ReturnType<typeof createEndpoints>

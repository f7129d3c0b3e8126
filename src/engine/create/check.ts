import { roomIn } from '../../core/access.ts'
import { Problem } from '../../core/errors.ts'
import type { Puppet, Voice } from '../../core/adapter.ts'
import { iso } from '../../core/time/clock.ts'
import type { Store } from '../../core/store/index.ts'
import type { CheckView } from '../../core/api/videos.ts'
import type { UploadLookup } from '../../core/media.ts'
import type { RoutingNote, VideoRecord, WireRequest } from '../../core/video.ts'
import type { Backend } from '../upstream/accounts.ts'
import { type CreateRequest, type Creator, priorityOf, reuseMsOf } from './create.ts'
import type { Elsewhere, Plan, Planned, PortraitOf } from './plan.ts'
import { knownBackend, lookUpAudio, type Source } from './route.ts'
import type { Ranked } from '../routing/pools.ts'
import { type Reuse, wantedOf } from './reuse.ts'
import type { Upstream } from '../upstream/tickets.ts'

export interface CheckDeps {
  store: Pick<Store, 'room' | 'queue'>
  plan: Plan
  ranked: Ranked
  elsewhere: Elsewhere
  reuse: Pick<Reuse, 'find'>
  uploads: UploadLookup
  upstream: Pick<Upstream, 'health' | 'heed'>
  vetWebhookUrl: (url: string) => Promise<void>
  /** From memory or the store only; null: unknown. */
  knownPortraitOf: PortraitOf
  /** What is in memory and not stale of a backend's catalogue, null where nothing is. */
  fresh: { voices: (backend: string) => Voice[] | null; puppets: (backend: string) => Puppet[] | null }
  callbackUrl: (video: Pick<VideoRecord, 'id' | 'backend'>, attempt: number) => string | null
  /** All headers of a request as it goes out, those that carry the key included. */
  sentHeaders: (headers: Record<string, string>, credential: Readonly<Record<string, string>>) => Record<string, string>
  settings: { queueLimit: number }
}

type Line = CheckView['backends'][number]
type Warned = Line['warnings'][number]

interface Destination {
  routing: RoutingNote | null
  reusedFrom: string | null
}

const MASK = '***'
/** Placeholders for what the video will have. */
const ID = 'vid_check'
const KEY = '<video id>.1'

const imageOf = (puppetId: string): string => `<the image of ${puppetId}>`

/** A token is a secret between us and the backend. */
const masked = (url: string | null): string | null => url && `${url.slice(0, url.lastIndexOf('/') + 1)}${MASK}`

const bodyOf = ({ body }: WireRequest): unknown => (body === null ? null : JSON.parse(body))

const shown = ({ code, message, extras }: Problem): NonNullable<Line['problem']> => ({
  code,
  param: extras.param ?? null,
  message,
})

/** Refusals that may pass; every other one is about the request. */
const PASSING: ReadonlySet<string> = new Set(['backend_unavailable', 'backend_credentials_rejected', 'queue_full'])

/**
 * What createVideo would do, by the same code, up to the point where it stores something. Writes, sends and asks
 * nothing.
 */
export const createCheck = (deps: CheckDeps) => {
  const { store, plan, elsewhere, reuse, uploads, upstream, vetWebhookUrl, knownPortraitOf, fresh } = deps
  const { callbackUrl, sentHeaders } = deps

  const requestOf = ({ name, account }: Backend, { order }: Planned): Line['request'] => {
    const callback = masked(callbackUrl({ id: ID, backend: name }, 1))
    const wire = account.adapter.createRequest(order, { idempotencyKey: KEY, callbackUrl: callback })
    return {
      method: wire.method,
      path: wire.path,
      headers: sentHeaders(wire.headers, account.adapter.credential(MASK)),
      body: bodyOf(wire),
    }
  }

  /** Warns of ids that the cached catalogue lacks. They may be new since it was read. */
  const unverified = ({ name }: Backend, { voiceId, puppetId }: Planned['order']): Warned[] => {
    const lacks = (id: string | null, known: readonly { id: string }[] | null): boolean =>
      id !== null && known !== null && !known.some((one) => one.id === id)
    const warn = (param: string): Warned => ({
      code: 'not_verified',
      param,
      message: `the catalogue of ${name} did not list it when the gateway last read it`,
    })
    return [
      ...(lacks(voiceId, fresh.voices(name)) ? [warn('voice_id')] : []),
      ...(lacks(puppetId, fresh.puppets(name)) ? [warn('puppet_id')] : []),
    ]
  }

  /** Why no video can be taken right now; null: one can. */
  const obstacle = async (
    { client: id, limits, ...creator }: Creator,
    request: CreateRequest,
    { name, account }: Backend,
  ): Promise<Problem | null> => {
    await upstream.heed()
    const pause = account.paused.inForce()
    if (pause?.creates) {
      const until = pause.untilMs === null ? '' : ` until ${iso(pause.untilMs)}`
      return new Problem('backend_unavailable', `an operator paused backend ${name}${until}: a video for it waits`)
    }
    const { status, reason } = upstream.health(account.id)
    if (status === 'down') {
      const refused = reason === 'backend_credentials_rejected'
      const message = refused
        ? `backend ${name} refuses the gateway's key: ask your operator to renew it`
        : `backend ${name} does not answer`
      return new Problem(refused ? 'backend_credentials_rejected' : 'backend_unavailable', message)
    }
    const [{ waiting, held }, { queue, client }] = await Promise.all([store.queue(account.id), store.room(id)])
    // A video that is sent immediately takes no room in the queue.
    if (waiting === 0 && (account.slots === null || held < account.slots)) return null
    const isLow = priorityOf(creator, request) === 'low'
    if (queue >= roomIn(deps.settings.queueLimit, isLow))
      return new Problem('queue_full', 'too many videos wait in the gateway: retry later')
    if (client >= roomIn(limits.queuedVideos, isLow))
      return new Problem('queue_full', 'too many of your videos wait in the gateway: retry when some have been sent')
    return null
  }

  const lineFor = async (creator: Creator, request: CreateRequest, source: Source, backend: Backend): Promise<Line> => {
    const routed = plan.route({ ...request, backend: backend.name }, source, creator.visible)
    const unknown: Warned[] = []
    const portraitOf: PortraitOf = async (on, puppetId) => {
      const image = await knownPortraitOf(on, puppetId)
      if (image !== null) return image
      const message = `the gateway looks up its image at ${on.name} when you create the video`
      unknown.push({ code: 'not_verified', param: 'puppet_id', message })
      return imageOf(puppetId)
    }
    const planned = await plan.order(request, routed, source, portraitOf)
    const warnings: Warned[] = [...planned.warnings, ...unknown, ...unverified(backend, planned.order)]
    const problem = await obstacle(creator, request, backend)
    const verdict = problem ? 'unavailable' : warnings.length > 0 ? 'warn' : 'ok'
    return {
      backend: backend.name,
      verdict,
      warnings,
      problem: problem && shown(problem),
      request: requestOf(backend, planned),
    }
  }

  const judged = async (...args: Parameters<typeof lineFor>): Promise<Line> => {
    try {
      return await lineFor(...args)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const verdict = PASSING.has(error.code) ? 'unavailable' : 'unsupported'
      return { backend: args[3].name, verdict, warnings: [], problem: shown(error), request: null }
    }
  }

  /** Where routing leads, and why; null where it leads to no backend that can take it. And whose file it would have. */
  const destination = async (creator: Creator, request: CreateRequest, source: Source): Promise<Destination> => {
    if (request.backend !== null) knownBackend(request.backend, creator.visible)
    const { surface, metadata } = request
    const portraitOf: PortraitOf = async (on, id) => (await knownPortraitOf(on, id)) ?? imageOf(id)
    try {
      const priority = priorityOf(creator, request)
      const visible = await deps.ranked(creator.visible, priority)
      const asker = { client: creator.client, visible, surface, metadata }
      const chosen = await plan.choose(request, asker, source, portraitOf)
      const original = await reuse.find(wantedOf(creator.client, chosen, source, visible), reuseMsOf(creator, request))
      if (original) return { routing: chosen.note, reusedFrom: original.id }
      const routing = await elsewhere({
        input: request.input,
        priority,
        chosen,
        standIn: (name) => plan.standIn(request, { visible }, source, portraitOf, name),
        send: async ({ note }) => ({ kind: 'created', created: note }),
      })
      return { routing, reusedFrom: null }
    } catch (error) {
      if (error instanceof Problem) return { routing: null, reusedFrom: null }
      throw error
    }
  }

  /** Throws what createVideo would throw on every backend alike. */
  return async (creator: Creator, request: CreateRequest): Promise<CheckView> => {
    const audio = await lookUpAudio(uploads, creator.client, request.input)
    if (request.webhookUrl !== null) await vetWebhookUrl(request.webhookUrl)
    const source = await plan.source(creator.client, request.input, audio)
    const backends = await Promise.all(
      [...creator.visible.values()].map((backend) => judged(creator, request, source, backend)),
    )
    const { routing, reusedFrom } = await destination(creator, request, source)
    const chosen = routing?.considered.find(({ verdict }) => verdict === 'chosen')?.backend ?? null
    return { object: 'check', chosen, routing, reused_from: reusedFrom, backends }
  }
}

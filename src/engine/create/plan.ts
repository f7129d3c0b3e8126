import type { AudioCarrier } from '../../core/audio.ts'
import type { UploadLookup } from '../../core/uploads.ts'
import { fieldProblem, Problem } from '../../core/errors.ts'
import type { Order, RoutingNote, VideoInput, Warning } from '../../core/video.ts'
import type { Surface } from '../../core/vocabulary.ts'
import type { Aliases } from './aliases.ts'
import type { Backend, Backends } from '../upstream/accounts.ts'
import { ruled, type Rule, type Ruled, type WeightOf } from '../routing/rules.ts'
import { route, type Routed } from './route.ts'
import { audioOf, audioUrlOf, sourceOf, type Known, type Source } from './source.ts'

/** The part of a create that decides which backend makes it, and from what. */
export interface Wish {
  input: VideoInput
  backend: string | null
  /** Who makes it where nothing else decides; null: the configuration's default. */
  defaultBackend: string | null
  unsupported: 'reject' | 'warn'
}

/** A saved portrait's image, for a backend that only takes images; null when none is known. Throws `puppet_not_found`. */
export type PortraitOf = (backend: Backend, puppetId: string) => Promise<string | null>
/** The same for a client: a request to the backend counts in that client's share. */
export type PortraitFor = (
  backend: Backend,
  puppetId: string,
  asker: { client: string; visible: Backends },
) => Promise<string | null>

export interface PlanDeps {
  uploads: UploadLookup
  carrier: Pick<AudioCarrier, 'fault'>
  aliases: Aliases
  /** In the order of the configuration. */
  rules: readonly Rule[]
  weightOf: WeightOf
  settings: { defaultBackend: string }
}

export interface Planned {
  order: Order
  warnings: Warning[]
}

/** A create that a backend can be asked for. */
export interface Chosen extends Planned {
  backend: Backend
  note: RoutingNote
}

/** Who asks, and with what rules go by beside the wish. */
export interface Asker {
  client: string
  visible: Backends
  surface: Surface
  metadata: Readonly<Record<string, string>>
}

const withPassed = (note: RoutingNote, passed: RoutingNote['considered']): RoutingNote => ({
  ...note,
  considered: [...passed, ...note.considered],
})

/** What is about a field of the request may be another backend's to take. */
const whyNot = (error: unknown): string | null =>
  error instanceof Problem && typeof error.extras.param === 'string' ? `cannot take ${error.extras.param}` : null

/** Works out a request before anything is stored or sent: createVideo carries it out, checkVideo shows it. */
export const createPlan = (deps: PlanDeps) => {
  /** Throws where the audio is not the client's to use. */
  const source = (client: string, input: VideoInput, known: Known): Promise<Source> =>
    sourceOf(deps, client, input, known)

  /** Who makes it. Throws as `route`. */
  const routed = (
    { input, backend, defaultBackend }: Omit<Wish, 'unsupported'>,
    from: Source,
    visible: Backends,
    rule: Ruled | null = null,
  ): Routed => {
    const { voice_id: voiceId, puppet_id: puppetId, image_url: imageUrl } = input
    const wanted = { backend, voiceId, puppetId, imageUrl, audio: audioOf(from) }
    return route(wanted, visible, defaultBackend ?? deps.settings.defaultBackend, deps.aliases, rule)
  }

  /**
   * What the chosen backend is asked for: native ids, a portrait that it takes, and no option that it would silently
   * drop.
   */
  const order = async (
    { input, unsupported }: Wish,
    to: Routed,
    from: Source,
    portraitOf: PortraitOf,
  ): Promise<Planned> => {
    const { backend, puppetId } = to
    const { adapter } = backend.account
    const { puppet_id: takesPuppets, image_url: takesImages } = adapter.capabilities
    const image = puppetId !== null && !takesPuppets && takesImages ? await portraitOf(backend, puppetId) : null
    const asked: Order = {
      imageUrl: to.imageUrl ?? image,
      puppetId: image === null ? puppetId : null,
      text: input.text,
      audioUrl: audioUrlOf(from),
      voiceId: to.voiceId,
      language: input.language,
      expressiveness: input.expressiveness,
      resolution: input.resolution,
    }
    const translation = adapter.translate(asked, unsupported)
    if (translation.ok) return { order: asked, warnings: translation.warnings }
    const { code, param, message } = translation.problem
    throw fieldProblem(code, param, message, { backend: backend.name })
  }

  const chosenBy = async (
    wish: Wish,
    from: Source,
    visible: Backends,
    portraitOf: PortraitOf,
    rule: Ruled | null,
  ): Promise<Chosen> => {
    const to = routed(wish, from, visible, rule)
    return { backend: to.backend, note: to.note, ...(await order(wish, to, from, portraitOf)) }
  }

  return {
    source,
    route: routed,
    order,

    /**
     * The backend that the request is for, and what it is asked for. Of a split, the side that can take it, if one of
     * them cannot. Throws as `route` and `order` for the one that was tried first.
     */
    async choose(wish: Wish, asker: Asker, from: Source, portraitOf: PortraitOf): Promise<Chosen> {
      const { client, visible, surface, metadata } = asker
      const facts = { client, surface, source: from.kind === 'text' ? 'text' : 'audio', metadata } as const
      const rule = ruled(deps.rules, facts, deps.weightOf, (name) => visible.has(name))
      const [first, other] = rule?.backends ?? []
      try {
        return await chosenBy(wish, from, visible, portraitOf, rule)
      } catch (error) {
        const reason = whyNot(error)
        if (!rule || first === undefined || other === undefined || reason === null) throw error
        const left = { ...rule, backends: [other] }
        const chosen = await chosenBy(wish, from, visible, portraitOf, left).catch(() => Promise.reject(error))
        const passed = [{ backend: first, verdict: 'passed_over', reason } as const]
        return { ...chosen, note: withPassed(chosen.note, passed) }
      }
    },

    /** The same on a backend that stands in for the chosen one; null where that cannot take it. */
    async standIn(
      wish: Wish,
      { visible }: Pick<Asker, 'visible'>,
      from: Source,
      portraitOf: PortraitOf,
      name: string,
    ): Promise<Chosen | null> {
      const backend = visible.get(name)
      if (!backend || backend.drain) return null
      const there = { ...wish, backend: name }
      return chosenBy(there, from, visible, portraitOf, null).catch((error: unknown) => {
        if (error instanceof Problem) return null
        throw error
      })
    },
  }
}
export type Plan = ReturnType<typeof createPlan>

import type { AudioCarrier } from '../../core/audio.ts'
import { fieldProblem } from '../../core/errors.ts'
import type { UploadLookup } from '../../core/uploads.ts'
import type { Order, VideoInput, Warning } from '../../core/video.ts'
import type { Aliases } from './aliases.ts'
import type { Backend, Backends } from '../upstream/accounts.ts'
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
export type PortraitFor = (backend: Backend, puppetId: string, client: string) => Promise<string | null>

export interface PlanDeps {
  uploads: UploadLookup
  carrier: Pick<AudioCarrier, 'fault'>
  aliases: Aliases
  settings: { defaultBackend: string }
}

export interface Planned {
  order: Order
  warnings: Warning[]
}

/** Works out a request before anything is stored or sent: createVideo carries it out, checkVideo shows it. */
export const createPlan = (deps: PlanDeps) => ({
  /** Throws where the audio is not the client's to use. */
  source: (client: string, input: VideoInput, known: Known): Promise<Source> => sourceOf(deps, client, input, known),

  /** Who makes it. Throws as `route`. */
  route({ input, backend, defaultBackend }: Omit<Wish, 'unsupported'>, source: Source, visible: Backends): Routed {
    const { voice_id: voiceId, puppet_id: puppetId, image_url: imageUrl } = input
    const wanted = { backend, voiceId, puppetId, imageUrl, audio: audioOf(source) }
    return route(wanted, visible, defaultBackend ?? deps.settings.defaultBackend, deps.aliases)
  },

  /**
   * What the chosen backend is asked for: native ids, a portrait that it takes, and no option that it would silently
   * drop.
   */
  async order({ input, unsupported }: Wish, routed: Routed, source: Source, portraitOf: PortraitOf): Promise<Planned> {
    const { backend, puppetId } = routed
    const { adapter } = backend.account
    const { puppet_id: takesPuppets, image_url: takesImages } = adapter.capabilities
    const image = puppetId !== null && !takesPuppets && takesImages ? await portraitOf(backend, puppetId) : null
    const order: Order = {
      imageUrl: routed.imageUrl ?? image,
      puppetId: image === null ? puppetId : null,
      text: input.text,
      audioUrl: audioUrlOf(source),
      voiceId: routed.voiceId,
      language: input.language,
      expressiveness: input.expressiveness,
      resolution: input.resolution,
    }
    const translation = adapter.translate(order, unsupported)
    if (translation.ok) return { order, warnings: translation.warnings }
    const { code, param, message } = translation.problem
    throw fieldProblem(code, param, message, { backend: backend.name })
  },
})
export type Plan = ReturnType<typeof createPlan>

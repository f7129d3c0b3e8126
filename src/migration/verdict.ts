import type { Puppet, Voice } from '../core/adapter.ts'
import type { VideoInput, Order, VideoRecord } from '../core/video.ts'
import { type Aliases, type Entry, lookUpAudio } from '../engine/create/route.ts'
import { type Backend, type Backends, namedBy } from '../engine/upstream/accounts.ts'
import { fieldProblem, Problem } from '../core/errors.ts'
import type { LossKind, VerdictWord } from '../core/store/accounts.ts'
import type { UploadLookup } from '../core/media.ts'
import { isPictured, type Plan, type PortraitOf } from '../engine/create/plan.ts'

/** What a request names that must be found on the backend. */
export interface Named {
  kind: 'voice' | 'puppet' | 'image'
  /** What the request calls it. */
  said: string
  /** Whether the backend has it, by its own name or through an alias. Null: its catalogue could not be read. */
  isThere: boolean | null
  /** An alias leads to something, or its own name is tried. */
  leads: boolean
}

/** A backend as the request would meet it. Null: its catalogue could not be read. */
export interface Target {
  backend: Backend
  voices: ReadonlyMap<string, Voice> | null
  puppets: ReadonlyMap<string, Puppet> | null
}

const isPuppetThere = (entry: Entry | null, { backend, puppets }: Target): boolean | null => {
  if (entry === null) return false
  if (typeof entry !== 'string') return backend.account.adapter.capabilities.image_url
  return puppets && puppets.has(entry)
}

/** The voice, and the portrait if it must be found: a backend that takes images takes any. */
export const leadsTo = (
  { voice_id: voice, puppet_id: puppet, image_url: image, text }: VideoInput,
  target: Target,
  aliases: Aliases,
  visible: Backends,
): Named[] => {
  const { backend, voices, puppets } = target
  const named: Named[] = []
  if (puppet !== null) {
    const entry = aliases.puppets.read(puppet, visible).on(backend)
    named.push({ kind: 'puppet', said: puppet, isThere: isPuppetThere(entry, target), leads: entry !== null })
  }
  if (image !== null && !backend.account.adapter.capabilities.image_url) {
    const listed = [...(puppets?.values() ?? [])].find(isPictured(image))
    const id = aliases.puppets.savedImage(image, backend) ?? listed?.id ?? null
    const isThere = id === null ? false : puppets && puppets.has(id)
    named.push({ kind: 'image', said: image, isThere, leads: id !== null })
  }
  if (voice !== null && text !== null) {
    const id = aliases.voices.read(voice, visible).on(backend)
    const isThere = typeof id === 'string' ? voices && voices.has(id) : false
    named.push({ kind: 'voice', said: voice, isThere, leads: id !== null })
  }
  return named
}

/** What a voice or portrait is called on the backend that made the video; null: the request cannot be read any more. */
export const nativeOn = (
  { kind, said }: Pick<Named, 'kind' | 'said'>,
  from: Backend,
  aliases: Aliases,
  visible: Backends,
): Entry | null => {
  if (kind === 'image') return { image_url: said }
  return aliases[kind === 'voice' ? 'voices' : 'puppets'].read(said, visible).on(from)
}

/** What a request loses, in the words of the API: the code and the field that its client would get. */
export interface Loss extends LossKind {
  message: string
}

export interface Verdict {
  verdict: VerdictWord
  /** What refuses the request, the first that is met first; if nothing does, the options that are left out. */
  losses: Loss[]
  /** Fields that nobody can judge without asking: of a catalogue that could not be read, say. */
  unverified: string[]
}

/** The request of a video. */
type Recorded = Pick<VideoRecord, 'client' | 'surface' | 'input' | 'metadata'>

interface JudgeDeps {
  plan: Plan
  uploads: UploadLookup
  aliases: Aliases
  /** From memory or the store only; null: unknown. */
  knownPortraitOf: PortraitOf
}

const CONTEXT = { idempotencyKey: 'vid_00000000000000000000000000.1', callbackUrl: null }

/**
 * Says what would become of a recorded request on another backend: by the code of a create up to the point where it
 * sends, then by that backend's catalogue and contract. Sends and writes nothing. Options that the backend lacks are
 * warnings, as with `unsupported: 'warn'`.
 */
export const createJudge = ({ plan, uploads, aliases, knownPortraitOf }: JudgeDeps) => {
  /** `visible`: the backends that the client sees, the target among them unless it does not see that. */
  const judge = async ({ client, input }: Recorded, target: Target, visible: Backends): Promise<Verdict> => {
    const { backend, voices, puppets } = target
    const unverified = new Set<string>()

    const portraitOf: PortraitOf = async (on, puppetId) => {
      const known = puppets?.get(puppetId)?.imageUrl ?? (await knownPortraitOf(on, puppetId))
      if (known !== null) return known
      if (puppets && !puppets.has(puppetId))
        throw fieldProblem(
          'puppet_not_found',
          'puppet_id',
          `${on.name} does not have this puppet, and no alias has a puppet for it`,
        )
      unverified.add('puppet_id')
      return 'https://portrait.invalid/'
    }

    const planned = async () => {
      const audio = await lookUpAudio(uploads, client, input)
      const source = await plan.source(client, input, audio)
      const wish = { input, backend: backend.name, defaultBackend: null, unsupported: 'warn' } as const
      const routed = plan.route(wish, source, visible)
      if (source.kind === 'external') unverified.add('audio_url')
      return plan.order(wish, routed, source, portraitOf)
    }

    const lacks = (kind: Named['kind']): Loss => ({
      code: kind === 'voice' ? 'voice_not_found' : 'puppet_not_found',
      field: kind === 'image' ? 'image_url' : `${kind}_id`,
      message: `${backend.name} does not have this ${kind === 'voice' ? kind : 'puppet'}, and no alias has one for it`,
    })

    const takesNone: Loss = {
      code: 'capability_not_supported',
      field: 'image_url',
      message: `${backend.name} accepts no image URLs, and no alias has a puppet for it`,
    }

    /** What the backend itself would refuse, as far as its contract and its catalogue tell. */
    const refusedThere = (order: Order): Loss[] => {
      const { createRequest, maxTextCharacters, maxCreateBytes } = backend.account.adapter
      const { voiceId, puppetId, text } = order
      const isVoiceSaid = voiceId !== null && text !== null
      // The contract may count characters otherwise than the gateway, which refuses nothing that the backend may take.
      if (text !== null && text.length > (maxTextCharacters ?? Infinity)) unverified.add('text')
      if (puppetId !== null && puppets === null) unverified.add(input.puppet_id === null ? 'image_url' : 'puppet_id')
      if (isVoiceSaid && voices === null) unverified.add('voice_id')
      const isLarge = Buffer.byteLength(createRequest(order, CONTEXT).body ?? '') > (maxCreateBytes ?? Infinity)
      const message = `the request is larger than the ${maxCreateBytes} bytes that ${backend.name} accepts`
      return [
        ...(isLarge ? [{ code: 'payload_too_large', field: null, message }] : []),
        ...(puppetId !== null && puppets?.has(puppetId) === false
          ? [lacks(input.puppet_id === null ? 'image' : 'puppet')]
          : []),
        ...(isVoiceSaid && voices?.has(voiceId) === false ? [lacks('voice')] : []),
      ]
    }

    /** A create stops at its first fault. Here the others are informed, too, that an alias would fix. */
    const besides = ({ field: met }: Loss): Loss[] =>
      leadsTo(input, target, aliases, visible)
        .flatMap(({ kind, isThere, leads }) =>
          isThere !== false ? [] : [kind === 'image' && !leads ? takesNone : lacks(kind)],
        )
        .filter(({ field }) => field !== met)

    try {
      const made = await planned()
      const losses = refusedThere(made.order)
      if (losses.length > 0) return { verdict: 'not_at_all', losses, unverified: [] }
      const left = made.warnings.map(({ code, param, message }): Loss => ({ code, field: param, message }))
      const verdict = unverified.size > 0 ? 'unverified' : left.length > 0 ? 'warnings' : 'untouched'
      return { verdict, losses: left, unverified: [...unverified] }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const met: Loss = { code: error.code, field: error.extras.param ?? null, message: error.message }
      return { verdict: 'not_at_all', losses: [met, ...besides(met)], unverified: [] }
    }
  }
  return judge
}
export type Judge = ReturnType<typeof createJudge>

/** The ordinary catalogue: in memory already, or read once. */
export interface CatalogueReader {
  voices: (backend: string) => Promise<Voice[]>
  puppets: (backend: string) => Promise<Puppet[]>
}

export interface BackendOrPool {
  name: string
  members: readonly [Backend, ...Backend[]]
}

/** Null: there is none of this name. */
export const backendOrPool = (name: string, backends: Backends): BackendOrPool | null => {
  const [first, ...others] = namedBy(name, backends)
  return first ? { name, members: [first, ...others] } : null
}

export interface Side extends Target {
  name: string
  /** The code of what kept any of it from being read. */
  problem: string | null
}

const byId = <T extends { id: string }>(items: readonly T[]): ReadonlyMap<string, T> =>
  new Map(items.map((item) => [item.id, item]))

/**
 * What is to be had there now. A backend that does not answer is no error here. Voices are the same for all members of a
 * pool, puppets each member's own.
 */
export const readSide = async ({ name, members }: BackendOrPool, catalogue: CatalogueReader): Promise<Side> => {
  const [backend, ...others] = members
  let problem: string | null = null
  const tried = async <T extends { id: string }>(reading: Promise<T[]>): Promise<ReadonlyMap<string, T> | null> => {
    try {
      return byId(await reading)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      problem = error.code
      return null
    }
  }
  // In turn: both are asked for out of one window.
  const voices = await tried(catalogue.voices(backend.name))
  let puppets = await tried(catalogue.puppets(backend.name))
  for (const other of others) {
    const more = await tried(catalogue.puppets(other.name))
    puppets = puppets && more && new Map([...puppets, ...more])
  }
  return { name, backend, voices, puppets, problem }
}

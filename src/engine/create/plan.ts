import type { AudioCarrier, UploadLookup } from '../../core/media.ts'
import { fieldProblem, Problem } from '../../core/errors.ts'
import type { Order, RoutingNote, VideoInput, Warning } from '../../core/video.ts'
import { FAILOVER_REASONS, type FailoverReason, type Priority, type Surface } from '../../core/vocabulary.ts'
import {
  type Aliases,
  audioOf,
  audioUrlOf,
  canTake,
  inOrder,
  type Known,
  route,
  type Routed,
  sameImage,
  type Source,
  sourceOf,
} from './route.ts'
import { type Backend, type Backends, namedBy } from '../upstream/accounts.ts'
import { type FailoverPolicy, type Rule, ruled, type Ruled, type Standing, type WeightOf } from '../routing/rules.ts'
import { type BackendProblem, type Otherwise, type Puppet, reasonOf, type Voice } from '../../core/adapter.ts'
import { faultyField, problemOf } from '../upstream/ask.ts'

/** The part of a create that decides which backend makes it, and from what. */
export interface Wish {
  input: VideoInput
  backend: string | null
  /** Who makes it where nothing else decides; null: the configuration's default. */
  defaultBackend: string | null
  unsupported: 'reject' | 'warn'
}

/**
 * A saved portrait's image, for a backend that only takes images; null when none is known. Throws `puppet_not_found`.
 */
export type PortraitOf = (backend: Backend, puppetId: string) => Promise<string | null>
/** The same for a client: a request to the backend counts in that client's share. */
export type PortraitFor = (
  backend: Backend,
  puppetId: string,
  asker: { client: string; visible: Backends },
) => Promise<string | null>

/** `what` names the id or the image to search for. */
type Look<T> = (
  backend: string,
  is: (one: T) => boolean,
  what: string,
) => readonly T[] | null | Promise<readonly T[] | null>
/** A backend's lists, for one who looks for something in them. Null: nobody knows now whether it is there. */
export interface Lists {
  voices: Look<Voice>
  puppets: Look<Puppet>
}

/** What of a request a backend may not have, by the code of its refusal. */
const LACKED: Readonly<Record<string, string>> = {
  voice_not_found: 'voice_id',
  puppet_not_found: 'puppet_id',
  // Only of audio that is not the client's own upload: that one goes to its account.
  upload_not_found: 'audio_url',
}
const lacking = (param: string): string => `does not have ${param}`

/** Whether the list certainly does not have it. */
const lacks = async <T extends { id: string }>(look: Look<T>, backend: string, id: string | null): Promise<boolean> => {
  const is = (one: T): boolean => one.id === id
  try {
    return id !== null && (await look(backend, is, id))?.some(is) === false
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

/** The field that names something which the backend's lists do not have; null: none, as far as they are known. */
export const lackedField = async (
  { voices, puppets }: Lists,
  { backend: { name }, order }: Pick<Chosen, 'backend' | 'order'>,
): Promise<string | null> => {
  if (await lacks(voices, name, order.voiceId)) return 'voice_id'
  return (await lacks(puppets, name, order.puppetId)) ? 'puppet_id' : null
}

export const isPictured =
  (imageUrl: string) =>
  (one: Puppet): boolean =>
    one.imageUrl !== null && sameImage(one.imageUrl) === sameImage(imageUrl)

/** The id of the puppet that the backend lists with this image; null: it lists none. Throws if no list can be had. */
export const pictured = async ({ puppets }: Pick<Lists, 'puppets'>, { name }: Backend, imageUrl: string) => {
  const isOf = isPictured(imageUrl)
  try {
    return (await puppets(name, isOf, imageUrl))?.find(isOf)?.id ?? null
  } catch (error) {
    // Another backend may take the image.
    throw error instanceof Problem ? fieldProblem(error.code, 'image_url', error.message, error.extras) : error
  }
}

interface PlanDeps {
  lists: Lists
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
  /** What led to the backend: its own name, or that of a pool. */
  via: string
  /** The pool any member of which could make it as well; null: it stays with its account. */
  pool: string | null
  /** Its other members that take new videos. */
  siblings: readonly string[]
  /** Other members of the pool. Nobody knows whether they have the puppet or host the audio: one may, if this one does not. */
  perhaps: readonly string[]
  /** Names that make it in its place while an operator has paused it. */
  others: readonly string[]
  /** The other sides of the split that chose it: what it does not have, one of them may. */
  beyond: readonly string[]
}

/** Who asks, and with what rules go by beside the wish. */
interface Asker {
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
    lacksPuppet?: (backend: Backend) => boolean,
  ): Routed => {
    const { voice_id: voiceId, puppet_id: puppetId, image_url: imageUrl } = input
    const wanted = { backend, voiceId, puppetId, imageUrl, audio: audioOf(from) }
    return route(wanted, visible, defaultBackend ?? deps.settings.defaultBackend, deps.aliases, rule, lacksPuppet)
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
    const puppet =
      to.imageUrl !== null && !takesImages && takesPuppets ? await pictured(deps.lists, backend, to.imageUrl) : null
    const asked: Order = {
      imageUrl: puppet === null ? (to.imageUrl ?? image) : null,
      puppetId: puppet ?? (image === null ? puppetId : null),
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

  /** Whether the backend has it; null: nobody knows. */
  const hasPuppet = async ({ name }: Backend, id: string): Promise<boolean | null> => {
    const is = (one: Puppet): boolean => one.id === id
    const list = await Promise.resolve(deps.lists.puppets(name, is, id)).catch(() => null)
    return list?.some(is) ?? null
  }

  /**
   * Of these members of a pool: who does not have the puppet of this id, as far as any has it or may have it, and of whom
   * nobody knows. One that names its backend is read as it is.
   */
  const whereIs = async (puppetId: string | null, members: readonly Backend[], via: string, visible: Backends) => {
    const id = puppetId === null ? null : deps.aliases.puppets.read(puppetId, visible)
    const asked = id && (id.home === null || id.home === via) ? members : []
    const all = await Promise.all(
      asked.map(async (one) => {
        const native = id?.on(one)
        return typeof native === 'string' ? [{ one, has: await hasPuppet(one, native) }] : []
      }),
    )
    const best = all.flat().some(({ has }) => has) ? true : null
    const of = (is: (has: boolean | null) => boolean) =>
      new Set(all.flat().flatMap(({ one, has }) => (is(has) ? one : [])))
    return { without: of((has) => has !== best), unknown: of((has) => has === null) }
  }

  const chosenBy = async (
    wish: Wish,
    from: Source,
    visible: Backends,
    portraitOf: PortraitOf,
    rule: Ruled | null,
  ): Promise<Chosen> => {
    const first = routed(wish, from, visible, rule)
    // Only of the pool that it is for: a list that is read for nothing costs a request.
    const members = visible.has(first.via) ? [] : namedBy(first.via, visible)
    const { without, unknown } = await whereIs(wish.input.puppet_id, members, first.via, visible)
    const to = without.size === 0 ? first : routed(wish, from, visible, rule, (backend) => without.has(backend))
    const { backend, note, via, others } = to
    const sides = note.chosen_by === 'rule' ? (rule?.backends ?? []) : []
    const beyond = sides.slice(sides.indexOf(via) + 1)
    const planned = await order(wish, to, from, portraitOf)
    const alike = to.isOfPool ? namedBy(via, visible).filter((one) => one !== backend) : []
    const perhaps = members.filter(
      (one) => one !== backend && !without.has(one) && (from.kind === 'external' || unknown.has(one)),
    )
    const { puppetId } = planned.order
    const canMove =
      puppetId === null || (await Promise.all(alike.map((one) => hasPuppet(one, puppetId)))).every((has) => has)
    const pool = to.isOfPool && canMove ? via : null
    const names = (some: readonly Backend[]): string[] => some.map(({ name }) => name)
    const siblings = pool === null ? [] : names(alike.filter(({ drain }) => !drain))
    return { backend, note, via, pool, siblings, perhaps: names(perhaps), others, beyond, ...planned }
  }

  /**
   * Who else makes what the backend behind a surface has no capability for, in the order of routing: audio; and an image
   * that another one lists with a puppet.
   */
  const besides = async ({ input, backend }: Wish, from: Source, visible: Backends, first: string) => {
    const able: string[] = []
    for (const name of backend === null ? inOrder(visible, deps.settings.defaultBackend) : []) {
      const other = namedBy(name, visible).find(({ drain }) => !drain)
      if (!other || name === first) continue
      const isTheirs = async (imageUrl: string): Promise<boolean> =>
        other.account.adapter.capabilities.image_url && (await pictured(deps.lists, other, imageUrl)) !== null
      const isAble =
        from.kind === 'text'
          ? input.image_url !== null && (await isTheirs(input.image_url).catch(() => false))
          : canTake(other, audioOf(from))
      if (isAble) able.push(name)
    }
    return able
  }

  return {
    source,
    route: routed,
    order,

    /**
     * Chooses the backend, and what it is asked for. If a side of a split cannot take the request, or does not list what
     * it names, the other side takes it. On a drop-in surface, another backend does. Throws as `route` and `order` for
     * the backend that was tried first.
     */
    async choose(wish: Wish, asker: Asker, from: Source, portraitOf: PortraitOf): Promise<Chosen> {
      const { client, visible, surface, metadata } = asker
      const facts = { client, surface, source: from.kind === 'text' ? 'text' : 'audio', metadata } as const
      const rule = ruled(deps.rules, facts, deps.weightOf, (name) => namedBy(name, visible).length > 0)
      const lackOf = async (one: Chosen): Promise<string | null> => {
        const field = one.note.chosen_by === 'rule' ? await lackedField(deps.lists, one) : null
        return field && lacking(field)
      }
      const tried = await chosenBy(wish, from, visible, portraitOf, rule).then(
        async (chosen) => ({ chosen, reason: chosen.beyond.length > 0 ? await lackOf(chosen) : null }),
        (error: unknown) => ({ error, reason: whyNot(error), chosen: null }),
      )
      const first = tried.chosen?.via ?? rule?.backends[0] ?? wish.defaultBackend
      if (tried.reason !== null && first !== null) {
        const passed = [{ backend: first, verdict: 'passed_over', reason: tried.reason } as const]
        const others = tried.chosen?.beyond ?? rule?.backends.slice(1) ?? (await besides(wish, from, visible, first))
        for (const other of others) {
          const left = rule && { ...rule, backends: [other] }
          const there = rule ? wish : { ...wish, defaultBackend: other }
          const chosen = await chosenBy(there, from, visible, portraitOf, left).catch(() => null)
          // What nobody has is the first one's to refuse.
          if (chosen && (await lackOf(chosen)) === null) return { ...chosen, note: withPassed(chosen.note, passed) }
        }
      }
      if (tried.chosen === null) throw tried.error
      return tried.chosen
    },

    /** The same on a backend that stands in for the chosen one; null where that cannot take it. */
    async standIn(
      wish: Wish,
      { visible }: Pick<Asker, 'visible'>,
      from: Source,
      portraitOf: PortraitOf,
      name: string,
    ): Promise<Chosen | null> {
      if (!namedBy(name, visible).some(({ drain }) => !drain)) return null
      const there = { ...wish, backend: name }
      return chosenBy(there, from, visible, portraitOf, null).catch((error: unknown) => {
        if (error instanceof Problem) return null
        throw error
      })
    },
  }
}
export type Plan = ReturnType<typeof createPlan>

/** `isGone`: a definite refusal left nothing behind. Otherwise its record could not be deleted yet. */
export type Sent<T> = { kind: 'created'; created: T } | { kind: 'refused'; problem: BackendProblem; isGone: boolean }

interface Attempts<T> {
  input: VideoInput
  priority: Priority
  chosen: Chosen
  /** The same on another backend; null: that cannot take it. */
  standIn: (backend: string) => Promise<Chosen | null>
  /** Stores it and sends it once. Throws where it is not even stored. */
  send: (chosen: Chosen, otherwise: Otherwise) => Promise<Sent<T>>
}

interface Refused {
  kind: 'refused'
  backend: Chosen['backend']
  problem: BackendProblem
}

const thrown = ({ backend, problem }: Omit<Refused, 'kind'>, input: VideoInput): Error => {
  const param = faultyField(problem, input)
  return problemOf(problem, backend, param === null ? {} : { param })
}

/** What the backend says that it does not have, in words; null: the refusal is about something else. */
const lackOf = ({ code }: Pick<BackendProblem, 'code'>): string | null => {
  const param = LACKED[code]
  return param === undefined ? null : lacking(param)
}

/** A name that is tried, and for which reasons the next one is. */
interface Attempt {
  name: string
  on: readonly FailoverReason[]
  isMember: boolean
}

/**
 * Tries the chosen backend, the other members of its pool, and those that stand in for it, where it cannot take the
 * create and surely did not. A doubt is taken, as far as this goes. Where all refuse, what the chosen one says counts:
 * it is answered, or the video waits for it. Of a pool, it waits at the first member that it can wait for.
 */
export const createElsewhere =
  ({ policy, standing }: { policy: FailoverPolicy; standing: Standing }) =>
  async <T>({ input, priority, chosen, standIn, send }: Attempts<T>): Promise<T> => {
    const { name } = chosen.backend
    const passed: RoutingNote['considered'] = chosen.note.considered.filter(({ verdict }) => verdict !== 'chosen')
    const noted = (one: Chosen, isMember: boolean): Chosen => {
      const to = { backend: one.backend.name, verdict: 'chosen', reason: null } as const
      // What stands in is no outcome of a rule: a split is judged by what it decided.
      const by = isMember ? chosen.note : ({ chosen_by: 'failover', rule: null, pool: one.note.pool } as const)
      return { ...one, note: { ...by, considered: [...passed, to] } }
    }
    const pass = (backend: string, reason: string): void =>
      void passed.push({ backend, verdict: 'passed_over', reason })

    /** Any member makes what the pool was chosen for. */
    const member = async (sibling: string): Promise<Chosen | null> => {
      const one = await standIn(sibling)
      const siblings = [name, ...chosen.siblings].filter((other) => other !== sibling)
      return (
        one && { ...one, via: chosen.via, pool: chosen.pool, siblings, perhaps: chosen.perhaps, beyond: chosen.beyond }
      )
    }

    type Tried = Extract<Sent<T>, { kind: 'created' }> | Refused | { kind: 'passed'; reason: FailoverReason | 'paused' }
    const tryOn = async (one: Chosen, { on, isMember }: Attempt): Promise<Tried> => {
      // Of several reasons, one for which it may be made elsewhere counts.
      const reasons = await standing(one.backend, priority)
      const isIn = (some: readonly FailoverReason[]) => (why: FailoverReason | 'paused') =>
        why === 'paused' || some.includes(why)
      const reason = reasons.find(isIn(policy.on)) ?? reasons.find(isIn(on))
      if (reason !== undefined) {
        pass(one.backend.name, reason)
        return { kind: 'passed', reason }
      }
      const sent = await send(noted(one, isMember), { movesOn: on, waitsWhenDown: false })
      if (sent.kind === 'created') return sent
      // If this process dies before the record is deleted, the next one takes it for a doubt and sends it again.
      if (!sent.isGone) throw thrown({ backend: one.backend, problem: sent.problem }, input)
      pass(one.backend.name, reasonOf(sent.problem) ?? lackOf(sent.problem) ?? sent.problem.code)
      return { kind: 'refused', problem: sent.problem, backend: one.backend }
    }

    /**
     * On another member that may have it, or another side of the split. Throws the refusal if it is about something else,
     * or if they refuse, too.
     */
    const beyond = async (problem: BackendProblem): Promise<T> => {
      // Voices are the same for all members.
      const members = problem.code === 'voice_not_found' ? [] : chosen.perhaps
      for (const other of lackOf(problem) === null ? [] : [...members, ...chosen.beyond]) {
        const one = await standIn(other)
        const to = { backend: one?.backend.name ?? other, verdict: 'chosen', reason: null } as const
        const pool = one?.note.pool ?? null
        const sent = one && (await send({ ...one, note: { ...chosen.note, pool, considered: [...passed, to] } }, last))
        if (sent?.kind === 'created') return sent.created
        if (one && sent) {
          if (!sent.isGone) throw thrown({ backend: one.backend, problem: sent.problem }, input)
          pass(one.backend.name, lackOf(sent.problem) ?? sent.problem.code)
        }
      }
      throw thrown({ backend: chosen.backend, problem }, input)
    }

    const last: Otherwise = { movesOn: [], waitsWhenDown: policy.waitsWhenDown(name) }
    // What the request itself names, or has an id of, is where it goes.
    const isOpen = chosen.note.chosen_by === 'rule' || chosen.note.chosen_by === 'default'
    const configured = isOpen && Object.hasOwn(policy.standIns, chosen.via) ? (policy.standIns[chosen.via] ?? []) : []
    const isPaused = chosen.backend.account.paused.isPaused('creates')
    const standIns = new Set([...configured, ...(isPaused ? chosen.others : [])])
    const isAlone = chosen.siblings.length === 0
    const attempts: Attempt[] = [
      { name, on: isAlone ? policy.on : FAILOVER_REASONS, isMember: true },
      ...chosen.siblings.map((sibling) => ({ name: sibling, on: FAILOVER_REASONS, isMember: true })),
      ...[...standIns].map((other) => ({ name: other, on: policy.on, isMember: false })),
    ]
    let refused: Refused | null = null
    let rest: Chosen | null = null
    /** A member that fails for any other reason than those of the policy keeps the create in its pool. */
    let mayLeave = true
    for (const attempt of attempts.length === 1 ? [] : attempts) {
      if (!attempt.isMember && !mayLeave) break
      const isFirst = attempt.name === name
      const one = isFirst ? chosen : await (attempt.isMember ? member : standIn)(attempt.name)
      if (one === null) pass(attempt.name, 'cannot take the request')
      const tried = one && (await tryOn(one, attempt))
      if (tried?.kind === 'created') return tried.created
      const reason = tried?.kind === 'refused' ? reasonOf(tried.problem) : (tried?.reason ?? null)
      if (attempt.isMember && (reason === 'no_slot' || reason === 'no_budget')) rest ??= one
      const isOfPolicy = reason === null || reason === 'paused' || policy.on.includes(reason)
      if (attempt.isMember && !isOfPolicy) mayLeave = false
      if (!isFirst) continue
      refused = tried?.kind === 'refused' ? tried : null
      if (refused && !attempt.on.some((one) => one === reason)) return beyond(refused.problem)
    }
    // A slot and a window are waited for, and what is down may be.
    const reason = refused && reasonOf(refused.problem)
    const cannotWait = reason === 'no_credits' || (reason === 'down' && !last.waitsWhenDown)
    if (refused && cannotWait && rest === null) throw thrown(refused, input)
    const sent = await send(noted(rest ?? chosen, true), last)
    if (sent.kind === 'created') return sent.created
    if (!sent.isGone) throw thrown({ backend: chosen.backend, problem: sent.problem }, input)
    pass(name, lackOf(sent.problem) ?? sent.problem.code)
    return beyond(sent.problem)
  }
export type Elsewhere = ReturnType<typeof createElsewhere>

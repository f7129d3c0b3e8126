import { fieldProblem, noBackend, Problem } from '../../core/errors.ts'
import type { UploadRecord } from '../../core/uploads.ts'
import type { RoutingNote } from '../../core/video.ts'
import { createAliases, NO_ALIASES, type Aliases, type Reference } from './aliases.ts'
import type { Backend, Backends } from '../upstream/accounts.ts'
import type { Ruled } from '../routing/rules.ts'
import type { AudioParam } from './source.ts'

export interface RouteRequest {
  backend: string | null
  voiceId: string | null
  puppetId: string | null
  imageUrl: string | null
  /** The audio, and the field that named it. `upload`: an account has it already. Null: a video from text. */
  audio: { param: AudioParam; upload: Pick<UploadRecord, 'account' | 'backend'> | null } | null
}

export interface Routed {
  backend: Backend
  /** Native ids, as the backend calls them. At most one of the two portraits is set. */
  voiceId: string | null
  puppetId: string | null
  imageUrl: string | null
  note: RoutingNote
}

const conflict = (param: string, message: string): Problem => fieldProblem('invalid_request', param, message)

/** The default first, then the client's others in the order of the configuration. */
export const inOrder = (visible: Backends, defaultName: string): string[] =>
  [...visible.keys()].toSorted((a, b) => Number(b === defaultName) - Number(a === defaultName))

const refusal = ([first]: readonly string[]): Problem =>
  first === undefined
    ? new Problem('insufficient_scope', 'this client may use no backend of the configuration')
    : new Problem('backend_unavailable', `backend ${first} accepts no new videos, because it is being drained`, {
        backend: first,
      })

/** Under which name the client sees the account of an upload: that of its reservation, if it still exists. */
const placeOf = ({ account, backend }: Pick<UploadRecord, 'account' | 'backend'>, visible: Backends): string | null =>
  [...visible.keys()]
    .toSorted((a, b) => Number(b === backend) - Number(a === backend))
    .find((name) => visible.get(name)?.account.id === account) ?? null

const canTake = ({ account }: Backend, audio: RouteRequest['audio']): boolean =>
  audio === null || account.adapter.capabilities.audio_source

const isAble = (backend: Backend | undefined, audio: RouteRequest['audio']): boolean =>
  backend !== undefined && !backend.drain && canTake(backend, audio)

/**
 * Why a candidate is passed over; null: it is chosen. Where a rule leaves no choice, or the default does not drain, what
 * cannot take the audio is not passed over: the request is refused.
 */
const passedOver = (backend: Backend, isOnly: boolean, audio: RouteRequest['audio']): string | null => {
  if (backend.drain) return 'draining'
  return isOnly || canTake(backend, audio) ? null : 'cannot take audio'
}

/** The chosen candidate, and those that were passed over before it. */
const pick = (names: readonly string[], visible: Backends, audio: RouteRequest['audio'], isChoice: boolean) => {
  const passed: RoutingNote['considered'] = []
  const able = isChoice && names.some((name) => isAble(visible.get(name), audio))
  for (const [i, name] of names.entries()) {
    const backend = visible.get(name)
    const reason = backend && passedOver(backend, i === 0 && !able, audio)
    if (backend && reason === null) return { backend, passed }
    passed.push({ backend: name, verdict: 'passed_over', reason: reason ?? '' })
  }
  return null
}

const cannotTake = (backend: Backend, { param }: NonNullable<RouteRequest['audio']>, visible: Backends): Problem => {
  const able = [...visible.values()].filter((one) => !one.drain && one.account.adapter.capabilities.audio_source)
  const instead = able.length === 0 ? '' : `; these of your backends can: ${able.map(({ name }) => name).join(', ')}`
  const message = `backend ${backend.name} cannot make a video from ${param}${instead}`
  return fieldProblem('capability_not_supported', param, message, { backend: backend.name })
}

/** What a request names that an alias may stand for, by the field that names it. */
type References = readonly { param: 'voice_id' | 'puppet_id'; id: Reference | null }[]

const takesAll = (references: References, backend: Backend | undefined): boolean =>
  backend !== undefined && references.every(({ id }) => !id || id.alias === null || id.isOf(backend))

/** The only backend that an alias has an entry for, where a rule leads past it; null: none is, or no alias is named. */
const onlyAble = (references: References, visible: Backends, { backends }: Ruled): string | null => {
  const isAliased = references.some(({ id }) => typeof id?.alias === 'string')
  if (!isAliased || backends.some((name) => takesAll(references, visible.get(name)))) return null
  const [only = null, ...others] = [...visible.values()].filter((one) => takesAll(references, one))
  return only && others.length === 0 ? only.name : null
}

/** Backends in order of preference, without those that an alias has no entry for. */
const candidates = (references: References, visible: Backends, all: readonly string[]): readonly string[] => {
  const able = all.filter((name) => takesAll(references, visible.get(name)))
  const param = references.find(({ id }) => typeof id?.alias === 'string')?.param
  if (able.length > 0 || all.length === 0 || param === undefined) return able
  throw conflict(param, 'no backend that you may use has this alias and can make the rest of the request')
}

/** What it is called on the backend that makes the video. */
const resolved = ({ param, id }: References[number], backend: Backend, decidedBy: string | null) => {
  const entry = id ? id.on(backend) : null
  if (!id || entry !== null) return entry
  const what =
    id.alias === null ? `this id belongs to backend ${id.home ?? '?'}` : `alias ${id.alias} has no id for this backend`
  const goes = decidedBy === null ? 'the video goes to' : `${decidedBy} sends the video to`
  throw conflict(param, `${what}, but ${goes} ${backend.name}`)
}

const portraitOn = (
  imageUrl: string | null,
  puppet: References[number],
  backend: Backend,
  aliases: Aliases,
  decidedBy: string | null,
) => {
  const entry = resolved(puppet, backend, decidedBy)
  if (entry !== null) {
    return typeof entry === 'string'
      ? { puppetId: entry, imageUrl: null }
      : { puppetId: null, imageUrl: entry.image_url }
  }
  const saved =
    imageUrl === null || backend.account.adapter.capabilities.image_url
      ? null
      : aliases.puppets.savedImage(imageUrl, backend)
  return saved === null ? { puppetId: null, imageUrl } : { puppetId: saved, imageUrl: null }
}

/** The field that alone decides where the video goes, the first of them; null: none does. */
const deciding = (
  { backend, audio }: RouteRequest,
  voice: References[number],
  puppet: References[number],
  place: string | null,
): string | null => {
  if (backend !== null) return 'backend'
  const named = [voice, puppet].find(({ id }) => typeof id?.home === 'string')
  return named?.param ?? (place === null ? null : (audio?.param ?? null))
}

/** Throws `invalid_request` for a backend that the client does not have. */
export const knownBackend = (name: string, visible: Backends): Backend => {
  const backend = visible.get(name)
  if (!backend) throw conflict('backend', noBackend(name, visible.keys()))
  return backend
}

const WITHOUT = createAliases(NO_ALIASES)

/**
 * Chooses the backend: the request's own `backend`, else that of an id, an upload or an alias, else where a rule leads,
 * else the default. If an alias has no entry for it, the first of them that it has one for. `visible`: the client's, in
 * the order of the configuration. Throws `invalid_request` where the request contradicts itself or names a backend that
 * the client does not have, and `capability_not_supported` where that backend takes no audio. Pure.
 */
export const route = (
  request: RouteRequest,
  visible: Backends,
  defaultName: string,
  aliases: Aliases = WITHOUT,
  rule: Ruled | null = null,
): Routed => {
  const { audio, voiceId: voiceName, puppetId: puppetName } = request
  const voiceRef = voiceName === null ? null : aliases.voices.read(voiceName, visible)
  const puppetRef = puppetName === null ? null : aliases.puppets.read(puppetName, visible)
  const voice = { param: 'voice_id', id: voiceRef } as const
  const puppet = { param: 'puppet_id', id: puppetRef } as const
  const place = audio?.upload ? placeOf(audio.upload, visible) : null
  if (request.backend !== null) knownBackend(request.backend, visible)
  if (audio?.upload && place === null) {
    throw fieldProblem(
      'upload_not_found',
      audio.param,
      'this upload belongs to a backend that no longer exists: upload the audio again',
    )
  }
  const byAlias = rule && onlyAble([voice, puppet], visible, rule)
  const byId = voice.id?.home ?? puppet.id?.home ?? place ?? byAlias
  const wanted = request.backend ?? byId
  const preferred = rule?.backends ?? inOrder(visible, defaultName)
  const considered = wanted === null ? candidates([voice, puppet], visible, preferred) : [wanted]
  const picked = pick(considered, visible, audio, wanted === null && rule !== null)
  if (!picked) throw refusal(considered)
  const { backend, passed } = picked
  const { name } = backend
  const decidedBy = deciding(request, voice, puppet, place)
  const voiceId = resolved(voice, backend, decidedBy)
  const portrait = portraitOn(request.imageUrl, puppet, backend, aliases, decidedBy)
  // Two names of one account are one place.
  if (audio?.upload && backend.account.id !== audio.upload.account) {
    throw conflict(
      audio.param,
      `this upload belongs to backend ${place ?? '?'}, but ${decidedBy ?? 'the video'} ${decidedBy ? 'sends the video' : 'goes'} to ${name}`,
    )
  }
  if (audio && !canTake(backend, audio)) throw cannotTake(backend, audio, visible)
  const isNarrowed = wanted === null && considered[0] !== preferred[0]
  const isByRule = wanted === null && rule !== null
  return {
    backend,
    voiceId: typeof voiceId === 'string' ? voiceId : null,
    ...portrait,
    note: {
      chosen_by:
        request.backend !== null ? 'request' : isByRule ? 'rule' : byId !== null || isNarrowed ? 'id' : 'default',
      rule: isByRule ? rule.key : null,
      considered: [...passed, { backend: name, verdict: 'chosen', reason: null }],
    },
  }
}

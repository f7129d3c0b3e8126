import { allNames, type Backend, type Backends, namedBy } from '../upstream/accounts.ts'
import { type AudioCarrier, unsignedUrl, type UploadLookup, type UploadRecord } from '../../core/media.ts'
import { fieldProblem, noBackend, Problem } from '../../core/errors.ts'
import type { RoutingNote, VideoInput } from '../../core/video.ts'
import type { Ruled } from '../routing/rules.ts'

/** What an alias represents on one backend: a native id, or an image URL where no portrait is saved there. */
export type Entry = string | { readonly image_url: string }
type Group<E extends Entry = Entry> = Readonly<Record<string, E>>

/** As configured: a name, and what it is called on each backend. */
export interface AliasConfig {
  readonly voices: Readonly<Record<string, Group<string>>>
  readonly puppets: Readonly<Record<string, Group>>
}
export const NO_ALIASES: AliasConfig = { voices: {}, puppets: {} }

/** An id as a client may write it: `<backend or pool>:<native id>`, an alias, or a bare native id. */
export interface Reference {
  /** The backend or pool that the id itself names; null: none. */
  home: string | null
  alias: string | null
  /** Whether this backend can be asked for it. */
  isOf: (backend: Backend) => boolean
  /** What it is called there; null where the id is of another backend and no alias leads from one to the other. */
  on: (backend: Backend) => Entry | null
}

/**
 * `<backend>:<native id>`, where the part before the first colon names a backend or pool that the client sees; otherwise
 * it is native.
 */
export const parseId = (id: string, backends: Backends): { backend: string | null; native: string } => {
  const colon = id.indexOf(':')
  const name = id.slice(0, Math.max(colon, 0))
  return namedBy(name, backends).length > 0
    ? { backend: name, native: id.slice(colon + 1) }
    : { backend: null, native: id }
}

/** All names of the backend's account: what one of them has, all have. An entry of its pool is for each member. */
const namesOf = ({ name, account, pool }: Backend): string[] => [
  name,
  ...account.backends.filter((other) => other !== name),
  ...(pool ? [pool.name] : []),
]

const entryOn = (group: Group, backend: Backend): Entry | null => {
  const name = namesOf(backend).find((one) => Object.hasOwn(group, one))
  return name === undefined ? null : (group[name] ?? null)
}

/** One spelling of an image's URL. */
export const sameImage = (url: string): string => URL.parse(url)?.href ?? url

const tableOf = (configured: Readonly<Record<string, Group>>) => {
  const groups = new Map(Object.entries(configured))
  const byNative = new Map<string, Group[]>()
  const byImage = new Map<string, Group>()
  for (const group of groups.values()) {
    for (const entry of new Set(Object.values(group))) {
      if (typeof entry === 'string') byNative.set(entry, [...(byNative.get(entry) ?? []), group])
      else byImage.set(sameImage(entry.image_url), group)
    }
  }
  const linked = (native: string, backend: string): Group | undefined =>
    byNative.get(native)?.find((group) => Object.hasOwn(group, backend) && group[backend] === native)

  const ofAlias = (alias: string, group: Group): Reference => ({
    home: null,
    alias,
    isOf: (backend) => entryOn(group, backend) !== null,
    on: (backend) => entryOn(group, backend),
  })

  const qualified = (home: string, native: string, backends: Backends): Reference => {
    const accountId = backends.get(home)?.account.id
    const on = (backend: Backend): Entry | null => {
      if (backend.name === home || backend.account.id === accountId || backend.pool?.name === home) return native
      const group = linked(native, home)
      return group ? entryOn(group, backend) : null
    }
    return { home, alias: null, isOf: (backend) => on(backend) !== null, on }
  }

  /** A bare id belongs to the chosen backend. If an alias links it to another backend, it represents that alias. */
  const bare = (native: string): Reference => {
    const on = (backend: Backend): Entry => {
      const found = (byNative.get(native) ?? []).flatMap((group) => entryOn(group, backend) ?? [])
      const [only = native, ...others] = new Set(found)
      return others.length > 0 || found.includes(native) ? native : only
    }
    return { home: null, alias: null, isOf: () => true, on }
  }

  return {
    read(id: string, backends: Backends): Reference {
      const group = groups.get(id)
      if (group) return ofAlias(id, group)
      const { backend, native } = parseId(id, backends)
      return backend === null ? bare(native) : qualified(backend, native, backends)
    },
    /** What this backend's own things are called on others of these: each name, and what it represents here. */
    otherNames(backend: Backend, others: Backends): { name: string; alias: string; entry: Entry }[] {
      return [...groups].flatMap(([alias, group]) => {
        const entry = entryOn(group, backend)
        const names = [...others.values()].flatMap((other) => entryOn(group, other) ?? [])
        return [...new Set(names)].flatMap((name) =>
          entry === null || typeof name !== 'string' || bare(name).on(backend) !== entry
            ? []
            : [{ name, alias, entry }],
        )
      })
    },
    /** The saved portrait that an alias links an image to; null: none on this backend. */
    savedImage(imageUrl: string, backend: Backend): string | null {
      const group = byImage.get(sameImage(imageUrl))
      const entry = group ? entryOn(group, backend) : null
      return typeof entry === 'string' ? entry : null
    },
  }
}

/** Finds voices and portraits under whichever of their names a request uses. Pure; made once for each configuration. */
export const createAliases = ({ voices, puppets }: AliasConfig) => ({
  voices: tableOf(voices),
  puppets: tableOf(puppets),
})
export type Aliases = ReturnType<typeof createAliases>

/** What a video is spoken from, as far as it can be known before a backend is chosen. */
export type Source =
  | { kind: 'text'; text: string }
  /** The client's own upload, named by id or URL. Its backend is sent the latest signed URL of it. */
  | { kind: 'upload'; param: AudioParam; upload: UploadRecord }
  /** Hosted by the backend for somebody, or not at all: only the backend can tell. */
  | { kind: 'external'; param: 'audio_url'; audioUrl: string }

type AudioParam = 'audio_url' | 'upload_id'

/** Another client's upload is answered like none: on a shared account the backend would not tell them apart. */
const noUpload = (param: AudioParam): Problem =>
  fieldProblem('upload_not_found', param, 'you have no upload with this id')

/** What an `audio_url` is. Looked up once, for the idempotency key and for the source. Null: there is none. */
export const lookUpAudio = (uploads: UploadLookup, client: string, { audio_url: url }: VideoInput) =>
  url === null ? null : uploads.byUrl(client, url)
export type Known = Awaited<ReturnType<typeof lookUpAudio>>

/** The input as an idempotency key compares it: one hosted upload is one input, whatever signature its URL carries. */
export const comparable = (input: VideoInput, known: Known): VideoInput =>
  known?.kind === 'own' && input.audio_url !== null ? { ...input, audio_url: unsignedUrl(input.audio_url) } : input

/**
 * Throws `upload_not_found` for an upload that is not the client's, and 400 for plain http that no exception covers.
 */
export const sourceOf = async (
  { uploads, carrier }: { uploads: UploadLookup; carrier: Pick<AudioCarrier, 'fault'> },
  client: string,
  { text, audio_url: url, upload_id: uploadId }: VideoInput,
  known: Known,
): Promise<Source> => {
  if (text !== null) return { kind: 'text', text }
  if (uploadId !== null) {
    const upload = await uploads.byId(client, uploadId)
    if (!upload) throw noUpload('upload_id')
    return { kind: 'upload', param: 'upload_id', upload }
  }
  if (url === null) throw new Error('a video has a source: the request was checked')
  if (known?.kind === 'foreign') throw noUpload('audio_url')
  if (known?.kind === 'own') return { kind: 'upload', param: 'audio_url', upload: known.upload }
  if (new URL(url).protocol !== 'https:' && carrier.fault(url) !== null) {
    throw fieldProblem('invalid_request', 'audio_url', 'audio_url must be an https URL')
  }
  return { kind: 'external', param: 'audio_url', audioUrl: url }
}

/** What goes to the backend. */
export const audioUrlOf = (source: Source): string | null => {
  switch (source.kind) {
    case 'text':
      return null
    case 'upload':
      // Its signature may have expired: the backend signs it again (primary contract, "Audio rules").
      return source.upload.audioUrl
    case 'external':
      return source.audioUrl
  }
}

/** What routing needs to know of it. */
export const audioOf = (source: Source) =>
  source.kind === 'text' ? null : { param: source.param, upload: source.kind === 'upload' ? source.upload : null }

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
  /** What led to the backend: its own name, or that of a pool. */
  via: string
  /** Whether any other member of the pool could make it as well. */
  isOfPool: boolean
  /** Names that it would have led to if this one were drained. */
  others: readonly string[]
  note: RoutingNote
}

const conflict = (param: string, message: string): Problem => fieldProblem('invalid_request', param, message)

/**
 * The default first, then the client's others in the order of the configuration. The name of a pool represents its members: see
 * `namedBy`.
 */
export const inOrder = (visible: Backends, defaultName: string): string[] => {
  const names = [...visible.values()].map(({ name, pool }) => pool?.name ?? name)
  return [...new Set(namedBy(defaultName, visible).length > 0 ? [defaultName, ...names] : names)]
}

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

export const canTake = ({ account }: Backend, audio: RouteRequest['audio']): boolean =>
  audio === null || account.adapter.capabilities.audio_source

const isAble = (backend: Backend, audio: RouteRequest['audio']): boolean => !backend.drain && canTake(backend, audio)

/**
 * Why a candidate is passed over; null: it is chosen. Where a rule leaves no choice, or the default does not drain,
 * what cannot take the audio is not passed over: the request is refused.
 */
const passedOver = (backend: Backend, isOnly: boolean, audio: RouteRequest['audio']): string | null => {
  if (backend.drain) return 'draining'
  return isOnly || canTake(backend, audio) ? null : 'cannot take audio'
}

interface Candidate {
  backend: Backend
  /** The name that it is considered under. */
  via: string
  isOfPool: boolean
}

/**
 * The backends that these names represent. Of a pool only members that have what the request names, as far as any has
 * it; then the video is of the pool only if all have the same.
 */
const expanded = (names: readonly string[], visible: Backends, entryOf: (backend: Backend) => string | null) => {
  const all = names.flatMap((via): Candidate[] => {
    const members = namedBy(via, visible)
    const pool = visible.has(via) ? null : (members[0]?.pool ?? null)
    const entries = members.map(entryOf)
    const isSame = entries[0] !== null && new Set(entries).size === 1
    const isOfPool = isSame && pool !== null && pool.members.every((name) => visible.has(name))
    const having = members.filter((_, n) => entries[n] !== null)
    return (having.length === 0 ? members : having).map((backend) => ({ backend, via, isOfPool }))
  })
  return all.filter(({ backend }, n) => all.findIndex((other) => other.backend === backend) === n)
}

/** The chosen candidate, and those that were passed over before it. */
const pick = (names: readonly Candidate[], audio: RouteRequest['audio'], isChoice: boolean) => {
  const passed: RoutingNote['considered'] = []
  const able = isChoice && names.some(({ backend }) => isAble(backend, audio))
  const [first] = names
  for (const one of names) {
    const reason = passedOver(one.backend, one.via === first?.via && !able, audio)
    if (reason === null) return { ...one, passed }
    passed.push({ backend: one.backend.name, verdict: 'passed_over', reason })
  }
  return null
}

const cannotTake = (backend: Backend, { param }: NonNullable<RouteRequest['audio']>, visible: Backends): Problem => {
  const able = [...visible.values()].filter((one) => !one.drain && one.account.adapter.capabilities.audio_source)
  const instead = able.length === 0 ? '' : `; these of your backends can: ${able.map(({ name }) => name).join(', ')}`
  const message = `backend ${backend.name} cannot make a video from ${param}${instead}`
  return fieldProblem('capability_not_supported', param, message, { backend: backend.name })
}

/** What a request names that an alias may represent, by the field that names it. */
type References = readonly { param: 'voice_id' | 'puppet_id'; id: Reference | null }[]

const takesAll = (references: References, backend: Backend): boolean =>
  references.every(({ id }) => !id || id.alias === null || id.isOf(backend))

/** The only backend that an alias has an entry for, where a rule leads past it; null: none is, or no alias is named. */
const onlyAble = (references: References, visible: Backends, { backends }: Ruled): string | null => {
  const isAliased = references.some(({ id }) => typeof id?.alias === 'string')
  const isTaken = (name: string): boolean => namedBy(name, visible).some((one) => takesAll(references, one))
  if (!isAliased || backends.some(isTaken)) return null
  const [only = null, ...others] = [...visible.values()].filter((one) => takesAll(references, one))
  return only && others.length === 0 ? only.name : null
}

/** Backends in order of preference, without those that an alias has no entry for. */
const candidates = (references: References, visible: Backends, all: readonly string[]): readonly string[] => {
  const able = all.filter((name) => namedBy(name, visible).some((one) => takesAll(references, one)))
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

/** The field that only decides where the video goes, the first of them; null: none does. */
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

/** Throws `invalid_request` for a name that represents no backend of the client's. Of a pool, the first member. */
export const knownBackend = (name: string, visible: Backends): Backend => {
  const [backend] = namedBy(name, visible)
  if (!backend) throw conflict('backend', noBackend(name, allNames(visible)))
  return backend
}

const WITHOUT = createAliases(NO_ALIASES)

/**
 * Chooses the backend: the request's own `backend`, else that of an id, an upload or an alias, else where a rule leads,
 * else the default. If an alias has no entry for it, the first of them that it has one for. `visible`: the client's, in
 * the order of the configuration, and of each pool's members in the order of preference. `lacksPuppet`: the member of a
 * pool does not have the puppet that is named by its bare id. Throws `invalid_request` where the request contradicts itself or names a backend that
 * the client does not have, and `capability_not_supported` where that backend takes no audio. Pure.
 */
export const route = (
  request: RouteRequest,
  visible: Backends,
  defaultName: string,
  aliases: Aliases = WITHOUT,
  rule: Ruled | null = null,
  lacksPuppet: (backend: Backend) => boolean = () => false,
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
  /** What the request names, as this backend calls it; null: it does not have it. */
  const entryOf = (one: Backend): string | null => {
    const entries = [voiceRef, puppetRef].flatMap((id) => (id ? [id.on(one)] : []))
    const isElsewhere = audio?.upload && one.account.id !== audio.upload.account
    return isElsewhere || entries.includes(null) || lacksPuppet(one) ? null : JSON.stringify(entries)
  }
  const picked = pick(expanded(considered, visible, entryOf), audio, wanted === null && rule !== null)
  if (!picked) throw refusal(considered)
  const { backend, passed, via, isOfPool } = picked
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
    via,
    isOfPool,
    others: considered.slice(considered.indexOf(via) + 1),
    note: {
      chosen_by:
        request.backend !== null ? 'request' : isByRule ? 'rule' : byId !== null || isNarrowed ? 'id' : 'default',
      rule: isByRule ? rule.key : null,
      pool: backend.pool?.name ?? null,
      considered: [...passed, { backend: name, verdict: 'chosen', reason: null }],
    },
  }
}

import { Problem } from '../core/errors.ts'
import type { UploadRecord } from '../core/uploads.ts'
import type { RoutingNote } from '../core/video.ts'
import type { Backend, Backends } from './backends.ts'
import type { AudioParam } from './source.ts'

export interface RouteRequest {
  backend: string | null
  voiceId: string | null
  puppetId: string | null
  /** Spoken audio, by the field that names it; `upload`: it lies on that account already. Null: a video from text. */
  audio: { param: AudioParam; upload: Pick<UploadRecord, 'account' | 'backend'> | null } | null
}

export interface Routed {
  backend: Backend
  /** Native ids: what the backend calls them. */
  voiceId: string | null
  puppetId: string | null
  note: RoutingNote
}

/** `<backend>:<native id>`, where the part before the first colon names a backend that the client sees; else it is native. */
export const parseId = (id: string, backends: Backends): { backend: string | null; native: string } => {
  const colon = id.indexOf(':')
  const name = id.slice(0, Math.max(colon, 0))
  return backends.has(name) ? { backend: name, native: id.slice(colon + 1) } : { backend: null, native: id }
}

const conflict = (param: string, message: string): Problem =>
  new Problem('invalid_request', message, { param, errors: [{ path: param, message }] })

/** The default first, then the client's others in the order of the configuration. */
export const inOrder = (visible: Backends, defaultName: string): string[] =>
  [...visible.keys()].toSorted((a, b) => Number(b === defaultName) - Number(a === defaultName))

const refusal = ([first]: readonly string[]): Problem =>
  first === undefined
    ? new Problem('insufficient_scope', 'this client has no backend')
    : new Problem('backend_unavailable', `backend ${first} takes no new videos: it is being drained`, {
        backend: first,
      })

/** The name under which the client sees the account that an upload lies on: the one it was made under, if it still is. */
const placeOf = ({ account, backend }: Pick<UploadRecord, 'account' | 'backend'>, visible: Backends): string | null =>
  [...visible.keys()]
    .toSorted((a, b) => Number(b === backend) - Number(a === backend))
    .find((name) => visible.get(name)?.account.id === account) ?? null

const canTake = ({ account }: Backend, audio: RouteRequest['audio']): boolean =>
  audio === null || account.adapter.capabilities.audio_source

/**
 * Why a backend that comes to mind is not the one; null: it is. Only where the first of them drains is there a choice:
 * one that cannot take the audio is then passed over, and else refused (design 6, "Order of decision").
 */
const passedOver = (backend: Backend, isFirst: boolean, audio: RouteRequest['audio']): string | null => {
  if (backend.drain) return 'draining'
  return isFirst || canTake(backend, audio) ? null : 'cannot take audio'
}

/** Which of them it is, and which were passed over before it. */
const pick = (names: readonly string[], visible: Backends, audio: RouteRequest['audio']) => {
  const passed: { backend: string; verdict: 'passed_over'; reason: string }[] = []
  for (const [i, name] of names.entries()) {
    const backend = visible.get(name)
    const reason = backend && passedOver(backend, i === 0, audio)
    if (backend && reason === null) return { backend, passed }
    passed.push({ backend: name, verdict: 'passed_over', reason: reason ?? '' })
  }
  return null
}

const cannotTake = (backend: Backend, { param }: NonNullable<RouteRequest['audio']>, visible: Backends): Problem => {
  const able = [...visible.values()].filter((one) => !one.drain && one.account.adapter.capabilities.audio_source)
  const instead = able.length === 0 ? '' : `; of yours, ${able.map(({ name }) => name).join(', ')} can`
  const message = `backend ${backend.name} cannot make a video from ${param}${instead}`
  return new Problem('capability_not_supported', message, {
    param,
    backend: backend.name,
    errors: [{ path: param, message }],
  })
}

/**
 * Who makes the video (design 6, "Routing"): the request's own `backend`, else the backend of a qualified id or of an
 * upload, else the default. `visible`: the client's backends, in the order of the configuration. Throws
 * `invalid_request` where the request contradicts itself or names a backend that the client does not have, and
 * `capability_not_supported` where that backend takes no audio. Pure.
 */
export const route = (request: RouteRequest, visible: Backends, defaultName: string): Routed => {
  const { audio } = request
  const voice = request.voiceId === null ? null : parseId(request.voiceId, visible)
  const puppet = request.puppetId === null ? null : parseId(request.puppetId, visible)
  const place = audio?.upload ? placeOf(audio.upload, visible) : null
  if (request.backend !== null && !visible.has(request.backend)) {
    throw conflict('backend', `there is no backend ${request.backend}`)
  }
  if (audio?.upload && place === null) {
    const message = 'the upload lies on a backend that is not there any more'
    throw new Problem('upload_not_found', message, { param: audio.param, errors: [{ path: audio.param, message }] })
  }
  const byId = voice?.backend ?? puppet?.backend ?? place
  const wanted = request.backend ?? byId
  const considered = wanted === null ? inOrder(visible, defaultName) : [wanted]
  const picked = pick(considered, visible, audio)
  if (!picked) throw refusal(considered)
  const { backend, passed } = picked
  const { name } = backend
  for (const [param, id] of Object.entries({ voice_id: voice, puppet_id: puppet })) {
    if (id?.backend && id.backend !== name)
      throw conflict(param, `this id is of backend ${id.backend}, the video goes to ${name}`)
  }
  // Two names of one account are one place.
  if (audio?.upload && backend.account.id !== audio.upload.account) {
    throw conflict(audio.param, `this upload is of backend ${place ?? '?'}, the video goes to ${name}`)
  }
  if (audio && !canTake(backend, audio)) throw cannotTake(backend, audio, visible)
  return {
    backend,
    voiceId: voice?.native ?? null,
    puppetId: puppet?.native ?? null,
    note: {
      chosen_by: request.backend !== null ? 'request' : byId !== null ? 'id' : 'default',
      considered: [...passed, { backend: name, verdict: 'chosen', reason: null }],
    },
  }
}

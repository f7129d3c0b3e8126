import { Problem } from '../core/errors.ts'
import type { RoutingNote } from '../core/video.ts'
import type { Backend, Backends } from './backends.ts'

export interface RouteRequest {
  backend: string | null
  voiceId: string | null
  puppetId: string | null
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

/**
 * Who makes the video (design 6, "Routing"): the request's own `backend`, else the backend of a qualified id, else the
 * default. `visible`: the client's backends, in the order of the configuration. Throws `invalid_request` where the
 * request contradicts itself or names a backend that the client does not have. Pure.
 */
export const route = (request: RouteRequest, visible: Backends, defaultName: string): Routed => {
  const voice = request.voiceId === null ? null : parseId(request.voiceId, visible)
  const puppet = request.puppetId === null ? null : parseId(request.puppetId, visible)
  if (request.backend !== null && !visible.has(request.backend)) {
    throw conflict('backend', `there is no backend ${request.backend}`)
  }
  const byId = voice?.backend ?? puppet?.backend ?? null
  const wanted = request.backend ?? byId
  const considered = wanted === null ? inOrder(visible, defaultName) : [wanted]
  const name = considered.find((one) => visible.get(one)?.drain === false)
  const backend = name === undefined ? undefined : visible.get(name)
  if (!backend || name === undefined) throw refusal(considered)
  for (const [param, id] of Object.entries({ voice_id: voice, puppet_id: puppet })) {
    if (id?.backend && id.backend !== name)
      throw conflict(param, `this id is of backend ${id.backend}, the video goes to ${name}`)
  }
  const passed = considered.slice(0, considered.indexOf(name))
  return {
    backend,
    voiceId: voice?.native ?? null,
    puppetId: puppet?.native ?? null,
    note: {
      chosen_by: request.backend !== null ? 'request' : byId !== null ? 'id' : 'default',
      considered: [
        ...passed.map((one) => ({ backend: one, verdict: 'passed_over' as const, reason: 'draining' })),
        { backend: name, verdict: 'chosen', reason: null },
      ],
    },
  }
}

import { fieldProblem, noBackend, Problem } from '../core/errors.ts'
import type { Capability } from '../core/vocabulary.ts'
import { inOrder, type Reference } from '../engine/create/route.ts'
import type { Backend, Backends } from '../engine/upstream/accounts.ts'

/** Who asks, and which backends it sees, in the order of the configuration. */
export interface Caller {
  client: string
  visible: Backends
}

export interface Wanted {
  capability: Capability
  /** In words: a backend cannot … */
  what: string
  /** A backend that the request names, itself or by an id, and in which field. */
  pin: { backend: string; param: string } | null
}

const notSupported = (message: string, param: string | null, backend?: string): Problem =>
  new Problem('capability_not_supported', message, {
    ...(param !== null && { param, errors: [{ path: param, message }] }),
    ...(backend !== undefined && { backend }),
  })

const draining = ({ name }: Backend): Problem =>
  new Problem('backend_unavailable', `backend ${name} accepts nothing new, because it is being drained`, {
    backend: name,
  })

const pinned = ({ capability, what, pin }: Wanted & { pin: object }, visible: Backends): Backend => {
  const backend = visible.get(pin.backend)
  if (!backend) throw fieldProblem('invalid_request', pin.param, noBackend(pin.backend, visible.keys()))
  if (!backend.account.adapter.capabilities[capability]) {
    throw notSupported(`backend ${backend.name} cannot ${what}`, pin.param, backend.name)
  }
  if (backend.drain) throw draining(backend)
  return backend
}

/**
 * Who does what is no video: the backend that the request names; else the default, or the first of the client's, that
 * can and is not being drained. Throws `invalid_request`, `capability_not_supported` or `backend_unavailable`. Pure.
 */
export const pick = (wanted: Wanted, visible: Backends, defaultName: string): Backend => {
  const { capability, what, pin } = wanted
  if (pin) return pinned({ ...wanted, pin }, visible)
  const able = inOrder(visible, defaultName).flatMap((name) => {
    const backend = visible.get(name)
    return backend?.account.adapter.capabilities[capability] ? [backend] : []
  })
  const open = able.filter(({ drain }) => !drain)
  // One whose key lacked the scope of late is asked where nobody else can be: that is how it is found to have it again.
  const found = open.find(({ account }) => !account.denied()?.includes(capability)) ?? open[0] ?? able[0]
  if (!found) throw notSupported(`none of your backends can ${what}`, null)
  if (found.drain) throw draining(found)
  return found
}

/** Whose an id is, and what it is called there: a bare one is of the default backend, or of the client's first. */
export const ownerOf = (
  { home, alias, on }: Reference,
  visible: Backends,
  defaultName: string,
): { backend: Backend; id: string } | null => {
  const names = home === null ? inOrder(visible, defaultName) : [home]
  for (const name of alias === null ? names.slice(0, 1) : names) {
    const backend = visible.get(name)
    const native = backend && on(backend)
    // An image that an alias names is no puppet of that backend.
    if (backend && typeof native === 'string' && native !== '') return { backend, id: native }
  }
  return null
}

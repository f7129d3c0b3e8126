import type { Surface } from '../../core/vocabulary.ts'
import { Problem } from '../../core/errors.ts'
import type { Backend, Backends } from '../../engine/index.ts'
import type { Client } from '../clients.ts'

/** A surface that speaks the contract of a backend's interface, which has the same name. */
export type Dropin = Exclude<Surface, 'unified'>
export const DROPINS = ['primary', 'alternate'] as const satisfies readonly Dropin[]

/** What is behind a drop-in surface for one client. */
export interface Behind {
  backend: Backend
  /** It speaks the surface's own contract: what it says can be carried over. */
  isSame: boolean
  /** That backend alone: what is asked for with it goes nowhere else. */
  only: Backends
}

export interface Routing {
  default: string
  dropin: Readonly<Record<Dropin, string | null>>
}

/**
 * The backend behind a surface: the one that `routing.dropin` names, else the default if it speaks the interface, else
 * the client's first that does, else the default or the client's first. Throws `insufficient_scope` without any. Pure.
 */
export const behind = (surface: Dropin, { visible }: Pick<Client, 'visible'>, routing: Routing): Behind => {
  const named = routing.dropin[surface]
  const preset = visible.get(routing.default)
  const backend =
    (named === null ? undefined : visible.get(named)) ??
    [preset, ...visible.values()].find((one) => one?.interface === surface) ??
    preset ??
    visible.values().next().value
  if (!backend) throw new Problem('insufficient_scope', 'this client may use no backend of the configuration')
  return { backend, isSame: backend.interface === surface, only: new Map([[backend.name, backend]]) }
}

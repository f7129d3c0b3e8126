import type { Surface } from '../../core/vocabulary.ts'
import type { Backend } from '../../engine/index.ts'
import type { Client } from '../clients.ts'

/** A surface that speaks the contract of a backend's interface, which has the same name. */
export type Dropin = Exclude<Surface, 'unified'>

export interface Routing {
  default: string
  dropin: Readonly<Record<Dropin, string | null>>
}

/**
 * The backend behind a surface: the one that `routing.dropin` names, else the default if it speaks the interface, else
 * the client's first that does, else the default or the client's first. Pure.
 */
export const backendBehind = (
  surface: Dropin,
  { visible }: Pick<Client, 'visible'>,
  routing: Routing,
): Backend | undefined => {
  const named = routing.dropin[surface]
  const preset = visible.get(routing.default)
  return (
    (named === null ? undefined : visible.get(named)) ??
    [preset, ...visible.values()].find((one) => one?.interface === surface) ??
    preset ??
    visible.values().next().value
  )
}

import type { Surface } from '../../core/vocabulary.ts'
import { type Backend, namedBy } from '../../engine/index.ts'
import type { Client } from '../clients.ts'

/** A surface that speaks the contract of a backend's interface, which has the same name. */
export type Dropin = Exclude<Surface, 'unified'>

export interface Routing {
  default: string
  dropin: Readonly<Record<Dropin, string | null>>
}

/**
 * What is behind a surface: what `routing.dropin` names, else the default if it speaks the interface, else the client's
 * first that does, else the default or the client's first. A backend, or a pool's members. Empty: nothing. Pure.
 */
export const backendsBehind = (
  surface: Dropin,
  { visible }: Pick<Client, 'visible'>,
  routing: Routing,
): { name: string; backends: readonly Backend[] } => {
  const named = (name: string | null) => ({ name: name ?? '', backends: name === null ? [] : namedBy(name, visible) })
  const underItsPool = (one: Backend | undefined) => named(one ? (one.pool?.name ?? one.name) : null)
  const [own, preset] = [named(routing.dropin[surface]), named(routing.default)]
  if (own.backends.length > 0) return own
  if (preset.backends[0]?.interface === surface) return preset
  const speaking = underItsPool([...visible.values()].find((one) => one.interface === surface))
  if (speaking.backends.length > 0) return speaking
  return preset.backends.length > 0 ? preset : underItsPool(visible.values().next().value)
}

import type { Actor, Replies } from './actor.ts'
import type { Chance } from './chance.ts'
import { textAt, type Ask, type Header } from './exchange.ts'
import type { LaneName } from './vocabulary.ts'

/** What a sequence is played with. */
export interface Script {
  readonly actor: Actor
  readonly chance: Chance
  /** Unique to this sequence: its keys and names. */
  readonly serial: string
}

/** Requests that build upon each other. */
export interface Sequence {
  readonly name: string
  readonly weight: number
  /** Needs an account of its own. */
  readonly isAlone: boolean
  /** The contract's slots and credits hold. */
  readonly isLimited: boolean
  /** The gateway has an account like the client's, with its rate; links to videos end soon. */
  readonly isReal: boolean
  /** Waits for a new window when one is used up. */
  readonly keepsRate: boolean
  readonly play: (script: Script) => Promise<void>
}

/** One that shares its stage with others. */
export const shared = (name: string, weight: number, play: Sequence['play']): Sequence => ({
  name,
  weight,
  isAlone: false,
  isLimited: false,
  isReal: false,
  keepsRate: true,
  play,
})

export const get = (path: string): Ask => ({ method: 'GET', path })

export const post = (path: string, body: object, key?: string): Ask => {
  const headers: Header[] = [['Content-Type', 'application/json']]
  if (key !== undefined) headers.push(['Idempotency-Key', key])
  return { method: 'POST', path, headers, body: JSON.stringify(body) }
}

/** A request under the text that each lane's own answer has at a path; none where it has no such text. */
export const following =
  (replies: Replies, path: readonly string[], ask: (found: string) => Ask) =>
  (lane: LaneName): Ask | null => {
    const found = textAt(replies[lane], ...path)
    return found === undefined ? null : ask(found)
  }

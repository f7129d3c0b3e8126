import type { Puppet, Voice } from '../core/adapter.ts'
import { Problem } from '../core/errors.ts'
import type { Backend } from '../engine/upstream/accounts.ts'
import type { Target } from './verdict.ts'

/** The ordinary catalogue: in memory already, or read once. */
export interface CatalogueReader {
  voices: (backend: string) => Promise<Voice[]>
  puppets: (backend: string) => Promise<Puppet[]>
}

export interface Side extends Target {
  /** The code of what kept any of it from being read. */
  problem: string | null
}

const byId = <T extends { id: string }>(items: readonly T[]): ReadonlyMap<string, T> =>
  new Map(items.map((item) => [item.id, item]))

/** What a backend has, as far as it can be had now. A backend that does not answer is no error here. */
export const readSide = async (backend: Backend, catalogue: CatalogueReader): Promise<Side> => {
  let problem: string | null = null
  const tried = async <T extends { id: string }>(reading: Promise<T[]>): Promise<ReadonlyMap<string, T> | null> => {
    try {
      return byId(await reading)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      problem = error.code
      return null
    }
  }
  // In turn: both are asked for out of one window.
  const voices = await tried(catalogue.voices(backend.name))
  const puppets = await tried(catalogue.puppets(backend.name))
  return { backend, voices, puppets, problem }
}

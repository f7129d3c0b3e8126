import { ALTERNATE_SEQUENCES } from './sequences-alternate.ts'
import { PRIMARY_SEQUENCES } from './sequences-primary.ts'
import type { Chance } from './chance.ts'
import type { Sequence } from './script.ts'
import type { Surface } from './vocabulary.ts'

export const SEQUENCES: Readonly<Record<Surface, readonly Sequence[]>> = {
  primary: PRIMARY_SEQUENCES,
  alternate: ALTERNATE_SEQUENCES,
}

/** One of the surface's sequences, by its weight. */
export const sequenceOf = (surface: Surface, chance: Chance): Sequence => {
  const all = SEQUENCES[surface]
  let left = chance.below(all.reduce((sum, { weight }) => sum + weight, 0))
  for (const sequence of all) {
    if (left < sequence.weight) return sequence
    left -= sequence.weight
  }
  throw new Error('no sequence')
}

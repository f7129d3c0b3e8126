import { ALTERNATE_SEQUENCES } from './sequences-alternate.ts'
import { PRIMARY_SEQUENCES } from './sequences-primary.ts'
import type { Chance } from './chance.ts'
import type { Sequence } from './script.ts'
import type { Surface } from './vocabulary.ts'

export const SEQUENCES: Readonly<Record<Surface, readonly Sequence[]>> = {
  primary: PRIMARY_SEQUENCES,
  alternate: ALTERNATE_SEQUENCES,
}

/** The sequence of this number: first each of them, then by weight. */
export const sequenceOf = (surface: Surface, chance: Chance, number: number): Sequence => {
  const all = SEQUENCES[surface]
  return all[number] ?? chance.weighted(all.map((one) => [one.weight, one] as const))
}

import { seededRandom } from '../fakes/random.ts'

/** Choices that a seed decides. */
export interface Chance {
  /** A whole number from 0, below `count`. */
  below(count: number): number
  pick<T>(items: readonly [T, ...T[]]): T
  pick<T>(items: readonly T[]): T
  /** Each as often as its weight says. */
  weighted<T>(items: readonly (readonly [weight: number, item: T])[]): T
  /** True with this probability. */
  happens(probability: number): boolean
}

/** Mixes the parts, so that neighbours have nothing in common. */
const mixed = (parts: readonly number[]): number =>
  parts.reduce((sum, part) => Math.imul(sum ^ part, 0x9e3779b1) ^ (sum >>> 15), 0x2545f491) | 0

export const createChance = (...seeds: readonly number[]): Chance => {
  const random = seededRandom(mixed(seeds))
  const below = (count: number): number => Math.floor(random() * count)
  const weighted = <T>(items: readonly (readonly [weight: number, item: T])[]): T => {
    let left = below(items.reduce((sum, [weight]) => sum + weight, 0))
    for (const [weight, item] of items) {
      if (left < weight) return item
      left -= weight
    }
    throw new Error('nothing to choose from')
  }
  return {
    below,
    weighted,
    pick<T>(items: readonly T[]): T {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('nothing to choose from')
      return item
    },
    happens: (probability) => random() < probability,
  }
}

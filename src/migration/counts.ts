/** Counts of whatever comes: at most `limit` different things, and all others together. */
export interface Top<T> {
  add(key: string, thing: () => T): void
  /** The most frequent first; of equals, the first that came. */
  list(): { thing: T; count: number }[]
  others(): number
}

export const createTop = <T>(limit: number): Top<T> => {
  const known = new Map<string, { thing: T; count: number }>()
  let others = 0
  return {
    add(key, thing) {
      const one = known.get(key)
      if (one) one.count += 1
      else if (known.size < limit) known.set(key, { thing: thing(), count: 1 })
      else others += 1
    },
    list: () => [...known.values()].toSorted((a, b) => b.count - a.count),
    others: () => others,
  }
}

export const keyOfKind = ({ code, field }: { code: string; field: string | null }): string => `${code}:${field ?? ''}`

/** A part of a whole, from 0 to 1; 0 of nothing. */
export const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

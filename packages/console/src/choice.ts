import { useEffect, useState } from 'preact/hooks'

/** One of a few that somebody prefers. Kept in the browser: it is no secret. The first is what nobody chose. */
export const createChoice = <T extends string>(name: string, options: readonly [T, ...T[]]) => {
  const hearers = new Set<() => void>()
  const now = (): T => options.find((option) => option === localStorage.getItem(name)) ?? options[0]
  const watch = (hear: () => void): (() => void) => {
    hearers.add(hear)
    return () => void hearers.delete(hear)
  }
  return {
    now,
    watch,
    next(): void {
      localStorage.setItem(name, options[(options.indexOf(now()) + 1) % options.length] ?? options[0])
      for (const hear of hearers) hear()
    },
    use(): T {
      const [chosen, setChosen] = useState(now())
      useEffect(() => watch(() => setChosen(now())), [])
      return chosen
    },
  }
}

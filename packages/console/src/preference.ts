import { useEffect, useState } from 'preact/hooks'
import { createSignal } from './signal.ts'

/** One of a few that somebody prefers. Kept in the browser: it is no secret. The first is what nobody chose. */
export const createPreference = <T extends string>(name: string, options: readonly [T, ...T[]]) => {
  const { tell, hear: watch } = createSignal()
  const now = (): T => options.find((option) => option === localStorage.getItem(name)) ?? options[0]
  return {
    now,
    watch,
    next(): void {
      localStorage.setItem(name, options[(options.indexOf(now()) + 1) % options.length] ?? options[0])
      tell()
    },
    use(): T {
      const [preferred, setPreferred] = useState(now())
      useEffect(() => watch(() => setPreferred(now())), [])
      return preferred
    },
  }
}

/** Edits (insert, delete, replace, swap two neighbours) that lead from `a` to `b`. */
const distance = (a: string, b: string): number => {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? Infinity) + 1 : Infinity
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}

/** `baseUrl`, `base-url` and `BASE_URL` are all `base_url` to a person. */
const folded = (word: string): string => word.toLowerCase().replace(/[-_]/g, '')

/** The candidate that `word` most likely meant, or null if none is within a third of its length. */
export const nearest = (word: string, candidates: readonly string[]): string | null => {
  const wanted = folded(word.slice(0, 64))
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: distance(wanted, folded(candidate)) }))
    .toSorted((a, b) => a.edits - b.edits)
  const best = ranked[0]
  return best && best.edits <= Math.max(1, Math.floor(wanted.length / 3)) ? best.candidate : null
}

export const didYouMean = (suggestion: string | null): string =>
  suggestion === null ? '' : `; did you mean \`${suggestion}\`?`

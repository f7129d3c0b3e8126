/** The operation's path, its ids as `{id}`; null: none has this path. */
export type RouteOf = (url: string) => string | null

interface Branch {
  named: Map<string, Branch>
  /** Below any word. */
  any: Branch | null
  path: string | null
}
const branch = (): Branch => ({ named: new Map(), any: null, path: null })

const put = (root: Branch, path: string): void => {
  let at = root
  for (const word of path.split('/')) {
    if (word.startsWith('{')) at = at.any ??= branch()
    else {
      const next = at.named.get(word) ?? branch()
      at.named.set(word, next)
      at = next
    }
  }
  at.path ??= path
}

const find = (at: Branch, words: readonly string[], from: number): string | null => {
  const word = words[from]
  if (word === undefined) return at.path
  const named = at.named.get(word)
  const found = named ? find(named, words, from + 1) : null
  return found ?? (at.any && word !== '' ? find(at.any, words, from + 1) : null)
}

/** Longer than any that there is: not worth cutting into words. */
const MAX_WORDS = 16

/** So that a request is named by what was asked for, and not by every path that a caller can think of. */
export const createRouteOf = (paths: Iterable<string>): RouteOf => {
  const root = branch()
  for (const path of paths) put(root, path)
  return (url) => {
    const words = url.split('?', 1)[0]?.split('/', MAX_WORDS + 1) ?? []
    return words.length > MAX_WORDS ? null : find(root, words, 0)
  }
}

import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'

export interface FileCache {
  /** The path of the file `name`, which `make` writes when it is not there. Calls for the same name share one making. */
  get(name: string, make: (path: string) => Promise<void>): Promise<string>
  close(): Promise<void>
}

interface Folder {
  readonly dir: string
  /** Names and sizes of the files, the least recently used first. */
  readonly files: LRUCache<string, number>
  /** Removals under way. */
  readonly leaving: Set<Promise<void>>
}

/**
 * Rendered files in a folder, at most `maxBytes` of them: the least recently used go first. `dir` null: a temporary
 * folder, removed on close.
 */
export const createFileCache = (dir: string | null, maxBytes: number): FileCache => {
  let opened: Promise<Folder> | undefined
  const making = new Map<string, Promise<string>>()
  const folder = (): Promise<Folder> => (opened ??= openFolder(dir, maxBytes))

  const fetched = async (name: string, make: (path: string) => Promise<void>): Promise<string> => {
    const { dir: root, files, leaving } = await folder()
    const path = join(root, name)
    // Somebody may have cleared the folder: the file itself decides.
    if (files.get(name) !== undefined && (await sizeOf(path)) !== null) return path
    await make(path)
    // A file larger than the bound alone is kept until the next: it is about to be sent.
    files.set(name, Math.min(maxBytes, Math.max(1, (await sizeOf(path)) ?? 1)))
    await Promise.all(leaving)
    return path
  }
  return {
    get(name, make) {
      const under = making.get(name)
      if (under) return under
      const started = fetched(name, make).finally(() => making.delete(name))
      making.set(name, started)
      return started
    },
    async close() {
      await Promise.allSettled(making.values())
      if (dir === null && opened) await rm((await opened).dir, { recursive: true, force: true })
    },
  }
}

const sizeOf = async (path: string): Promise<number | null> => {
  try {
    return (await stat(path)).size
  } catch {
    return null
  }
}

const openFolder = async (given: string | null, maxBytes: number): Promise<Folder> => {
  const dir = given ?? (await mkdtemp(join(tmpdir(), 'talkbridge-sandbox-')))
  await mkdir(dir, { recursive: true })
  const leaving = new Set<Promise<void>>()
  const files = new LRUCache<string, number>({
    maxSize: maxBytes,
    sizeCalculation: (sizeBytes) => sizeBytes,
    // A file that cannot be removed (Windows, while it is sent) is found again at the next start.
    dispose: (_sizeBytes, name, reason) => {
      if (reason !== 'evict') return
      const left = rm(join(dir, name), { force: true })
        .catch(() => {})
        .finally(() => leaving.delete(left))
      leaving.add(left)
    },
  })
  const kept = await Promise.all((await readdir(dir)).map(async (name) => ({ name, ...(await seen(join(dir, name))) })))
  for (const { name, sizeBytes } of kept.toSorted((a, b) => a.atMs - b.atMs)) {
    if (/^[0-9a-f]+\.(mp4|wav)$/.test(name)) files.set(name, Math.min(maxBytes, Math.max(1, sizeBytes)))
    // What a killed process left half written.
    else if (name.endsWith('.part')) await rm(join(dir, name), { force: true })
  }
  return { dir, files, leaving }
}

const seen = async (path: string): Promise<{ sizeBytes: number; atMs: number }> => {
  const { size, mtimeMs } = await stat(path)
  return { sizeBytes: size, atMs: mtimeMs }
}

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, posix, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formOf, type Encoding, type Served } from '../served.ts'

/** Where a build puts the page: in a checkout `dist/console`, in a package beside the compiled code. */
export const BUILT = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../dist/console' : '../../console', import.meta.url),
)

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}
const PACKED: readonly (readonly [Encoding, string])[] = [
  ['identity', ''],
  ['gzip', '.gz'],
  ['br', '.br'],
]

/** Read at once: a build may replace the folder. */
const read = (path: string) => {
  const body = readFileSync(path)
  return formOf(() => body)
}

const servedAt = (path: string): Served => ({
  type: TYPES[extname(path)] ?? 'application/octet-stream',
  forms: new Map(
    PACKED.flatMap(([encoding, ending]) =>
      existsSync(path + ending) ? [[encoding, read(path + ending)] as const] : [],
    ),
  ),
})

const isPacked = (name: string): boolean => PACKED.some(([, ending]) => ending !== '' && name.endsWith(ending))

/** All of the page, by the path below the folder; null: there is none, since nobody built it. */
export const readFolder = (folder: string): ReadonlyMap<string, Served> | null => {
  if (!existsSync(join(folder, 'index.html'))) return null
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files.flatMap(({ parentPath, name }) => {
      // A map of the sources is for whoever debugs a build, not for everybody.
      if (isPacked(name) || name.endsWith('.map')) return []
      const path = join(parentPath, name)
      return [[relative(folder, path).split(sep).join(posix.sep), servedAt(path)] as const]
    }),
  )
}

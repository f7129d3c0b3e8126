import { execFile } from 'node:child_process'
import { copyFileSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)

export interface Installed {
  /** What `npm pack` made, in bytes. */
  packedBytes: number
  /** `node_modules` as `npm install` left it: blocks of the disk, folders included, as `du` counts. */
  diskBytes: number
  /** The same files without what is empty of their blocks. */
  contentBytes: number
  files: number
  /** The packages, with `talkbridge` among them. */
  packages: number
  /** The folder that it was installed in. */
  folder: string
}

const measured = (folder: string): Pick<Installed, 'diskBytes' | 'contentBytes' | 'files'> => {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  // One file that has two names counts once.
  const found = entries.map(({ parentPath, name }) => lstatSync(join(parentPath, name)))
  const stats = [...new Map(found.map((stat) => [stat.ino, stat])).values()]
  const files = stats.filter((stat) => stat.isFile())
  return {
    diskBytes: stats.reduce((sum, { blocks }) => sum + blocks * 512, 0),
    contentBytes: files.reduce((sum, { size }) => sum + size, 0),
    files: files.length,
  }
}

/** Where tools keep what they made. */
const CACHES = /^\.(cache|vite)/

/** What `npm ci` left of this checkout, in bytes of the disk. */
export const treeBytes = (): number => {
  const modules = join(ROOT, 'node_modules')
  const names = readdirSync(modules).filter(
    (name) => !CACHES.test(name) && lstatSync(join(modules, name)).isDirectory(),
  )
  return names.reduce((sum, name) => sum + measured(join(modules, name)).diskBytes, 0)
}

/** Builds and packs `source`, and installs it into `folder` as a user does: what npm brings when nothing else is said. */
export const install = async (folder: string, source: string = ROOT): Promise<Installed> => {
  const packs = join(folder, 'packed')
  const app = join(folder, 'app')
  for (const made of [packs, app]) mkdirSync(made, { recursive: true })
  await run('npm', ['pack', '--pack-destination', packs], { cwd: source, maxBuffer: 64 * 1024 * 1024 })
  const [tarball] = readdirSync(packs)
  if (tarball === undefined) throw new Error('npm packed nothing')
  writeFileSync(join(app, 'package.json'), '{"private":true}')
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  await run('npm', ['install', join(packs, tarball), ...quiet], { cwd: app })
  copyFileSync(join(import.meta.dirname, 'express.mjs'), join(app, 'express.mjs'))
  const modules = join(app, 'node_modules')
  const isPackage = (path: string): boolean => /(^|node_modules\/)(@[^/]+\/)?[^/@.][^/]*\/package\.json$/.test(path)
  return {
    packedBytes: lstatSync(join(packs, tarball)).size,
    ...measured(modules),
    packages: readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter(isPackage).length,
    folder: app,
  }
}

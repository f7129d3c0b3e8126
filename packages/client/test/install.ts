import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildClient } from '../../../scripts/build-client.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** All that `talkbridge/client` may load, however many packages an installation of the gateway brings. */
const PACKAGES = ['openapi-fetch', 'openapi-typescript-helpers', 'standardwebhooks']

export interface Installed {
  folder: string
  remove(): void
}

/** A project of somebody's that has `talkbridge/client`, and of its packages only those that it needs, and `others`. */
export const installClient = async (...others: readonly string[]): Promise<Installed> => {
  const folder = mkdtempSync(join(tmpdir(), 'talkbridge-client-'))
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'talkbridge'), { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(modules, 'talkbridge/package.json'))
  await buildClient(join(modules, 'talkbridge/dist/client'))
  for (const name of [...PACKAGES, ...others]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildClient } from '../../../scripts/build-client.ts'

const ROOT = join(import.meta.dirname, '../../..')
const CLIENT = join(ROOT, 'packages/client')

/** All that the client may load. */
const PACKAGES = ['standardwebhooks']

export interface Installed {
  folder: string
  remove(): void
}

/** A project of somebody's that has the client by both of its names, what it needs, `others`, and no other package. */
export const installClient = async (...others: readonly string[]): Promise<Installed> => {
  const folder = mkdtempSync(join(tmpdir(), 'talkbridge-client-'))
  const modules = join(folder, 'node_modules')
  const own = join(modules, '@talkbridge/client')
  const gateway = join(modules, 'talkbridge')
  for (const folder of [own, gateway]) mkdirSync(folder, { recursive: true })
  for (const name of ['package.json', 'README.md', 'LICENSE']) cpSync(join(CLIENT, name), join(own, name))
  await buildClient(join(own, 'dist'))
  cpSync(join(ROOT, 'package.json'), join(gateway, 'package.json'))
  cpSync(join(own, 'dist'), join(gateway, 'dist/client'), { recursive: true })
  for (const name of [...PACKAGES, ...others]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

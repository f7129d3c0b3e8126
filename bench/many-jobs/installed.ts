import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from '../../scripts/build.ts'

/** Where packages are found from: inside the repository. */
const FOLDER = join(import.meta.dirname, '../../bench-output/installed')

export interface Installed {
  /** What `talkbridge` starts. */
  main: string
  /** The URL of what is loaded before it. */
  meter: string
}

/** The gateway as it is installed: what strips types in a checkout takes 30 MB that nobody else has. */
export const installed = async (): Promise<Installed> => {
  await build(FOLDER, { 'bench-meter': join(import.meta.dirname, 'meter.ts') })
  return { main: join(FOLDER, 'main.js'), meter: pathToFileURL(join(FOLDER, 'bench-meter.js')).href }
}

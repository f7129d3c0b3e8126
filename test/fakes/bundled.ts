import { join } from 'node:path'

const CACHE = join(import.meta.dirname, '../../node_modules/.cache')
export const BUNDLES = join(CACHE, 'bundled')

/** What tests start in processes of its own, beside the command, by its path in the repository. */
export const ENTRIES = [
  'test/attacks/gateway-child.ts',
  'test/faults/sender-victim.ts',
  'test/faults/victim.ts',
] as const

export const nameOf = (path: string): string => path.replaceAll('/', '-').replace(/\.ts$/, '')

/**
 * The file of a module with all that it imports. Hundreds of processes are started only to die: loading a few files and
 * not a thousand takes a third of the time, and it is the same code.
 */
export const bundled = (path: (typeof ENTRIES)[number]): string => join(BUNDLES, `${nameOf(path)}.mjs`)

/** The command as `npm start` has it. */
export const COMMAND = join(CACHE, 'checkout/main.mjs')

import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

/** Under the packages, so that what is not bundled is found. */
const OUT = join(import.meta.dirname, '../../node_modules/.cache/victims')

const ownPlace = {
  name: 'what a module finds by its own place it finds by that of its source',
  transform: (code: string, id: string) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
}

const bundle = async (name: string): Promise<string> => {
  const input = join(import.meta.dirname, name)
  // What is loaded only where it is asked for would be loaded by all of them.
  const build = await rolldown({ input, platform: 'node', external: [/^node-av/, /tracing\/sdk/], plugins: [ownPlace] })
  const [{ code }] = (await build.generate({ format: 'esm', codeSplitting: false })).output
  mkdirSync(OUT, { recursive: true })
  // Whole at once: another file of this folder may be starting it.
  const file = join(OUT, name.replace(/\.ts$/, '.mjs'))
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, code)
  renameSync(draft, file)
  return file
}

const bundles = new Map<string, Promise<string>>()

/**
 * A module of this folder with all that it imports, as one file. Hundreds of processes are started only to die: loading
 * one file and not a thousand takes a third of the time, and it is the same code.
 */
export const bundled = (name: string): Promise<string> => {
  const known = bundles.get(name) ?? bundle(name)
  bundles.set(name, known)
  return known
}

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CliError, messageOf } from '../context.ts'

/** How far the forwarding of one client's events to one receiver has come. */
interface Position {
  readonly file: string
  /** null: nothing yet. */
  get(): string | null
  save(id: string): void
}

/** One for each gateway, key and receiver; tells nothing of the key. */
export const positionName = (gateway: string, key: string, forwardTo: string): string => {
  const name = createHash('sha256')
    .update(JSON.stringify([gateway, key, forwardTo]))
    .digest('hex')
  return `listen-${name.slice(0, 12)}.json`
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

const read = (file: string): string | null => {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const id: unknown = typeof stored === 'object' && stored !== null ? Reflect.get(stored, 'last_event_id') : null
    if (typeof id === 'string' && /^[\x21-\x7e]{1,500}$/.test(id)) return id
    throw new Error('it holds no last_event_id')
  } catch (error) {
    if (isMissing(error)) return null
    const message = `${file} cannot be read (${messageOf(error)}): delete it to start from now`
    throw new CliError(1, `talkbridge listen: ${message}`, { cause: error })
  }
}

/** Written whole or not at all. Throws a `CliError` on a file that is none of ours. */
export const openPosition = (file: string): Position => {
  let at = read(file)
  return {
    file,
    get: () => at,
    save(id) {
      if (id === at) return
      const draft = `${file}.${process.pid}.tmp`
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(draft, `${JSON.stringify({ last_event_id: id })}\n`)
      renameSync(draft, file)
      at = id
    },
  }
}

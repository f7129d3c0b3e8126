import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSecretKey, SECRET_KEY_BYTES } from './secrets.ts'
import type { RandomBytes } from './sign.ts'

export const KEY_FILE = 'secret.key'

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

const read = async (path: string): Promise<Buffer | null> => {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  })
  if (text === null) return null
  try {
    return parseSecretKey(text)
  } catch (cause) {
    // Never replaced: what was encrypted with the lost key would be lost with it.
    throw new Error(`${path} is damaged: restore it from a backup`, { cause })
  }
}

/** Makes the directory's entries durable; Windows has no such call and needs none. */
const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Gives `path` to whoever links first, whole and durable: there is no moment with half a key, or with two. */
const create = async (path: string, randomBytes: RandomBytes): Promise<void> => {
  const draft = `${path}.${randomBytes(8).toString('hex')}.tmp`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomBytes(SECRET_KEY_BYTES).toString('base64')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await link(draft, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await unlink(draft)
  }
}

/**
 * The secret key where `TALKBRIDGE_SECRET_KEY` gives none: `secret.key` beside the store, mode 0600, made at the first
 * start. Processes that race, and a crash at any point, end with one key. Rejects on I/O errors and on a file that
 * holds no key.
 */
export const loadOrCreateSecretKey = async (folder: string, randomBytes: RandomBytes): Promise<Buffer> => {
  const path = join(folder, KEY_FILE)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await read(path)) === null) await create(path, randomBytes)
  const key = await read(path)
  if (key === null) throw new Error(`${path} vanished while it was being made`)
  // Also after finding it: its maker may have died before it was durable, and we are about to depend on it.
  await syncFolder(folder)
  return key
}

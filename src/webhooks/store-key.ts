import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Store } from '../core/store/index.ts'
import { KEY_FILE, loadOrCreateSecretKey } from './key-file.ts'
import { createSecretBox, deriveKey, parseSecretKey, type SecretBox } from './secrets.ts'
import type { RandomBytes } from './sign.ts'

export const VARIABLE = 'TALKBRIDGE_SECRET_KEY'

/** Throws, naming the variable, unless it is a key. */
const secretKeyOf = (secretKey: string): Buffer => {
  try {
    return parseSecretKey(secretKey)
  } catch (cause) {
    throw new Error(`${VARIABLE}: ${cause instanceof Error ? cause.message : 'not a key'}`, { cause })
  }
}

const neededBecause =
  'is required with store.driver: postgres, the same for all replicas: each would make a key of its own. ' +
  'Make one with: openssl rand -base64 32 (for a store that was copied, take the content of its secret.key)'

/**
 * The key for all secrets in the store, and where it is from: the variable, else a file beside the store. Where other
 * processes use the store too, only the variable can give all of them the same key; throws without it. `hasKey`: whether
 * the store was written with a key. Then a missing file is a lost one, and no other is made in its place.
 */
export const masterKey = async (
  secretKey: string | null,
  store: { readonly driver: string; readonly path: string },
  hasKey: () => boolean,
  randomBytes: RandomBytes,
): Promise<{ key: Buffer; whence: string }> => {
  if (secretKey !== null) return { key: secretKeyOf(secretKey), whence: VARIABLE }
  if (store.driver === 'postgres') throw new Error(`${VARIABLE} ${neededBecause}`)
  const folder = dirname(store.path)
  const file = join(folder, KEY_FILE)
  if (!existsSync(file) && hasKey())
    throw new Error(
      `key_lost: there is no ${file}, and the store needs it: restore it from the backup, or set the key as ${VARIABLE}`,
    )
  return { key: await loadOrCreateSecretKey(folder, randomBytes), whence: file }
}

const CHECKED = { purpose: 'store_check', client: '' } as const

/** Whether this is the key that a store was written with, by what the store keeps as `secret_check`. */
export const fitsStore = (key: Buffer, kept: string): boolean => {
  const box = createSecretBox(deriveKey(key, 'box'), () => Buffer.alloc(0))
  try {
    box.open(CHECKED, kept)
    return true
  } catch {
    return false
  }
}

/** Throws if the store's secrets were encrypted with another key. */
export const verifySecretKey = async (store: Store, box: SecretBox, whence: string): Promise<void> => {
  const kept = await store.meta('secret_check', box.seal(CHECKED, 'talkbridge'))
  try {
    box.open(CHECKED, kept)
  } catch (cause) {
    throw new Error(`${whence} is not the key of this store: set the right key as ${VARIABLE}`, {
      cause,
    })
  }
}

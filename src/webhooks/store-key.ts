import { join } from 'node:path'
import type { Store } from '../core/store/index.ts'
import { KEY_FILE, loadOrCreateSecretKey } from './key-file.ts'
import { parseSecretKey, type SecretBox } from './secrets.ts'
import type { RandomBytes } from './sign.ts'

const VARIABLE = 'TALKBRIDGE_SECRET_KEY'

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
 * The key for all secrets in the store, and where it is from: the variable, else the file in `folder`. `folder` null:
 * other processes use the store too, and only the variable can give all of them the same key; throws without it.
 */
export const masterKey = async (
  secretKey: string | null,
  folder: string | null,
  randomBytes: RandomBytes,
): Promise<{ key: Buffer; whence: string }> => {
  if (secretKey !== null) return { key: secretKeyOf(secretKey), whence: VARIABLE }
  if (folder === null) throw new Error(`${VARIABLE} ${neededBecause}`)
  return { key: await loadOrCreateSecretKey(folder, randomBytes), whence: join(folder, KEY_FILE) }
}

/** Throws if the store's secrets were encrypted with another key. */
export const verifySecretKey = async (store: Store, box: SecretBox, whence: string): Promise<void> => {
  const owner = { purpose: 'store_check', client: '' } as const
  const kept = await store.meta('secret_check', box.seal(owner, 'talkbridge'))
  try {
    box.open(owner, kept)
  } catch (cause) {
    throw new Error(`${whence} is not the key that this store was written with: give that one as ${VARIABLE}`, {
      cause,
    })
  }
}

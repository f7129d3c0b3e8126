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

/** The key of everything secret in the store, and whence it is: the variable's own, else that of the file in `folder`. */
export const masterKey = async (
  secretKey: string | null,
  folder: string,
  randomBytes: RandomBytes,
): Promise<{ key: Buffer; whence: string }> => {
  if (secretKey !== null) return { key: secretKeyOf(secretKey), whence: VARIABLE }
  return { key: await loadOrCreateSecretKey(folder, randomBytes), whence: join(folder, KEY_FILE) }
}

/** Refuses to start with another key than the one that the store's secrets were encrypted with. */
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

import type { Store } from '../core/ports.ts'
import { parseSecretKey, type SecretBox } from './secrets.ts'

/** Throws, naming the variable, unless it is a key. */
export const secretKeyOf = (secretKey: string): Buffer => {
  try {
    return parseSecretKey(secretKey)
  } catch (cause) {
    throw new Error(`TALKBRIDGE_SECRET_KEY: ${cause instanceof Error ? cause.message : 'not a key'}`, { cause })
  }
}

/** Refuses to start with another key than the one that the store's secrets were encrypted with. */
export const verifySecretKey = async (store: Store, box: SecretBox): Promise<void> => {
  const owner = { purpose: 'store_check', client: '' } as const
  const kept = await store.meta('secret_check', box.seal(owner, 'talkbridge'))
  try {
    box.open(owner, kept)
  } catch (cause) {
    throw new Error('TALKBRIDGE_SECRET_KEY is not the key that this store was written with', { cause })
  }
}

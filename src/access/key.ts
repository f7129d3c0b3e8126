import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The text of issued keys: `tb_live_`, 43 characters that are 32 random bytes, and 6 that are the CRC-32 of all before. */

const PREFIX = 'tb_live_'
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KEY_BYTES = 32
/** 62 ** 43 > 2 ** 256, and 62 ** 6 > 2 ** 32. */
const BODY = 43
const SUM = 6

const base62 = (value: bigint, length: number): string => {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = `${DIGITS[Number(rest % 62n)] ?? ''}${text}`
  return text
}

const checksum = (text: string): string => base62(BigInt(crc32(text)), SUM)

/** A new key, the only time that it is seen. */
export const newKey = (randomBytes: (size: number) => Buffer): string => {
  const body = PREFIX + base62(BigInt(`0x${randomBytes(KEY_BYTES).toString('hex')}`), BODY)
  return body + checksum(body)
}

const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${BODY + SUM}}$`)

/** Whether this can be an issued key: a mistyped one is told from a real one without the store. */
export const isWellFormed = (key: string): boolean => FORM.test(key) && checksum(key.slice(0, -SUM)) === key.slice(-SUM)

/** What is kept of a key: 256 random bits need no salt and no slow hash. */
export const hashOf = (key: string): string => hash('sha256', key, 'base64url')

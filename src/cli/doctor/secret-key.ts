import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../../config.ts'
import { KEY_FILE } from '../../webhooks/key-file.ts'
import { parseSecretKey } from '../../webhooks/secrets.ts'
import { fitsStore, VARIABLE } from '../../webhooks/store-key.ts'
import type { Check, DoctorContext, StoreLook } from './context.ts'
import { codeOf, findings, wordsOf, type Finding, type Rows } from './findings.ts'

export const SECRET_KEY_ROWS = {
  key_ok: { level: 'ok', means: 'The secret key is the key of this store.', advice: null },
  key_new: { level: 'ok', means: 'There is no store yet, so any secret key is right.', advice: null },
  key_malformed: {
    level: 'fault',
    means: 'The secret key is not 32 bytes in base64.',
    advice: 'Restore the key of the store. For a new store, make a key: openssl rand -base64 32',
  },
  key_missing: {
    level: 'fault',
    means: '`TALKBRIDGE_SECRET_KEY` is not set. PostgreSQL needs it, with the same value for all replicas.',
    advice: 'Set TALKBRIDGE_SECRET_KEY. For a new store, make a key: openssl rand -base64 32',
  },
  key_lost: {
    level: 'fault',
    means: 'The store needs its secret key, but neither the variable nor the file beside the store has one.',
    advice: 'Restore `secret.key` from the backup, or set TALKBRIDGE_SECRET_KEY.',
  },
  key_other: {
    level: 'fault',
    means: 'The secret key is not the key of this store. The gateway refuses to start.',
    advice: 'Restore the key of this store: in TALKBRIDGE_SECRET_KEY, or as `secret.key`.',
  },
  key_unreadable: {
    level: 'fault',
    means: 'The file with the secret key cannot be read.',
    advice: 'Give the file to the user of the gateway.',
  },
  key_exposed: {
    level: 'warning',
    means: 'Other users of the machine can read the file with the secret key.',
    advice: 'Run chmod 600 on the file.',
  },
} as const satisfies Rows
const say = findings(SECRET_KEY_ROWS)

type Code = keyof typeof SECRET_KEY_ROWS

interface KeyLook {
  key: Buffer | null
  /** Why there is none; null: there is one, or none is needed yet. */
  fault: Code | null
  whence: string
  words: string
  isExposed: boolean
}

const OTHERS = 0o077

const read = (text: string, whence: string): KeyLook => {
  const look = { whence, isExposed: false, words: '' }
  try {
    return { ...look, key: parseSecretKey(text), fault: null }
  } catch (error) {
    return { ...look, key: null, fault: 'key_malformed', words: wordsOf(error, [text.trim()]) }
  }
}

/** The key that a gateway would start with, made by nobody. */
export const lookAtKey = ({ store }: Pick<Config, 'store'>, path: string, env: DoctorContext['env']): KeyLook => {
  const given = env[VARIABLE]
  if (given !== undefined) return read(given, VARIABLE)
  const none = { key: null, isExposed: false, words: '' }
  if (store.driver === 'postgres') return { ...none, fault: 'key_missing', whence: VARIABLE }
  const file = join(dirname(path), KEY_FILE)
  try {
    const isExposed = process.platform !== 'win32' && (statSync(file).mode & OTHERS) !== 0
    return { ...read(readFileSync(file, 'utf8'), file), isExposed }
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes(codeOf(error))
    return { ...none, fault: isMissing ? null : 'key_unreadable', whence: file, words: wordsOf(error) }
  }
}

const keptIn = ({ driver, facts }: StoreLook): string | null => {
  if (facts === null) return null
  return driver === 'sqlite' ? (facts.store?.secretCheck ?? null) : (facts.store?.secretCheck ?? null)
}

const keyFindings = ({ key, fault, whence, words, isExposed }: KeyLook, kept: string | null): Finding[] => {
  const exposed = isExposed ? [say('key_exposed', whence, 'its mode lets other users read it')] : []
  if (fault !== null) return [say(fault, whence, words || 'it is not set'), ...exposed]
  if (key === null)
    return kept === null
      ? [say('key_new', whence, 'the first start makes it')]
      : [say('key_lost', whence, 'there is none')]
  if (kept === null) return [say('key_new', whence, 'there is a key, and no store yet'), ...exposed]
  return [
    fitsStore(key, kept)
      ? say('key_ok', whence, 'it fits the store')
      : say('key_other', whence, 'it does not fit the store'),
    ...exposed,
  ]
}

/** Whether the gateway would start with its secret key. */
export const secretKeyCheck: Check = {
  name: 'secret key',
  async run({ config, env, store }) {
    const look = await store()
    return keyFindings(lookAtKey(config, look.path, env), keptIn(look))
  },
}

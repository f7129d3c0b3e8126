import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { KEY_FILE, loadOrCreateSecretKey } from '../../src/webhooks/secrets.ts'
import { seededBytes } from '../fakes/random.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talkbridge-key-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('makes a key at the first start, readable by its owner only, and keeps it', async () => {
  const data = join(folder, 'deep', 'data')
  const key = await loadOrCreateSecretKey(data, seededBytes(1))
  expect(key).toHaveLength(32)
  expect(await loadOrCreateSecretKey(data, seededBytes(2))).toEqual(key)
  const { mode } = await stat(join(data, KEY_FILE))
  expect(mode & 0o777).toBe(0o600)
  expect(await readFile(join(data, KEY_FILE), 'utf8')).toBe(`${key.toString('base64')}\n`)
  expect(await readdir(data)).toEqual([KEY_FILE])
})

test('many that start at once end with one key', async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, () => loadOrCreateSecretKey(folder, randomBytes)))
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
  expect(await readdir(folder)).toEqual([KEY_FILE])
})

test('a draft that a crash left behind is not taken for the key', async () => {
  await writeFile(join(folder, `${KEY_FILE}.0123456789abcdef.tmp`), 'half a ke')
  expect(await loadOrCreateSecretKey(folder, seededBytes(1))).toHaveLength(32)
})

test.each(['', 'half a ke', Buffer.alloc(31).toString('base64')])(
  'a damaged file is never replaced: %j',
  async (text) => {
    await writeFile(join(folder, KEY_FILE), text)
    await expect(loadOrCreateSecretKey(folder, seededBytes(1))).rejects.toThrow('secret.key is damaged: restore it')
    expect(await readFile(join(folder, KEY_FILE), 'utf8')).toBe(text)
  },
)

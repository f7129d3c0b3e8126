import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSqliteStore } from '../../src/stores/sqlite/index.ts'
import { openFault } from '../../src/stores/sqlite/ownership.ts'
import { openWaiting } from '../contract/store/helpers.ts'
import { openSqlite, type SqliteUnderTest } from './sqlite-file.ts'

const CHILD = fileURLToPath(new URL('./owner-child.ts', import.meta.url))

let current: SqliteUnderTest
beforeEach(async () => {
  current = await openSqlite()
})
afterEach(() => current.destroy())

describe('the owner’s lock', () => {
  const startChild = async (): Promise<{ child: ChildProcessWithoutNullStreams; said: string }> => {
    const child = spawn(process.execPath, [CHILD, current.path])
    child.stderr.resume()
    const [chunk] = await once(child.stdout, 'data')
    return { child, said: String(chunk).trim() }
  }

  test('refuses a second owner in this process, and says what to do', async () => {
    const { path, clock } = current
    await expect(openSqliteStore({ path, clock, owner: true })).rejects.toThrow(
      `another process serves ${path}: stop it first, or give this one a store.path of its own`,
    )
  })

  test('refuses a second owner in another process', async () => {
    const { child, said } = await startChild()
    if (child.exitCode === null) await once(child, 'exit')
    expect(said).toContain('another process serves')
  })

  test('is free when the owner closed', async () => {
    await expect(current.reopen().then((store) => store.ping())).resolves.toBeUndefined()
  })

  test('is free when the owner was killed, and what it wrote is there', async () => {
    await current.store.close()
    const { child, said } = await startChild()
    expect(said).toBe('owned')
    const { path, clock } = current
    await expect(openSqliteStore({ path, clock, owner: true })).rejects.toThrow('another process serves')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const store = await current.reopen()
    expect(await store.secrets({ kind: 'client', id: 'acme' }, 'ours')).toEqual(['written by the child'])
  })

  describe('nobody else can hold it', () => {
    const lockOf = (path: string) => `${path}.lock`

    test('its file is for the owner of the store alone, also one that an older version made for everybody', async () => {
      const { path, store } = current
      expect(statSync(lockOf(path)).mode & 0o777).toBe(0o600)
      await store.close()
      chmodSync(lockOf(path), 0o644)
      await current.reopen()
      expect(statSync(lockOf(path)).mode & 0o777).toBe(0o600)
    })

    test('a symbolic link in its place is refused: its lock is that of another file', async () => {
      const { path, store } = current
      await store.close()
      rmSync(lockOf(path))
      symlinkSync(`${path}.elsewhere`, lockOf(path))
      await expect(current.reopen()).rejects.toThrow(/\.lock is a symbolic link.*: remove it$/)
      expect(existsSync(`${path}.elsewhere`)).toBe(false)
    })

    test.runIf(process.getuid?.() === 0)('a file of another user is refused, and named', async () => {
      const { path, store } = current
      await store.close()
      chownSync(lockOf(path), 4_711, 4_711)
      await expect(current.reopen()).rejects.toThrow(
        `${lockOf(path)} belongs to another user (uid 4711): if no gateway of that user serves ${path}, remove it`,
      )
      // Where the whole store is that user's, it is nobody else's.
      chownSync(path, 4_711, 4_711)
      await current.reopen()
    })

    test('a second opening in the process that holds it frees it for no other', async () => {
      const { path, clock } = current
      await expect(openSqliteStore({ path, clock, owner: true })).rejects.toThrow('another process serves')
      const { child, said } = await startChild()
      if (child.exitCode === null) await once(child, 'exit')
      expect(said).toContain('another process serves')
    })
  })

  test('another handle reads and writes beside the owner', async () => {
    const other = await current.second()
    await openWaiting(other)
    expect(await current.store.video('vid_1')).toEqual(await other.video('vid_1'))
  })

  test('another fault of the side file is told as it is, not as an owner', async () => {
    const path = `${current.path}.other`
    writeFileSync(`${path}.lock`, 'this is no database and never was one '.repeat(20))
    const opening = openSqliteStore({ path, clock: current.clock, owner: true })
    await expect(opening).rejects.toThrow('file is not a database')
  })
})

test('a folder that this user may not write: the key, the path and what to do', () => {
  const denied = Object.assign(new Error("EACCES: permission denied, mkdir './data'"), {
    code: 'EACCES',
    syscall: 'mkdir',
  })
  expect(openFault('./data/talkbridge.db', denied)).toMatchObject({
    message:
      "store.path: cannot open ./data/talkbridge.db: EACCES: permission denied, mkdir './data': this user must be able to write the file and its folder; else name another store.path",
  })
})

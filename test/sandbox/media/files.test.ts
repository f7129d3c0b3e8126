import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createFileCache } from '../../../src/sandbox/media/files.ts'

const folder = async (): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), 'talkbridge-test-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  return dir
}

/** Writes sixty bytes and counts. */
const maker = () => {
  const made: string[] = []
  const make = async (path: string): Promise<void> => {
    made.push(path.slice(-6))
    await writeFile(path, Buffer.alloc(60))
  }
  return { made, make }
}

it('keeps the most recently used files within its bound', async () => {
  const dir = await folder()
  const cache = createFileCache(dir, 150)
  const { made, make } = maker()
  for (const name of ['aa.mp4', 'bb.mp4', 'aa.mp4', 'cc.mp4']) await cache.get(name, make)
  expect(made).toEqual(['aa.mp4', 'bb.mp4', 'cc.mp4'])
  expect((await readdir(dir)).toSorted()).toEqual(['aa.mp4', 'cc.mp4'])
  await cache.get('bb.mp4', make)
  expect((await readdir(dir)).toSorted()).toEqual(['bb.mp4', 'cc.mp4'])
})

it('makes a file once for those who ask at the same time, and again after a failure', async () => {
  const cache = createFileCache(await folder(), 1_000)
  const { made, make } = maker()
  const failing = () => Promise.reject(new Error('disk full'))
  const first = cache.get('aa.wav', failing)
  await expect(Promise.all([first, cache.get('aa.wav', make)])).rejects.toThrow('disk full')
  expect(made).toEqual([])
  const paths = await Promise.all([cache.get('aa.wav', make), cache.get('aa.wav', make)])
  expect([new Set(paths).size, made]).toEqual([1, ['aa.wav']])
})

it('finds its files after a restart, without the half-written', async () => {
  const dir = await folder()
  const { made, make } = maker()
  await createFileCache(dir, 1_000).get('aa.mp4', make)
  await writeFile(join(dir, 'bb.mp4.part'), 'half')
  await writeFile(join(dir, 'notes.txt'), 'not ours')
  const again = createFileCache(dir, 1_000)
  const path = await again.get('aa.mp4', make)
  expect(made).toEqual(['aa.mp4'])
  expect((await readdir(dir)).toSorted()).toEqual(['aa.mp4', 'notes.txt'])
  await rm(path)
  await again.get('aa.mp4', make)
  expect(made).toEqual(['aa.mp4', 'aa.mp4'])
  await again.close()
  expect(await readdir(dir)).toContain('aa.mp4')
})

it('takes a temporary folder with it', async () => {
  const cache = createFileCache(null, 1_000)
  const { make } = maker()
  const path = await cache.get('aa.mp4', make)
  await cache.close()
  await expect(readdir(join(path, '..'))).rejects.toThrow('ENOENT')
})

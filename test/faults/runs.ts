import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

const CACHE = 'NODE_COMPILE_CACHE'

/** For all tests of a file: processes start twice as fast when the compiled code of the one before is at hand. */
export const shareCompiledCode = (): void => {
  let dir = ''
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'talkbridge-compiled-'))
    process.env[CACHE] = dir
  })
  afterAll(() => {
    delete process.env[CACHE]
    rmSync(dir, { recursive: true, force: true })
  })
}

/** Runs all of them, `atOnce` at a time, and stops beginning more once `isEnough`. In order. */
export const inTurn = async <T>(
  { count, atOnce }: { count: number; atOnce: number },
  run: (index: number) => Promise<T>,
  isEnough: (done: T) => boolean = () => false,
): Promise<T[]> => {
  const runs: T[] = []
  let next = 0
  let enough = false
  const work = async (): Promise<void> => {
    while (next < count && !enough) {
      const index = next
      next += 1
      const done = await run(index)
      runs[index] = done
      enough ||= isEnough(done)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return runs
}

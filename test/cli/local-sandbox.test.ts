import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepPorts, startWhereItWas } from '../../src/cli/serve-sandbox.ts'
import type { Sandbox } from '@talkbridge/sandbox'
import { temporaryFolder } from './harness.ts'

const sandboxAt = (primary: number, alternate: number) =>
  ({ primaryUrl: `http://127.0.0.1:${primary}`, alternateUrl: `http://127.0.0.1:${alternate}` }) as Sandbox

/** Which ports are tried, where those of `taken` are in use. */
const triedIn = async (folder: string, taken: readonly number[] = []): Promise<number[][]> => {
  const tried: number[][] = []
  await startWhereItWas(folder, async ({ primaryPort, alternatePort }) => {
    tried.push([primaryPort, alternatePort])
    if (taken.includes(primaryPort)) throw Object.assign(new Error('in use'), { code: 'EADDRINUSE' })
    return sandboxAt(primaryPort, alternatePort)
  })
  return tried
}

test('the sandbox of npm start comes back where it was, or its open videos would belong to nobody', async () => {
  const folder = temporaryFolder()
  expect(await triedIn(folder)).toEqual([[4010, 4020]])
  expect(await triedIn(folder, [4010])).toEqual([
    [4010, 4020],
    [0, 0],
  ])
  keepPorts(folder, sandboxAt(40_001, 40_002))
  expect(await triedIn(folder)).toEqual([[40_001, 40_002]])
  expect(await triedIn(folder, [40_001])).toEqual([
    [40_001, 40_002],
    [4010, 4020],
  ])
})

test.each(['', '[]', '[1]', '{}', '["4010","4020"]'])('a file of ports that says nothing is none: %s', async (text) => {
  const folder = join(temporaryFolder(), 'sandbox')
  mkdirSync(folder)
  writeFileSync(join(folder, 'ports.json'), text)
  expect(await triedIn(folder)).toEqual([[4010, 4020]])
})

test('another fault is told as it is', async () => {
  const failing = startWhereItWas(temporaryFolder(), () => Promise.reject(new Error('no room')))
  await expect(failing).rejects.toThrow('no room')
})

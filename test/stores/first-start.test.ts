import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../fakes/folder.ts'

const CHILD = fileURLToPath(new URL('./first-start-child.ts', import.meta.url))

/** A process that owns what it is told to. */
const startChild = async () => {
  const child = spawn(process.execPath, [CHILD], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.signalCode === null && child.exitCode === null) await once(child, 'exit')
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const said = async (): Promise<string> => String((await lines.next()).value)
  expect(await said()).toBe('ready')
  return {
    own: (path: string): Promise<string> => {
      child.stdin.write(`${path}\n`)
      return said()
    },
  }
}

test('of two first starts at once on a new folder one has the store, and the other says plainly who', async () => {
  const folder = await temporaryFolder()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const children = await Promise.all([startChild(), startChild()])
  // Each round is a race, that may be lost at any step.
  for (let round = 0; round < 40; round += 1) {
    const path = join(folder, String(round), 'talkbridge.db')
    const said = await Promise.all(children.map(({ own }) => own(path)))
    expect(said.toSorted()).toEqual([
      `another process serves ${path}: stop it first, or give this one a store.path of its own`,
      'owned',
    ])
  }
})

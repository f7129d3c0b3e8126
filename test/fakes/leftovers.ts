import { afterAll, expect, vi } from 'vitest'
import { HANG_MS, until } from './until.ts'

/**
 * Loaded before each file. Many share one process, so none may leave anything that the next one would meet: a server that
 * listens, a process that runs, a variable, a clock that was stopped. Whoever does fails.
 */
const KINDS = ['TCPServerWrap', 'ProcessWrap']
const environment = { ...process.env }

const open = (): string[] => process.getActiveResourcesInfo().filter((kind) => KINDS.includes(kind))

afterAll(async () => {
  // What was closed or killed is gone a little later.
  await until(() => open().length === 0, HANG_MS / 2).catch(() => expect(open(), 'left open by this file').toEqual([]))
  expect({ ...process.env }, 'changed by this file').toEqual(environment)
  expect(vi.isFakeTimers(), 'a clock left stopped by this file').toBe(false)
})

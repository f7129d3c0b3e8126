import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { said } from '../said.ts'
import type { Counted, UpstreamSetup } from './upstream.ts'

export interface OpenUpstream {
  url: string
  /** What it counted since it was asked before. */
  count(): Promise<Counted>
  close(): Promise<void>
}

/** How long a first poll is waited for, by a machine that stands still. */
const FIRST_POLL_MS = 60_000

/** What it counts until there was a poll: at once where one came already. */
export const countedWithPoll = async ({ count }: OpenUpstream): Promise<Counted> => {
  const untilMs = performance.now() + FIRST_POLL_MS
  let all = await count()
  while (all.polls === 0 && performance.now() < untilMs) {
    await pause(20)
    const more = await count()
    all = { ...more, fullest: Math.max(all.fullest, more.fullest), refused: all.refused + more.refused }
  }
  return all
}

/** Starts the backend that answers at once, in a process of its own. */
export const openUpstream = async (setup: UpstreamSetup): Promise<OpenUpstream> => {
  const child = fork(new URL('./upstream.ts', import.meta.url), [JSON.stringify(setup)])
  const url = (await said(child)) as string
  return {
    url,
    async count() {
      const counted = said(child)
      child.send('count')
      return (await counted) as Counted
    },
    async close() {
      const exited = once(child, 'exit')
      child.disconnect()
      await exited
    },
  }
}

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { said } from '../said.ts'
import type { Counted, UpstreamSetup } from './upstream.ts'

export interface OpenUpstream {
  url: string
  /** What it counted since it was asked before. */
  count(): Promise<Counted>
  close(): Promise<void>
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

import { request } from 'undici'
import { iso, sleepUntil } from '../../core/time/clock.ts'
import { isOver } from '../jobs.ts'
import type { Job } from '../state.ts'
import { after, phaseNow, type World } from '../world.ts'
import { downloadUrl } from './view.ts'

const MAX_REPLY_BYTES = 65_536

/** One POST. Never throws: a refusal, a timeout or a broken connection is a line in the ledger. */
const post = async (
  world: World,
  url: string,
  body: string,
): Promise<{ status: number | null; error: string | null }> => {
  // Real time, not the sandbox's: the receiver is a real one, however fast the clock is made to run.
  const giveUp = AbortSignal.timeout(world.decisions.alternate.callbackTimeoutMs)
  const signal = AbortSignal.any([giveUp, world.closing])
  try {
    const headers = { 'content-type': 'application/json', 'user-agent': 'sandbox-alternate/1' }
    const reply = await request(url, { method: 'POST', headers, body, signal })
    await reply.body.dump({ limit: MAX_REPLY_BYTES, signal })
    return { status: reply.statusCode, error: null }
  } catch (cause) {
    return { status: null, error: cause instanceof Error ? cause.message : String(cause) }
  }
}

const payloadOf = (world: World, job: Job): string => {
  const completed = phaseNow(world, job).status === 'completed'
  return JSON.stringify(
    world.decisions.alternate.callback({
      id: job.id,
      completed,
      puppetId: job.puppetId ?? '',
      downloadUrl: completed ? downloadUrl(world, job, job.origin).url : null,
      endedAt: iso(job.endsAtMs ?? world.clock.now()),
    }),
  )
}

/** Sends one announcement, again once when it was not taken. */
const announce = async (world: World, job: Job, url: string): Promise<void> => {
  const { callbackTries, callbackRetryMs } = world.decisions.alternate
  const body = payloadOf(world, job)
  for (let attempt = 1; attempt <= callbackTries && !world.closing.aborted; attempt += 1) {
    if (attempt > 1) await sleepUntil(world.clock, after(world, callbackRetryMs), world.closing)
    const { status, error } = await post(world, url, body)
    const target = URL.parse(url)
    const shown = target ? `${target.origin}${target.pathname}` : ''
    world.ledger.callback({ at: iso(world.clock.now()), job_id: job.id, url: shown, try: attempt, status, error })
    if (status !== null && status >= 200 && status < 300) return
  }
}

/** Announces ended videos at their webhook_url (alternate, "Events"). */
export const createCallbacks = (world: World) => {
  const running = new Set<Promise<void>>()
  const run = async (job: Job): Promise<void> => {
    const { callback } = job
    if (!callback || job.endsAtMs === null) return
    await sleepUntil(world.clock, job.endsAtMs, world.closing)
    // Closing wakes the sleeper early: the callback stays owed, and a restart on the same data sends it.
    if (world.closing.aborted || !isOver(job, world.clock.now())) return
    const wanted = job.outcome === 'completed' || world.decisions.alternate.callbackOnFailure ? callback.owed : 0
    for (let sent = 0; sent < wanted; sent += 1) await announce(world, job, callback.url)
    if (!world.closing.aborted) world.state.jobs.put(job.id, { ...job, callback: { ...callback, settled: true } })
  }
  return {
    /** Waits for the end of the job; call it again for every unsettled job after a restart. */
    arm(job: Job): void {
      if (!job.callback || job.callback.settled) return
      const task = run(job).finally(() => running.delete(task))
      running.add(task)
    },
    /** Resolves when nothing is on its way any more; abort `world.closing` first. */
    idle: async (): Promise<void> => void (await Promise.allSettled(running)),
  }
}
export type Callbacks = ReturnType<typeof createCallbacks>

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSystemClock } from '../../../src/core/time/clock.ts'
import { startSandbox, virtualClock } from '../src/index.ts'
import { receiver } from './harness.ts'

const T0 = Date.parse('2026-11-20T10:00:00Z')

const started = async (options: { dataDir?: string; startMs?: number } = {}) => {
  const { dataDir = null, startMs = T0 } = options
  const sandbox = await startSandbox({ clock: virtualClock(startMs), speed: 1, dataDir })
  onTestFinished(() => sandbox.close())
  const post = (path: string, body: unknown) =>
    fetch(`${sandbox.alternateUrl}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${sandbox.alternateKey}` },
    })
  const now = async () => JSON.parse(await (await fetch(`${sandbox.primaryUrl}/sandbox/clock`)).text())
  return { sandbox, post, now, advance: (ms: unknown) => post('/sandbox/clock', { advance_ms: ms }) }
}

describe('POST /sandbox/clock', () => {
  it('moves time on, and what is due happens on the way', async () => {
    const { post, advance, now, sandbox } = await started()
    const hook = await receiver(200)
    await post('/v1/videos', { script: 'Hi', puppet_id: 'pup_ada', webhook_url: hook.url })
    expect(await now()).toEqual({ now: new Date(T0).toISOString(), virtual: true, speed: 1 })
    expect((await advance(10_000)).status).toBe(200)
    expect(hook.bodies).toEqual([])
    await advance(3_600_000)
    await expect.poll(() => sandbox.ledger().callbacks.map(({ status }) => status)).toEqual([200])
    expect(await now()).toMatchObject({ now: new Date(T0 + 3_610_000).toISOString() })
  })

  it('adds up when two move it at once', async () => {
    const { advance, now } = await started()
    await Promise.all([advance(1_000), advance(2_000), advance(0)])
    expect(await now()).toMatchObject({ now: new Date(T0 + 3_000).toISOString() })
  })

  it.each([-1, 1.5, 'x', undefined, 1e15])('refuses %s', async (ms) => {
    const { advance, now } = await started()
    expect((await advance(ms)).status).toBe(400)
    expect(await now()).toMatchObject({ now: new Date(T0).toISOString() })
  })

  it('goes on from where it was after a restart', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-'))
    onTestFinished(() => rm(dataDir, { recursive: true }))
    const first = await started({ dataDir })
    await first.advance(86_400_000)
    await first.sandbox.close()
    const second = await started({ dataDir, startMs: T0 + 5_000 })
    expect(await second.now()).toMatchObject({ now: new Date(T0 + 86_400_000).toISOString() })
  })

  it('does not move the real one', async () => {
    const sandbox = await startSandbox({ clock: createSystemClock() })
    onTestFinished(() => sandbox.close())
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(`${sandbox.primaryUrl}/sandbox/clock`, {
      method: 'POST',
      body: '{"advance_ms":1}',
      headers,
    })
    expect([reply.status, JSON.parse(await reply.text())]).toMatchObject([409, { error: 'real_clock' }])
  })
})

describe('virtualClock', () => {
  it('runs what is due in order, each at its time, also what that adds', async () => {
    const clock = virtualClock(0)
    const seen: string[] = []
    const note = (name: string) => () => void seen.push(`${name} ${clock.now()}`)
    clock.at(30, note('c'))
    clock.at(10, () => {
      note('a')()
      clock.at(20, note('b'))
    })
    const cancel = clock.at(15, note('never'))
    cancel()
    await clock.advance(25)
    expect(seen).toEqual(['a 10', 'b 20'])
    await clock.advance(5)
    expect(seen.at(-1)).toBe('c 30')
  })

  it('runs what is past without being moved', async () => {
    const clock = virtualClock(100)
    await new Promise<void>((resolve) => clock.at(50, resolve))
    expect(clock.now()).toBe(100)
  })
})

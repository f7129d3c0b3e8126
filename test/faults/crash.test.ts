import { describe, expect, it } from 'vitest'
import { crashRun, WHEN_TAKEN, type CrashRun } from './run.ts'

/** Runs at once: each is mostly waiting. */
const AT_ONCE = 4
/** A whole run has about this many boundaries; far fewer would mean that the count is broken. */
const AT_LEAST = { main: 20, alt: 20 } as const
const AT_MOST = 200

/** Kills at 1, 2, 3, … until a run lives through all of its boundaries: each number below was killed at. */
const killAtEach = async (backend: 'main' | 'alt'): Promise<{ killed: CrashRun[]; survivor: CrashRun }> => {
  const killed: CrashRun[] = []
  for (let next = 1; next <= AT_MOST; next += AT_ONCE) {
    const numbers = Array.from({ length: AT_ONCE }, (_, index) => next + index)
    const runs = await Promise.all(numbers.map((number) => crashRun(backend, number)))
    for (const run of runs) {
      if (!run.killed) return { killed, survivor: run }
      killed.push(run)
    }
  }
  throw new Error(`no run lived through ${AT_MOST} boundaries`)
}

describe('kill -9 at every write boundary between create and delivery', () => {
  it('primary: one job, one charge, one event id', { timeout: 400_000 }, async () => {
    const { killed, survivor } = await killAtEach('main')
    for (const run of [...killed, survivor]) {
      expect(run).toMatchObject({ status: 'completed', errorCode: null, webhookTypes: ['video.completed'] })
      expect(run.ledger.jobs).toHaveLength(1)
      expect(run.ledger.charges).toHaveLength(1)
      expect(run.webhookIds).toHaveLength(1)
    }
    expect(killed.length).toBeGreaterThanOrEqual(AT_LEAST.main)
    expect(survivor.boundaries).toBeGreaterThanOrEqual(AT_LEAST.main)
    expect(killed.some(({ toldBefore }) => toldBefore)).toBe(true)
    expect(killed.some(({ toldBefore }) => !toldBefore)).toBe(true)
  })

  it('alternate: one job or an honest create_outcome_unknown, one event id', { timeout: 400_000 }, async () => {
    const { killed, survivor } = await killAtEach('alt')
    for (const run of [...killed, survivor]) {
      expect(run.webhookIds).toHaveLength(1)
      expect(run.ledger.jobs.length).toBeLessThanOrEqual(1)
      if (run.status === 'completed') expect(run.ledger.jobs).toHaveLength(1)
      else expect(run).toMatchObject({ status: 'failed', errorCode: 'create_outcome_unknown' })
    }
    expect(survivor).toMatchObject({ status: 'completed', webhookTypes: ['video.completed'] })
    expect(killed.length).toBeGreaterThanOrEqual(AT_LEAST.alt)
    expect(killed.map(({ status }) => status)).toContain('completed')
    expect(killed.map(({ status }) => status)).toContain('failed')
    for (const run of killed) {
      if (run.doubts.some((detail) => detail.startsWith('a callback named'))) expect(run.status).toBe('completed')
    }
  })

  it.each(['main', 'alt'] as const)('%s: the create was taken and not answered yet: it is found', async (backend) => {
    const run = await crashRun(backend, WHEN_TAKEN)
    expect(run).toMatchObject({
      killed: true,
      toldBefore: false,
      status: 'completed',
      webhookTypes: ['video.completed'],
    })
    expect(run.ledger.jobs).toHaveLength(1)
    expect(run.webhookIds).toHaveLength(1)
    expect(run.doubts.some((detail) => detail.startsWith('a callback named'))).toBe(backend === 'alt')
  })
})

import { expect, onTestFinished, test } from 'vitest'
import { answer, startReceiver } from '../fakes/receiver.ts'
import { crashRun, type CrashRun } from './run.ts'

/** Runs at once: each is mostly waiting. */
const AT_ONCE = 4
/** Of the boundaries of a run, every so many is killed at. */
const STEP = 3
const AT_MOST = 200
/** Fetch, reservation, PUT and two creates, each with its store commits. */
const AT_LEAST = 40

test(
  'kill -9 while audio is brought to its backend: one job, one charge, one reservation',
  { timeout: 400_000 },
  async () => {
    const source = await startReceiver()
    onTestFinished(() => source.close())
    source.respond(answer(200, { 'content-type': 'audio/wav' }, `RIFF$${'\0'.repeat(3)}WAVE${'sound '.repeat(50)}`))
    const runs: CrashRun[] = []
    for (let next = 1; next <= AT_MOST && runs.every(({ killed }) => killed); next += AT_ONCE * STEP) {
      const numbers = Array.from({ length: AT_ONCE }, (_, index) => next + index * STEP)
      runs.push(...(await Promise.all(numbers.map((n) => crashRun('main', n, { audio_url: `${source.url}/a.wav` })))))
    }
    for (const { killed, status, errorCode, webhookIds, ledger } of runs) {
      expect(webhookIds).toHaveLength(1)
      const keys = ledger.requests.flatMap((one) =>
        one.operation === 'createHostedAudioUploadUrl' ? [one.idempotency_key] : [],
      )
      expect(new Set(keys).size).toBeLessThanOrEqual(1)
      if (status === 'completed') expect([ledger.jobs.length, ledger.charges.length]).toEqual([1, 1])
      // Killed while the very first create was under way: that is a doubt, which a refusal does not end.
      else
        expect([killed, status, errorCode, ledger.jobs.length]).toEqual([true, 'failed', 'create_outcome_unknown', 0])
    }
    const survivor = runs.find(({ killed }) => !killed)
    expect(survivor).toMatchObject({ status: 'completed', webhookTypes: ['video.completed'] })
    expect(survivor?.boundaries ?? 0).toBeGreaterThanOrEqual(AT_LEAST)
    const killed = runs.filter((run) => run.killed)
    expect(killed.filter(({ status }) => status === 'completed').length).toBeGreaterThan(killed.length / 2)
  },
)

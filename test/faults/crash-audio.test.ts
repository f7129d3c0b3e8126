import { expect, onTestFinished, test } from 'vitest'
import { isFull } from '../fakes/full.ts'
import { must } from '../fakes/must.ts'
import { HANG_MS } from '../fakes/until.ts'
import { answer, startReceiver } from '../fakes/receiver.ts'
import { crashRun, type CrashRun, type Scenario } from './run.ts'

/** Runs at once: each is mostly waiting. */
const AT_ONCE = 4
/** Of the boundaries of a run, every so many is killed at. */
const STEP = isFull ? 2 : 9
const AT_MOST = 200
/** Fetch, reservation, PUT and two creates, each with its store commits. */
const AT_LEAST = 30

const scenarioOf = (audioUrl: string): Scenario => ({
  speed: 100,
  env: { TALKBRIDGE_ENGINE__RESEND_WINDOW: '5s' },
  isCalledBack: false,
  videos: 1,
  body: { image_url: 'https://example.com/anna.png', audio_url: audioUrl },
})

test(
  'kill -9 while audio is brought to its backend: one job, one charge, one reservation',
  { timeout: 5 * HANG_MS },
  async () => {
    const source = await startReceiver()
    onTestFinished(() => source.close())
    source.respond(answer(200, { 'content-type': 'audio/wav' }, `RIFF$${'\0'.repeat(3)}WAVE${'sound '.repeat(50)}`))
    const scenario = scenarioOf(`${source.url}/a.wav`)
    const runs: CrashRun[] = []
    for (let next = 1; next <= AT_MOST && runs.every(({ deaths }) => deaths > 0); next += AT_ONCE * STEP) {
      const numbers = Array.from({ length: AT_ONCE }, (_, index) => next + index * STEP)
      runs.push(...(await Promise.all(numbers.map((n) => crashRun(scenario, n)))))
    }
    const outcomes = runs.map(({ deaths, videos, ledger }) => ({ deaths, video: must(videos[0]), ledger }))
    for (const { deaths, video, ledger } of outcomes) {
      expect(video.webhooks).toHaveLength(1)
      const keys = ledger.requests.flatMap((one) =>
        one.operation === 'createHostedAudioUploadUrl' ? [one.idempotency_key] : [],
      )
      expect(new Set(keys).size).toBeLessThanOrEqual(1)
      const { status, errorCode } = video
      if (status === 'completed') expect([ledger.jobs.length, ledger.charges.length]).toEqual([1, 1])
      // Killed while the very first create was under way: that is a doubt, which a refusal does not end.
      else expect([deaths, status, errorCode, ledger.jobs.length]).toEqual([1, 'failed', 'create_outcome_unknown', 0])
    }
    const survivor = must(runs.find(({ deaths }) => deaths === 0))
    expect(survivor.videos).toMatchObject([{ status: 'completed', webhooks: [{ type: 'video.completed' }] }])
    expect(must(survivor.boundaries).length).toBeGreaterThanOrEqual(AT_LEAST)
    const killed = outcomes.filter(({ deaths }) => deaths > 0)
    expect(killed.filter(({ video }) => video.status === 'completed').length).toBeGreaterThan(killed.length / 2)
  },
)

import { describe, expect, onTestFinished, test } from 'vitest'
import type { Adapter, CreateOutcome, JobReport, ReadOutcome, WriteOutcome } from '../../src/core/adapter.ts'
import type { Order } from '../../src/core/video.ts'
import { isVariant, VARIANTS, type VariantName } from '@talkbridge/sandbox'
import { HOUR_MS, WAV } from '../../packages/sandbox/test/contract/walk.ts'
import { IMAGE, start, type Harness } from '../../packages/sandbox/test/harness.ts'
import { CONTEXT, ORDERS, speak, type Spoken } from './harness.ts'

/**
 * The whole life of an adapter with the sandbox, under every other answer to what the contracts do not show: whatever an
 * adapter took for granted beyond them fails here.
 */
interface Stage extends Spoken {
  sandbox: Harness
  adapter: Adapter
  /** Sends an order under a key of its own. */
  create(change: Partial<Order>): Promise<CreateOutcome>
  /** The job once it has ended. */
  ended(created: CreateOutcome): Promise<JobReport>
}

/** Those that the sandbox speaks. */
type Sandboxed = 'primary' | 'alternate'

const stage = async (name: Sandboxed, variant: VariantName): Promise<Stage> => {
  const harness = await start({ variant, unlimitedRate: true, unlimitedSlots: true })
  const { sandbox, clock } = harness
  const [url, apiKey] =
    name === 'primary' ? [sandbox.primaryUrl, sandbox.primaryKey] : [sandbox.alternateUrl, sandbox.alternateKey]
  const spoken = speak(name, url, { apiKey, clock })
  onTestFinished(() => spoken.agents.close())
  const { adapter } = spoken
  let creates = 0
  return {
    ...spoken,
    sandbox: harness,
    create(change) {
      creates += 1
      const context = { ...CONTEXT, callbackUrl: null, idempotencyKey: `vid_${creates}.1` }
      return adapter.create(adapter.createRequest({ ...LIFE[name], ...change }, context))
    },
    async ended(created) {
      if (created.kind !== 'accepted') throw new Error(`the create was ${created.kind}: ${created.problem.message}`)
      await clock.advance(HOUR_MS)
      return known(await adapter.status(created.jobId))
    },
  }
}

const LIFE: Record<Sandboxed, Order> = {
  primary: { ...ORDERS.primary, imageUrl: IMAGE, voiceId: 'sandbox-en-us-ava' },
  alternate: { ...ORDERS.alternate, puppetId: 'pup_ada', voiceId: null },
}

const known = <T>(outcome: ReadOutcome<T>): T => {
  if (outcome.ok) return outcome.value
  throw new Error(`${outcome.problem.code}: ${outcome.problem.message}`)
}
const done = <T>(outcome: WriteOutcome<T>): T => {
  if (outcome.kind === 'done') return outcome.value
  throw new Error(`${outcome.kind}: ${outcome.problem.code}: ${outcome.problem.message}`)
}

/** Error codes are not shown, so that strange ones are told; all fields and words of the sandbox are known. */
const expectNoDrift = ({ drifts }: Spoken): void =>
  expect(drifts.filter(({ kind }) => kind !== 'error_code')).toEqual([])

const WAV_UPLOAD = { contentType: 'audio/wav', sizeBytes: WAV.length, requireVideoReadiness: true }

describe.each(Object.keys(VARIANTS).filter(isVariant))('variant %s', (variant) => {
  describe('primary', () => {
    test('voices, and a portrait from its creation to its end', async () => {
      const life = await stage('primary', variant)
      const { adapter } = life
      const { items: voices } = known(await adapter.voices())
      expect(voices).toHaveLength(45)
      expect(voices.every(({ name, languageCode, previewUrl }) => name && languageCode && previewUrl)).toBe(true)

      const request = { imageUrl: IMAGE, name: 'Ann' }
      const made = done(await adapter.createPuppet(request, 'p1'))
      expect(made).toMatchObject({ type: 'custom', imageUrl: IMAGE, name: 'Ann' })
      expect(done(await adapter.createPuppet(request, 'p1')).id).toBe(made.id)
      expect(await adapter.createPuppet({ ...request, name: 'Bob' }, 'p1')).toMatchObject({
        kind: 'refused',
        problem: { code: 'idempotency_key_conflict', retryable: false },
      })
      expect(known(await adapter.puppet(made.id)).id).toBe(made.id)
      const listed = known(await adapter.puppets(null))
      expect(listed.items.map(({ id }) => id)).toContain(made.id)
      expect(listed.nextCursor).toBeNull()
      done(await adapter.deletePuppet(made.id))
      expect(await adapter.puppet(made.id)).toMatchObject({ ok: false, problem: { code: 'puppet_not_found' } })
      done(await adapter.deletePuppet(made.id))
      expectNoDrift(life)
    })

    test('a video from text, from its create to its file', async () => {
      const life = await stage('primary', variant)
      const created = await life.create({ text: 'Hello' })
      expect(created).toMatchObject({ credits: { charged: 1, remaining: 9 }, report: { status: 'queued' } })
      const report = await life.ended(created)
      expect(report).toMatchObject({ status: 'completed', failure: null })
      const { url } = known(await life.adapter.download(report.jobId ?? ''))
      expect((await fetch(url, { method: 'HEAD' })).headers.get('content-type')).toBe('video/mp4')
      expect(await life.ended(await life.create({ text: '[[fail]]' }))).toMatchObject({ status: 'failed', link: null })
      expect(await life.adapter.status('api_video_nothing')).toMatchObject({ ok: false, lost: true })
      expectNoDrift(life)
    })

    test('uploaded audio, from its reservation to its video', async () => {
      const life = await stage('primary', variant)
      const { adapter } = life
      const upload = done(await adapter.createUpload(WAV_UPLOAD, 'u1'))
      expect(await life.create({ text: null, audioUrl: upload.audioUrl })).toMatchObject({
        kind: 'refused',
        problem: { code: 'upload_not_finished', retryable: true },
      })
      const put = await fetch(upload.uploadUrl, {
        method: upload.method,
        headers: upload.headers,
        body: new Uint8Array(WAV),
      })
      expect(put.ok).toBe(true)
      const again = done(await adapter.createUpload(WAV_UPLOAD, 'u1'))
      expect(new URL(again.audioUrl).pathname).toBe(new URL(upload.audioUrl).pathname)
      const report = await life.ended(await life.create({ text: null, audioUrl: again.audioUrl }))
      expect(report).toMatchObject({ status: 'completed' })
      expect(report.link).not.toBeNull()
      const elsewhere = { text: null, audioUrl: 'https://elsewhere.example/a.wav' }
      expect(await life.create(elsewhere)).toMatchObject({ kind: 'refused', problem: { code: 'upload_not_found' } })
      expect(await adapter.createUpload({ ...WAV_UPLOAD, sizeBytes: 5 }, 'u1')).toMatchObject({
        kind: 'refused',
        problem: { code: 'idempotency_key_conflict' },
      })
      expect(await adapter.createUpload({ ...WAV_UPLOAD, sizeBytes: 52_428_801 }, 'u2')).toMatchObject({
        kind: 'refused',
        problem: { code: 'file_too_large' },
      })
      expectNoDrift(life)
    })

    test('speech, which is audio for a video too', async () => {
      const life = await stage('primary', variant)
      const { adapter } = life
      const request = { text: 'Hello there', voiceId: 'sandbox-en-us-ava', speed: 1.25 }
      const clip = done(await adapter.createSpeech(request))
      expect(clip.contentType).toBe('audio/wav')
      const file = await fetch(clip.audioUrl)
      expect([file.status, file.headers.get('content-type')]).toEqual([200, 'audio/wav'])
      await file.arrayBuffer()
      expect(await life.ended(await life.create({ text: null, audioUrl: clip.audioUrl }))).toMatchObject({
        status: 'completed',
      })
      expect(await adapter.createSpeech({ ...request, voiceId: 'nobody' })).toMatchObject({
        kind: 'refused',
        problem: { code: 'voice_not_found' },
      })
      expect(await adapter.createSpeech({ ...request, text: '[[unavailable]]' })).toMatchObject({
        kind: 'refused',
        problem: { code: 'backend_unavailable', retryable: true },
      })
      expect(await adapter.createSpeech({ ...request, text: '[[asset-error]]' })).toMatchObject({ kind: 'doubt' })
      expectNoDrift(life)
    })

    test('usage: what is left, and whether a video can be made', async () => {
      const life = await stage('primary', variant)
      const { adapter, sandbox } = life
      await life.create({ text: 'Hello' })
      expect(known(await adapter.usage())).toMatchObject({
        creditsRemaining: 9,
        creditsUsedMonth: 1,
        creditsIncluded: 10,
        creditsPurchased: 0,
        checkoutAvailable: false,
        canCreate: true,
        blockedReason: null,
        activeJobs: 1,
        freeSlots: 1,
      })
      for (let left = 9; left > 0; left -= 1) await life.create({ text: 'Hello' })
      await sandbox.clock.advance(HOUR_MS)
      expect(known(await adapter.usage())).toMatchObject({ creditsRemaining: 0, canCreate: false, activeJobs: 0 })
      const broke = { code: 'insufficient_credits', details: { video_generation: { can_create: false } } }
      expect(await adapter.createUpload(WAV_UPLOAD, 'u1')).toMatchObject({ kind: 'refused', problem: broke })
      expect(await life.create({ text: 'Hello' })).toMatchObject({
        kind: 'refused',
        problem: { code: 'insufficient_credits' },
      })
      expectNoDrift(life)
    })

    test('a key without scopes is refused operation by operation', async () => {
      const life = await stage('primary', variant)
      const body = { interface: 'primary', scopes: ['videos:read'] }
      const { body: key } = await life.sandbox.primary('/sandbox/keys', { key: null, body })
      const poor = speak('primary', life.sandbox.sandbox.primaryUrl, { apiKey: String(key['key']) })
      onTestFinished(() => poor.agents.close())
      const request = { text: 'Hello', voiceId: 'sandbox-en-us-ava', speed: null }
      expect(await poor.adapter.createSpeech(request)).toMatchObject({
        kind: 'refused',
        problem: { code: 'backend_credentials_rejected', backendError: { status: 403 } },
      })
      known(await poor.adapter.usage())
      expect(poor.permitted).toEqual([
        ['createSpeech', false],
        ['getUsage', true],
      ])
    })
  })

  test('alternate: voices, puppets, and a video from its create to its file', async () => {
    const life = await stage('alternate', variant)
    const { adapter } = life
    expect(known(await adapter.voices()).items.every(({ name, languageCode }) => name && languageCode)).toBe(true)
    const { items } = known(await adapter.puppets(null))
    expect(items.map(({ type }) => type)).toContain('stock')
    expect(items.map(({ id }) => id)).toContain('pup_ada')

    const created = await life.create({ text: 'Hello' })
    expect(created).toMatchObject({ kind: 'accepted', report: { status: 'processing' } })
    const report = await life.ended(created)
    expect(report).toMatchObject({ status: 'completed', failure: null, made: { puppetId: 'pup_ada' } })
    const { url, expiresAtMs } = known(await adapter.download(report.jobId ?? ''))
    expect(expiresAtMs).toBeGreaterThan(life.sandbox.clock.now())
    expect((await fetch(url, { method: 'HEAD' })).headers.get('content-type')).toBe('video/mp4')
    const failed = await life.ended(await life.create({ text: '[[fail]]' }))
    expect(failed).toMatchObject({ status: 'failed', link: null })
    const page = known(await adapter.list(1))
    expect(page.total).toBe(2)
    expect(page.items.map(({ jobId, status }) => [jobId, status])).toEqual([
      [failed.jobId, 'failed'],
      [report.jobId, 'completed'],
    ])
    expect(await adapter.status('nothing')).toMatchObject({ ok: false, lost: true })
    expect(await life.create({ puppetId: 'nobody' })).toMatchObject({ kind: 'refused' })
    expectNoDrift(life)
  })
})

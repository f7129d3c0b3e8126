import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createSystemClock, type ProcessClock } from '../../src/core/time/clock.ts'
import { isVariant, startSandbox, VARIANTS, type Sandbox, type SandboxOptions } from '@talkbridge/sandbox'
import { fakeClock } from '../fakes/clock.ts'
import { gatewayConfig, KEYS, runGateway, temporaryFolder, type ConfigDraft } from '../fakes/gateway.ts'
import { injectFault } from '../fakes/sandbox-faults.ts'
import { listenForWebhooks } from './clients/alternate-client.ts'
import { alternateDay, earlyLink, film, list, type AlternateStage } from './clients/alternate-scenario.ts'
import { PrimaryClient } from './clients/primary-client.ts'
import { failedFilm, filmFromText, patience, primaryDay, type PrimaryStage } from './clients/primary-scenario.ts'

/** Fast, but slow enough that a signed link of the sandbox outlives the request that uses it on a busy machine. */
const SPEED = 100
/** The clients wait as they are told, on a scale of their own: a hint's second is the least that a contract can say. */
const sleep = (waitMs: number): Promise<void> => new Promise((done) => setTimeout(done, waitMs / 20))

interface Lane {
  sandbox: Sandbox
  primary: PrimaryStage
  alternate: AlternateStage
}

type Options = Partial<SandboxOptions> & { clock?: ProcessClock }

const sandboxOf = async (options: Options) => {
  const lifted = { unlimitedRate: true, unlimitedSlots: true }
  const usual = { clock: createSystemClock(), speed: SPEED, ...lifted }
  const sandbox = await startSandbox({ ...usual, ...options })
  onTestFinished(() => sandbox.close())
  return sandbox
}

const receiverOf = async () => {
  const receiver = await listenForWebhooks()
  onTestFinished(() => receiver.close().then(() => undefined))
  return receiver
}

/** The service itself. */
const direct = async (options: Options = {}): Promise<Lane> => {
  const sandbox = await sandboxOf(options)
  return {
    sandbox,
    primary: { baseUrl: sandbox.primaryUrl, apiKey: sandbox.primaryKey, sleep },
    alternate: {
      baseUrl: sandbox.alternateUrl,
      apiKey: sandbox.alternateKey,
      sleep,
      receiver: await receiverOf(),
    },
  }
}

/** The gateway, for a client that changed its URL and its key. */
const through = async (draft: ConfigDraft = {}, options: Options = {}): Promise<Lane> => {
  const sandbox = await sandboxOf(options)
  const dir = await temporaryFolder()
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const config = gatewayConfig(
    dir,
    { main: sandbox.primaryUrl, alt: sandbox.alternateUrl },
    {
      webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] },
      backends: { main: { api_key: sandbox.primaryKey }, alt: { api_key: sandbox.alternateKey } },
      ...draft,
    },
  )
  const { gateway } = await runGateway(config, {
    ...(options.clock && { clock: options.clock }),
    // This one calls no failure back. So the gateway has it poll, which it would else do after a minute.
    backendsAreLocal: options.variant !== 'terse',
  })
  onTestFinished(() => gateway.close().then(() => undefined))
  const baseUrl = gateway.url
  return {
    sandbox,
    primary: { baseUrl, apiKey: KEYS.anna, sleep },
    // A client of its own: each lists its own videos.
    alternate: { baseUrl, apiKey: KEYS.bert, sleep, receiver: await receiverOf() },
  }
}

const PRIMARY = {
  filmFromText: {
    created: 202,
    ended: 'completed',
    again: 'completed',
    film: true,
    replays: [true, true, true],
    lateReplay: [200, 'completed', true, null],
    charged: [1, 1, 1],
    conflict: '409 idempotency_key_conflict',
    conflictPointsAtTheJob: true,
  },
  failedFilm: { ended: false, hint: null, film: null, replay: [200, true] },
  filmFromAudio: {
    speech: true,
    early: '400 invalid_request HOSTED_AUDIO_UPLOAD_PENDING',
    conflict: '409 idempotency_key_conflict AUDIO_UPLOAD_IDEMPOTENCY_KEY_CONFLICT',
    resignedIsTheSame: true,
    ended: 'completed',
    film: true,
  },
  library: {
    voices: 45,
    preview: true,
    replayed: [false, false, false, true],
    listed: true,
    read: true,
    conflict: '409 idempotency_key_conflict',
    deleted: ['404', false],
    usage: true,
  },
  refusals: {
    missing: '404 job_not_found VIDEO_JOB_NOT_FOUND',
    missingNamesTheJob: true,
    missingPath: true,
    malformed: '400',
    stranger: '401',
    noImage: '400 invalid_request',
    twoTexts: '400 invalid_request',
    noVoice: '404 voice_not_found SERVICE_VOICE_NOT_FOUND',
    noPicture: '400 invalid_image',
    twoKeys: '400',
    tooLong: '413 payload_too_large VIDEO_CREATE_PAYLOAD_TOO_LARGE',
    tooLarge: '413 file_too_large AUDIO_UPLOAD_FILE_TOO_LARGE',
    notHosted: '400 invalid_request HOSTED_AUDIO_UPLOAD_NOT_FOUND',
  },
}

const PUPPET = 'pup_ada'

const ALTERNATE = {
  film: {
    created: 'processing',
    ended: 'completed',
    told: ['voice_id', 'resolution', 'duration_sec', 'thumbnail_url', 'created_at', 'completed_at'],
    sameFields: [true, true, true, true],
    film: true,
    filmOfTheDetail: true,
  },
  list: {
    added: 5,
    allThere: true,
    failed: [1],
    others: true,
    beyond: 0,
    error: true,
    downloadOfTheFailed: 409,
    rate: true,
  },
  catalogue: { voices: 8, puppets: 6, preview: true },
  refusals: {
    stranger: 401,
    missing: 404,
    missingLink: 404,
    noPuppet: 404,
    noVoice: 404,
    blank: 400,
    longest: 'done',
    tooLong: 400,
    noSuchPage: 400,
    noSuchLimit: 400,
  },
  earlyLink: 409,
}

const VARIANT_NAMES = Object.keys(VARIANTS).filter(isVariant)

/** What both clients saw of one day. */
const dayAt = async ({ primary, alternate }: Lane) => {
  const [ofPrimary, ofAlternate] = await Promise.all([primaryDay(primary), alternateDay(alternate, PUPPET)])
  return { primary: ofPrimary, alternate: ofAlternate }
}

/** Nor do they notice what the contracts do not show. */
test.each(VARIANT_NAMES)(
  'both clients work at the service, and with another URL and key at the gateway: %s',
  async (variant) => {
    const atService = await dayAt(await direct({ variant }))
    const atGateway = await dayAt(await through({}, { variant }))
    expect(atService).toEqual({ primary: PRIMARY, alternate: ALTERNATE })
    expect(atGateway).toEqual(atService)
  },
)

const IMAGE = 'https://example.com/anna.png'
const VOICE = 'sandbox-en-us-ava'

/** All that the customers name, under one name for both backends. */
const ALIASES = {
  voices: { narrator: { main: VOICE, alt: 'voice_amber' } },
  puppets: { anna: { main: { image_url: IMAGE }, alt: PUPPET } },
}

/** The gateway, for clients that see this backend alone. */
const throughOnly = (backend: 'main' | 'alt'): Promise<Lane> => {
  const limits = { requests_per_minute: 1_000_000 }
  const clients = Object.entries(KEYS).map(([id, key]) => ({ id, key, backends: [backend], limits }))
  return through({ clients, aliases: ALIASES })
}

test('a client of the primary interface works with the alternate behind', async () => {
  const { primary } = await throughOnly('alt')
  expect({
    filmFromText: await filmFromText(primary, { image: IMAGE, voice: VOICE }),
    failedFilm: await failedFilm(primary),
  }).toEqual({
    // The alternate tells of no credits.
    filmFromText: { ...PRIMARY.filmFromText, charged: [null, null, null] },
    failedFilm: PRIMARY.failedFilm,
  })
})

test('a client of the alternate interface works with the primary behind', async () => {
  const { alternate } = await throughOnly('main')
  expect({
    film: await film(alternate, { puppet_id: PUPPET, voice_id: 'voice_amber' }),
    list: await list(alternate, PUPPET),
    earlyLink: await earlyLink(alternate, PUPPET),
  }).toEqual({
    // The primary reports no length.
    film: { ...ALTERNATE.film, told: ALTERNATE.film.told.filter((name) => name !== 'duration_sec') },
    list: ALTERNATE.list,
    earlyLink: 409,
  })
})

test.each([
  ['the service', () => direct()],
  ['the gateway', () => through()],
])('a client waits until what is unavailable is there again, at %s', async (_name, open) => {
  const { sandbox, primary } = await open()
  for (const operation of ['getDeveloperApiUsage', 'createVideoFromText', 'getVideoJob']) {
    const status = operation === 'getVideoJob' ? 504 : 503
    const fault = { operation, kind: 'status', status, retryable: true, retry_after_seconds: 1 }
    await injectFault(sandbox.primaryUrl, fault)
  }
  // In real time: who comes back before the time that was told is told it again.
  const sleepFully = (waitMs: number): Promise<void> => new Promise((done) => setTimeout(done, waitMs))
  expect(await patience({ ...primary, sleep: sleepFully })).toEqual({ usage: true, ended: 'completed' })
})

/** The gateway's clients may ask as often as the service's. */
const TEN_A_MINUTE = { clients: [{ id: 'anna', key: KEYS.anna, limits: { requests_per_minute: 10 } }] }

test.each([
  ['the service', (clock: ProcessClock) => direct({ clock, speed: 1, unlimitedRate: false })],
  ['the gateway', (clock: ProcessClock) => through(TEN_A_MINUTE, { clock, speed: 1 })],
])('a client that asks too often and waits as it is told is answered every time, at %s', async (_name, open) => {
  const clock = fakeClock()
  const waitsMs: number[] = []
  const waiting = (waitMs: number): Promise<void> => {
    waitsMs.push(waitMs)
    return clock.advance(waitMs)
  }
  const { baseUrl, apiKey } = (await open(clock)).primary
  const client = new PrimaryClient({ baseUrl, apiKey, sleep: waiting })
  for (let asked = 0; asked < 25; asked += 1) expect(await client.usage()).toBeDefined()
  // Ten, a wait, ten, a wait, five: each wait ends when the service said that it would.
  expect(waitsMs.length).toBeGreaterThanOrEqual(2)
  for (const waitMs of waitsMs) expect(waitMs).toBeLessThanOrEqual(60_000)
})

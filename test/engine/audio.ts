import type { HostedUpload, WriteOutcome } from '../../src/core/adapter.ts'
import {
  type AudioCarrier,
  type FetchOutcome,
  type PutOutcome,
  unsignedUrl,
  type UploadLookup,
  type UploadRecord,
} from '../../src/core/media.ts'
import { Problem } from '../../src/core/errors.ts'
import type { VideoRecord } from '../../src/core/video.ts'
import { must } from '../fakes/must.ts'
import { openEngine, type Engine, type EngineOptions } from './harness.ts'
import { capabilities, scriptedAdapter, type ScriptedAdapter } from '../fakes/adapter.ts'
import { ACCOUNT, INPUT, problem, refused, SECOND, T0 } from '../fakes/records.ts'

/** What the tests of audio put in the places of a backend with uploads, of the carrier and of the table of uploads. */

export const EXTERNAL = 'https://files.example/a.wav?sig=1'
export const NOT_HOSTED = () => refused({ code: 'upload_not_found', message: 'not hosted', retryable: false })

export const audioInput = (given: Partial<typeof INPUT> = { audio_url: EXTERNAL }) => ({
  ...INPUT,
  text: null,
  voice_id: null,
  ...given,
})

export interface AudioBackend extends ScriptedAdapter {
  /** What the next reservations come to; with none left, each key has a place of its own. */
  uploads: WriteOutcome<HostedUpload>[]
  /** The keys of the reservations that were asked for. */
  uploadKeys: string[]
}

export const hostedUpload = (name: string): HostedUpload => ({
  uploadUrl: `https://storage.example/put/${name}`,
  method: 'PUT',
  headers: {},
  audioUrl: `https://storage.example/${name}?sig=s`,
  expiresAtMs: null,
  verbatim: null,
})

export const audioBackend = (now: () => number): AudioBackend => {
  const able = capabilities('text_source', 'audio_source', 'image_url', 'uploads', 'native_idempotency')
  const more: Pick<AudioBackend, 'uploads' | 'uploadKeys' | 'createRequest' | 'createUpload'> = {
    uploads: [],
    uploadKeys: [],
    createRequest: (order, context) => ({
      method: 'POST',
      path: '/videos',
      headers: { 'idempotency-key': context.idempotencyKey },
      body: JSON.stringify({ text: order.text, audio: order.audioUrl }),
    }),
    async createUpload(_request, key) {
      more.uploadKeys.push(key)
      return more.uploads.shift() ?? { kind: 'done', value: hostedUpload(key), rate: null }
    },
  }
  return Object.assign(scriptedAdapter(now, 'primary', able), more)
}

export const writeRefused = (given: Parameters<typeof problem>[0]): WriteOutcome<never> => ({
  kind: 'refused',
  problem: problem({ retryable: false, ...given }),
  rate: null,
})

export interface ScriptedCarrier extends AudioCarrier {
  /** What the next fetches come to; with none left, they bring a WAV. */
  fetches: (FetchOutcome | Promise<FetchOutcome> | Error)[]
  puts: PutOutcome[]
  /** URLs that were fetched, and that were put to. */
  fetched: string[]
  put: string[]
  /** Files that nobody removed. */
  left: number
  mostAtOnce: number
}

export const scriptedCarrier = (): ScriptedCarrier => {
  let open = 0
  const bring = (): FetchOutcome => {
    carrier.left += 1
    return {
      ok: true,
      audio: {
        contentType: 'audio/wav',
        sizeBytes: 5,
        async put({ uploadUrl }) {
          carrier.put.push(uploadUrl)
          return carrier.puts.shift() ?? { kind: 'stored' }
        },
        async remove() {
          carrier.left -= 1
        },
      },
    }
  }
  const carrier: ScriptedCarrier = {
    fetches: [],
    puts: [],
    fetched: [],
    put: [],
    left: 0,
    mostAtOnce: 0,
    fault: (url) => (url.startsWith('https:') ? null : 'the scheme must be https'),
    async fetch(url, signal) {
      carrier.fetched.push(url)
      open += 1
      carrier.mostAtOnce = Math.max(carrier.mostAtOnce, open)
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true })
      })
      try {
        const next = await Promise.race([carrier.fetches.shift() ?? null, aborted])
        if (next instanceof Error) throw next
        return next ?? bring()
      } finally {
        open -= 1
      }
    },
  }
  return carrier
}

/** A fetch that ends when the test says so. */
export const held = () => Promise.withResolvers<FetchOutcome>()

export const UPLOAD: UploadRecord = {
  id: 'upl_1',
  client: 'acme',
  account: ACCOUNT,
  backend: 'main',
  contentType: 'audio/wav',
  sizeBytes: 5,
  audioUrl: 'https://storage.example/own.wav?sig=old',
  createdAtMs: T0,
}

export const uploadsOf = (...known: UploadRecord[]): UploadLookup => ({
  byId: async (client, id) => known.find((one) => one.client === client && one.id === id) ?? null,
  async byUrl(client, url) {
    const upload = known.find((one) => unsignedUrl(one.audioUrl) === unsignedUrl(url))
    if (!upload) return { kind: 'unknown' }
    return upload.client === client ? { kind: 'own', upload } : { kind: 'foreign' }
  },
})

/** The problem that a create is answered with. */
export const problemOf = async (work: Promise<unknown>): Promise<Problem> => {
  const error: unknown = await work.catch((thrown: unknown) => thrown)
  if (!(error instanceof Problem)) throw new Error(`no problem but ${String(error)}`)
  return error
}

export const noAudio = (code: Extract<FetchOutcome, { ok: false }>['code'], retryable = false): FetchOutcome => ({
  ok: false,
  code,
  message: 'no audio',
  retryable,
})

/** Of each create that went out: the end of its key, and its audio. */
export const sentBy = (adapter: ScriptedAdapter) =>
  adapter.callsOf('create').map((call) => {
    if (call.operation !== 'create') throw new Error('unreachable')
    const body = JSON.parse(must(call.wire.body)) as { audio: string | null }
    return [call.wire.headers['idempotency-key']?.slice(-2), body.audio]
  })

export interface AudioStage {
  engine: Engine
  backend: AudioBackend
  carrier: ScriptedCarrier
  /** Created, its audio on the way, and its client told so. */
  underway(given?: Parameters<Engine['create']>[0]): Promise<{ video: VideoRecord; fetch: ReturnType<typeof held> }>
}

export const openAudioStage = async (options: EngineOptions = {}): Promise<AudioStage> => {
  const carrier = scriptedCarrier()
  let backend: AudioBackend | null = null
  const engine = await openEngine({ adapter: (now) => (backend = audioBackend(now)), carrier, ...options })
  engine.videos.start()
  return {
    engine,
    backend: must<AudioBackend>(backend),
    carrier,
    async underway(given = {}) {
      must<AudioBackend>(backend).creates.push(NOT_HOSTED())
      const fetch = held()
      carrier.fetches.push(fetch.promise)
      const creating = engine.create({ input: audioInput(), ...given })
      await engine.pass(11 * SECOND)
      return { video: (await creating).video, fetch }
    },
  }
}

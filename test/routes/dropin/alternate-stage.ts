import type supertest from 'supertest'
import type { RecordedRequest, Script, ScriptedBackend } from '../../fakes/backend.ts'
import { bearer, KEYS, testApp, type GatewayOptions, type TestApp } from '../../fakes/gateway.ts'
import { servePrimary, type Service } from '../services.ts'

/** A job of the scripted alternate: every field that the contract shows, and one that nobody knows. */
export interface Clip {
  id: string
  status: 'processing' | 'completed' | 'failed'
  created_at: string
  asked: Record<string, unknown>
}

export interface ScriptedAlternate {
  clips: Map<string, Clip>
  /** How jobs are when they are created. */
  onCreate: Clip['status']
  creates(): Record<string, unknown>[]
}

const shown = ({ id, status, created_at, asked }: Clip): Record<string, unknown> => ({
  id,
  status,
  puppet_id: asked['puppet_id'],
  voice_id: asked['voice_id'] ?? 'voice_default',
  resolution: asked['resolution'] ?? '1080p',
  created_at,
  mood: 'calm',
})

const linkOf = ({ id }: Clip): string => `https://cdn.example/${id}.mp4?sig=1`

const detail = (clip: Clip): Record<string, unknown> => ({
  ...shown(clip),
  duration_sec: clip.status === 'completed' ? 7 : null,
  download_url: clip.status === 'completed' ? linkOf(clip) : null,
  thumbnail_url: `https://cdn.example/${clip.id}.png`,
  self: `/v1/videos/${clip.id}`,
  ...(clip.status === 'completed' && { completed_at: '2026-11-20T10:00:09.000Z' }),
  ...(clip.status === 'failed' && { error: { code: 'face_not_found', message: 'no face', hint: 'another photo' } }),
})

export const EXPIRES_AT = '2036-01-01T00:00:00.000Z'

/** Makes a scripted backend answer in full what the alternate contract shows. */
export const serveClips = (backend: ScriptedBackend): ScriptedAlternate => {
  const clips = new Map<string, Clip>()
  const scripted: ScriptedAlternate = {
    clips,
    onCreate: 'processing',
    creates: () =>
      backend.requests.flatMap(({ method, body }) =>
        method === 'POST' ? [JSON.parse(body) as Record<string, unknown>] : [],
      ),
  }
  const create = ({ body }: RecordedRequest): Script => {
    const asked = JSON.parse(body) as Record<string, unknown>
    const clip: Clip = {
      id: `clip_${clips.size + 1}`,
      status: scripted.onCreate,
      created_at: '2026-11-20T09:59:00.000Z',
      asked,
    }
    clips.set(clip.id, clip)
    const link = clip.status === 'completed' && { download_url: linkOf(clip) }
    return { status: 201, body: { ...shown(clip), duration_estimate_sec: 11, ...link } }
  }
  backend.answer((request) => {
    const { method, path } = request
    if (method === 'POST' && path === '/v1/videos') return create(request)
    const [, id = '', link] = /^\/v1\/videos\/([^/?]+)(\/download)?$/.exec(path) ?? []
    const clip = clips.get(id)
    if (clip && link) {
      return { body: { download_url: `https://cdn.example/${id}.mp4?sig=new`, expires_at: EXPIRES_AT } }
    }
    if (clip) return { body: detail(clip) }
    if (path === '/v1/voices') {
      const voice = { id: 'w1', name: 'Ann', gender: 'female', language: 'en-US', preview_url: 'https://cdn.example/w' }
      return { body: { data: [voice] } }
    }
    if (path === '/v1/puppets') {
      const puppet = { id: 'pup_1', name: 'Anna', type: 'stock', thumbnail_url: 'https://img.example/a.png', mood: 'x' }
      return { body: { data: [puppet] } }
    }
    return { status: 404, body: { error: { code: 'video_not_found', message: 'No such video.' } } }
  })
  return scripted
}

export const ASKED = { script: 'Hello there, how are you today my friend', puppet_id: 'pup_1' }

export interface AlternateStage {
  app: TestApp
  alt: ScriptedAlternate
  main: Service
  /** Speaks as anna, or with another key, below `/v1`. */
  get(path: string, key?: string): supertest.Test
  create(body?: unknown, headers?: Record<string, string>, key?: string): supertest.Test
}

/** A gateway whose `/v1` has the alternate behind it; `behind: 'main'`: the primary. */
export const stage = async ({
  behind = 'alt',
  ...options
}: GatewayOptions & { behind?: 'main' | 'alt' } = {}): Promise<AlternateStage> => {
  const app = await testApp({ routing: { dropin: { alternate: behind } }, ...options })
  return {
    app,
    alt: serveClips(app.alt),
    main: servePrimary(app.main),
    get: (path, key = KEYS.anna) => app.raw.get(`/v1${path}`).set(bearer(key)),
    create: (body = ASKED, headers = {}, key = KEYS.anna) =>
      app.raw
        .post('/v1/videos')
        .set({ ...bearer(key), 'content-type': 'application/json', ...headers })
        .send(typeof body === 'string' ? body : JSON.stringify(body)),
  }
}

export type Body = Record<string, unknown>
export const bodyOf = (response: supertest.Response): Body => response.body as Body

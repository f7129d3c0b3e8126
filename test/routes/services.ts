import type { RecordedRequest, Script, ScriptedBackend } from '../fakes/backend.ts'

/** Bodies that the two interfaces take as they are. */
export const MAIN_BODY = { image_url: 'https://img.example/me.png', text: 'Hello' }
export const ALT_BODY = { backend: 'alt', puppet_id: 'pup_1', text: 'Hello' }

export type JobState = 'queued' | 'processing' | 'completed' | 'failed'

export interface ServiceState {
  onCreate: JobState
  onRead: JobState
  /** How far away the hint of a running job is. */
  nextPollMs: number
  now: () => number
}

export interface Service {
  /** How jobs are when they are created, and when they are polled. */
  state: ServiceState
  /** Requests that created, or tried to. */
  creates(): RecordedRequest[]
  /** Requests whose path starts so. */
  asked(method: string, path: string): RecordedRequest[]
}

const VOICES = {
  main: [
    {
      id: 'v1',
      name: 'Maya',
      provider: 'aurora',
      language: 'English (United Kingdom)',
      language_code: 'en_gb',
      gender: 'Female',
      preview_url: '/api/v1/voices/service/v1/preview',
    },
    {
      id: 'v2',
      name: 'Jan',
      provider: 'aurora',
      language: 'German',
      language_code: 'de',
      gender: 'Male',
      preview_url: '/p/v2',
    },
  ],
  alt: [
    { id: 'w1', name: 'Ann', gender: 'female', language: 'en-US', preview_url: 'https://cdn.example/w1.mp3' },
    { id: 'w2', name: 'Eng', gender: 'male', language: 'enm', preview_url: null },
  ],
}

const service = (
  backend: ScriptedBackend,
  now: () => number,
  createPath: string,
  answer: (request: RecordedRequest, state: ServiceState) => Script,
): Service => {
  const state: ServiceState = { onCreate: 'queued', onRead: 'processing', nextPollMs: 3_600_000, now }
  backend.answer((request) => answer(request, state))
  const asked = (method: string, path: string) =>
    backend.requests.filter((request) => request.method === method && request.path.startsWith(path))
  return { state, asked, creates: () => asked('POST', createPath) }
}

const primaryJob = (id: string, status: JobState, { now, nextPollMs }: ServiceState) => ({
  id,
  operation_id: id,
  status_url: `/api/v1/videos/${id}`,
  status,
  ...(status === 'completed' && { video_url: `https://cdn.example/${id}.mp4?sig=abc` }),
  ...(status === 'failed' && { error: 'render_failed', message: 'it did not work' }),
  ...((status === 'queued' || status === 'processing') && { next_poll_at: new Date(now() + nextPollMs).toISOString() }),
})

/** Makes a scripted backend answer as the primary interface does. */
export const servePrimary = (backend: ScriptedBackend, now: () => number = Date.now): Service => {
  let jobs = 0
  return service(backend, now, '/api/v1/videos/text', ({ method, path }, state) => {
    if (method === 'POST' && path === '/api/v1/videos/text') {
      jobs += 1
      const headers = { 'x-service-credits-required': '1', 'x-service-credits-remaining': '9' }
      return { status: 202, headers, body: primaryJob(`api_video_${jobs}`, state.onCreate, state) }
    }
    const job = /^\/api\/v1\/videos\/(api_video_\d+)$/.exec(path)?.[1]
    if (job !== undefined) return { body: primaryJob(job, state.onRead, state) }
    if (path === '/api/v1/voices/service') return { body: { object: 'list', data: VOICES.main } }
    if (path.startsWith('/api/v1/puppets?'))
      return { body: { data: [{ id: 'pup_m', imageUrl: 'https://img.example/m.png' }] } }
    return { status: 404, body: { error: 'not_found', message: 'nothing here' } }
  })
}

const alternateJob = (id: string, status: JobState, { now, nextPollMs }: ServiceState) => ({
  id,
  status: status === 'queued' ? 'processing' : status,
  puppet_id: 'pup_1',
  ...(status === 'completed' && { download_url: `https://cdn.example/${id}.mp4?sig=def`, duration_sec: 4 }),
  ...(status === 'failed' && { error: { code: 'render_failed', message: 'it did not work' } }),
  ...((status === 'queued' || status === 'processing') && { next_poll_at: new Date(now() + nextPollMs).toISOString() }),
})

/** Makes a scripted backend answer as the alternate interface does. */
export const serveAlternate = (backend: ScriptedBackend, now: () => number = Date.now): Service => {
  let jobs = 0
  return service(backend, now, '/v1/videos', ({ method, path }, state) => {
    if (method === 'POST' && path === '/v1/videos') {
      jobs += 1
      return { status: 201, body: alternateJob(`clip_${jobs}`, state.onCreate, state) }
    }
    const [, job, download] = /^\/v1\/videos\/(clip_\d+)(\/download)?$/.exec(path) ?? []
    if (job !== undefined && download !== undefined) {
      const expires_at = new Date(Date.parse('2036-01-01')).toISOString()
      return { body: { download_url: `https://cdn.example/${job}.mp4?sig=new`, expires_at } }
    }
    if (job !== undefined) return { body: alternateJob(job, state.onRead, state) }
    if (path.startsWith('/v1/videos?')) return { body: { data: [] } }
    if (path === '/v1/voices') return { body: { data: VOICES.alt } }
    if (path === '/v1/puppets')
      return {
        body: { data: [{ id: 'pup_1', name: 'Anna', type: 'stock', thumbnail_url: 'https://img.example/a.png' }] },
      }
    return { status: 404, body: { error: { code: 'not_found', message: 'nothing here' } } }
  })
}

import type { RecordedRequest, Script, ScriptedBackend } from '../fakes/backend.ts'

/** Bodies that the two interfaces take as they are. */
export const MAIN_BODY = { image_url: 'https://img.example/me.png', text: 'Hello' }
export const ALT_BODY = { backend: 'alt', puppet_id: 'pup_1', text: 'Hello' }

export type JobState = 'queued' | 'processing' | 'completed' | 'failed'

export interface Service {
  /** How jobs are when they are created, and when they are looked at. */
  state: { onCreate: JobState; onRead: JobState }
  /** Requests that created, or tried to. */
  creates(): RecordedRequest[]
  /** Requests whose path starts so. */
  asked(method: string, path: string): RecordedRequest[]
}

const soon = (): string => new Date(Date.now() + 20).toISOString()

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
    { id: 'w2', name: 'Eng', gender: 'male', language: 'eng', preview_url: null },
  ],
}

const service = (
  backend: ScriptedBackend,
  createPath: string,
  answer: (request: RecordedRequest, state: Service['state']) => Script,
): Service => {
  const state: Service['state'] = { onCreate: 'queued', onRead: 'processing' }
  backend.answer((request) => answer(request, state))
  const asked = (method: string, path: string) =>
    backend.requests.filter((request) => request.method === method && request.path.startsWith(path))
  return { state, asked, creates: () => asked('POST', createPath) }
}

const primaryJob = (id: string, status: JobState) => ({
  id,
  operation_id: id,
  status_url: `/api/v1/videos/${id}`,
  status,
  ...(status === 'completed' && { video_url: `https://cdn.example/${id}.mp4?sig=abc` }),
  ...(status === 'failed' && { error: 'render_failed', message: 'it did not work' }),
  ...((status === 'queued' || status === 'processing') && { next_poll_at: soon() }),
})

/** Makes a scripted backend answer as the primary interface does. */
export const servePrimary = (backend: ScriptedBackend): Service => {
  let jobs = 0
  return service(backend, '/api/v1/videos/text', ({ method, path }, state) => {
    if (method === 'POST' && path === '/api/v1/videos/text') {
      jobs += 1
      const headers = { 'x-service-credits-required': '1', 'x-service-credits-remaining': '9' }
      return { status: 202, headers, body: primaryJob(`api_video_${jobs}`, state.onCreate) }
    }
    const job = /^\/api\/v1\/videos\/(api_video_\d+)$/.exec(path)?.[1]
    if (job !== undefined) return { body: primaryJob(job, state.onRead) }
    if (path === '/api/v1/voices/service') return { body: { object: 'list', data: VOICES.main } }
    if (path.startsWith('/api/v1/puppets'))
      return { body: { data: [{ id: 'pup_m', imageUrl: 'https://img.example/m.png' }] } }
    return { status: 404, body: { error: 'not_found', message: 'nothing here' } }
  })
}

const alternateJob = (id: string, status: JobState) => ({
  id,
  status: status === 'queued' ? 'processing' : status,
  puppet_id: 'pup_1',
  ...(status === 'completed' && { download_url: `https://cdn.example/${id}.mp4?sig=def`, duration_sec: 4 }),
  ...(status === 'failed' && { error: { code: 'render_failed', message: 'it did not work' } }),
  ...((status === 'queued' || status === 'processing') && { next_poll_at: soon() }),
})

/** Makes a scripted backend answer as the alternate interface does. */
export const serveAlternate = (backend: ScriptedBackend): Service => {
  let jobs = 0
  return service(backend, '/v1/videos', ({ method, path }, state) => {
    if (method === 'POST' && path === '/v1/videos') {
      jobs += 1
      return { status: 201, body: alternateJob(`clip_${jobs}`, state.onCreate) }
    }
    const [, job, download] = /^\/v1\/videos\/(clip_\d+)(\/download)?$/.exec(path) ?? []
    if (job !== undefined && download !== undefined) {
      const expires_at = new Date(Date.parse('2036-01-01')).toISOString()
      return { body: { download_url: `https://cdn.example/${job}.mp4?sig=new`, expires_at } }
    }
    if (job !== undefined) return { body: alternateJob(job, state.onRead) }
    if (path === '/v1/voices') return { body: { data: VOICES.alt } }
    if (path === '/v1/puppets')
      return {
        body: { data: [{ id: 'pup_1', name: 'Anna', type: 'stock', thumbnail_url: 'https://img.example/a.png' }] },
      }
    return { status: 404, body: { error: { code: 'not_found', message: 'nothing here' } } }
  })
}

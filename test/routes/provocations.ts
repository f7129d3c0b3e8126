import { createServer } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Response } from 'supertest'
import type { ProblemCode } from '../../src/core/errors.ts'
import type { Script } from '../fakes/backend.ts'
import { bearer, KEYS, testApp, type GatewayOptions, type TestApp } from '../fakes/gateway.ts'
import { until } from '../fakes/until.ts'
import { expectVideo } from './expect.ts'
import { givenUp } from './given-up.ts'
import { MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

/** What makes the gateway answer a code, over HTTP, in front of scripted backends and a store on disk. */
export type Provocation = () => Promise<Response>

const stage = async (options: GatewayOptions = {}): Promise<TestApp> => {
  const app = await testApp(options)
  servePrimary(app.main)
  serveAlternate(app.alt)
  return app
}
const limited = (limits: Record<string, unknown>): GatewayOptions => ({
  clients: [{ id: 'anna', key: KEYS.anna, limits }],
})
const SPLIT: GatewayOptions = { routing: { rules: [{ split: { main: 100, alt: 0 } }] } }
const ask = (app: TestApp, method: 'post' | 'put' | 'delete', path: string, body?: object) =>
  app.raw[method](`/unified/v1${path}`).set(bearer(KEYS.anna)).send(body)

const create =
  (body: unknown, headers: Record<string, string> = {}, options: GatewayOptions = {}): Provocation =>
  async () =>
    (await stage(options)).post(body, headers)
const read =
  (path: string, headers: Record<string, string> = {}): Provocation =>
  async () =>
    (await stage()).get(path).set(headers)
/** The backend refuses the create so. */
const refused =
  (status: number, error: string, more: object = {}, options: GatewayOptions = {}): Provocation =>
  async () => {
    const app = await stage(options)
    app.main.next({ status, body: { error, message: 'no', ...more } })
    return app.post(MAIN_BODY)
  }
/** The backend does so when it is asked for its portraits. */
const unread =
  (script: Script): Provocation =>
  async () => {
    const app = await stage({ backends: { main: { timeout: '1s' } } })
    app.main.next(script)
    return app.get('/puppets?backend=main')
  }

const AUDIO_ELSEWHERE = { status: 400, body: { error: 'invalid_request', message: 'no' } }
/** A stranger's audio, which the backend wants hosted: it is to be fetched from there. */
const transferred = async (audioUrl: string, options: GatewayOptions = {}): Promise<Response> => {
  const app = await stage(options)
  const { status, body } = AUDIO_ELSEWHERE
  app.main.next({ status, body: { ...body, retry_block_code: 'HOSTED_AUDIO_UPLOAD_NOT_FOUND' } })
  return app.post({ image_url: MAIN_BODY.image_url, audio_url: audioUrl })
}

/** Where nobody listens any more. */
const gone = async (): Promise<string> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('a listener has a port')
  return `http://127.0.0.1:${address.port}`
}

const KEY = { 'idempotency-key': 'order-1' }
const LOOPBACK = { webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] } }

const REQUESTS = {
  invalid_request: create({ ...MAIN_BODY, colour: 'red' }),
  invalid_json: create('{"image_url":'),
  invalid_cursor: read('/videos?cursor=bm8'),
  idempotency_key_invalid: create(MAIN_BODY, { 'idempotency-key': ' ' }),
  unauthenticated: async () => (await stage()).raw.get('/unified/v1/videos'),
  insufficient_scope: async () => {
    const clients = [{ id: 'anna', key: KEYS.anna, scopes: ['voices:read'] }]
    return (await stage({ clients })).get('/videos')
  },
  not_found: read('/nothing'),
  endpoint_not_found: read('/webhook_endpoints/we_unknown'),
  event_not_found: read('/events/evt_unknown'),
  delivery_not_found: read('/deliveries/dlv_unknown'),
  video_not_found: read('/videos/vid_00000000000000000000000000'),
  backend_not_found: read('/backends/nowhere/drift'),
  method_not_allowed: async () => ask(await stage(), 'put', '/videos'),
  not_acceptable: read('/videos', { accept: 'image/png' }),
  payload_too_large: create({ ...MAIN_BODY, text: 'x'.repeat(65_536) }),
  file_too_large: async () =>
    ask(await stage(), 'post', '/uploads', { content_type: 'audio/wav', size_bytes: 52_428_801 }),
  unsupported_media_type: create('text', { 'content-type': 'text/plain' }),
  capability_not_supported: create({ ...MAIN_BODY, resolution: '720p' }),
  webhook_url_not_allowed: create({ ...MAIN_BODY, webhook_url: 'https://10.0.0.1/' }),
  upload_not_found: create({ image_url: MAIN_BODY.image_url, upload_id: 'upl_00000000000000000000000000' }),
} satisfies Partial<Record<ProblemCode, Provocation>>

const STATES = {
  not_owner: async () => ask(await stage(), 'delete', '/puppets/main:pup_m'),
  puppet_not_found: create({ puppet_id: 'main:nobody', text: 'Hello' }),
  idempotency_key_conflict: async () => {
    const app = await stage()
    expectVideo(await app.post(MAIN_BODY, KEY), 202)
    return app.post({ ...MAIN_BODY, text: 'Another' }, KEY)
  },
  idempotency_key_in_progress: async () => {
    const app = await stage({ backends: { main: { timeout: '1s' } } })
    app.main.next({ fault: 'hang' })
    const first = app.post(MAIN_BODY, KEY).then((response) => expectVideo(response, 202))
    await until(() => app.main.requests.length === 1)
    const second = await app.post(MAIN_BODY, KEY)
    await first
    return second
  },
  video_replaced: async () => {
    const { resolve } = await givenUp()
    await resolve({ job_id: 'clip_7' }).expect(200)
    return resolve({ job_id: 'clip_8' })
  },
  endpoint_disabled_by_operator: async () => {
    const app = await stage()
    const made = await ask(app, 'post', '/webhook_endpoints', { url: 'https://hooks.example/' })
    const { id } = made.body as { id: string }
    await ask(app, 'post', `/admin/endpoints/${id}/disable`)
    return app.raw.patch(`/unified/v1/webhook_endpoints/${id}`).set(bearer(KEYS.anna)).send({ enabled: true })
  },
  rule_not_found: async () => ask(await stage(), 'post', '/admin/migration/step', { rule: 'rule_none' }),
  key_not_found: async () => ask(await stage(), 'post', '/admin/keys/key_none/revoke'),
  key_not_active: async () => {
    const app = await stage()
    const made = await ask(app, 'post', '/admin/keys', { client: 'anna', scopes: ['*'] })
    const at = `/admin/keys/${(made.body as { id: string }).id}`
    await ask(app, 'post', `${at}/revoke`)
    return ask(app, 'post', `${at}/rotate`)
  },
  client_not_found: async () => ask(await stage(), 'delete', '/admin/clients/nobody'),
  client_exists: async () => {
    const app = await stage()
    await ask(app, 'post', '/admin/clients', { id: 'acme' })
    return ask(app, 'post', '/admin/clients', { id: 'acme' })
  },
  client_configured: async () => ask(await stage(), 'post', '/admin/clients', { id: 'anna' }),
  ramp_refused: async () => ask(await stage(SPLIT), 'post', '/admin/migration/resume'),
  import_in_doubt: async () => {
    const app = await stage()
    // It may have made any job of the account.
    app.main.next({ fault: 'cut' })
    expectVideo(await app.post(MAIN_BODY), 202)
    return ask(app, 'post', '/videos/import', { backend: 'main', backend_job_id: 'api_video_9' })
  },
  video_not_cancelable: async () => {
    const app = await stage()
    const { id } = expectVideo(await app.post(MAIN_BODY), 202)
    return ask(app, 'post', `/videos/${id}/cancel`)
  },
  video_not_deletable: async () => {
    const app = await stage()
    const { id } = expectVideo(await app.post(MAIN_BODY), 202)
    return ask(app, 'delete', `/videos/${id}`)
  },
  video_not_completed: async () => {
    const app = await stage()
    const { id } = expectVideo(await app.post(MAIN_BODY), 202)
    return app.get(`/videos/${id}/download`)
  },
  rate_limited: async () => {
    const app = await stage(limited({ requests_per_minute: 1 }))
    await app.get('/videos').expect(200)
    return app.get('/videos')
  },
  concurrency_limit_reached: async () => {
    const app = await stage({ ...limited({ queued_videos: 1 }), backends: { main: { slots: 1 } } })
    for (let n = 0; n < 2; n += 1) expectVideo(await app.post(MAIN_BODY), 202)
    return app.post(MAIN_BODY)
  },
  quota_exceeded: async () => {
    const app = await stage(limited({ videos_per_month: 1 }))
    expectVideo(await app.post(MAIN_BODY), 202)
    return app.post(MAIN_BODY)
  },
  queue_full: async () => {
    const app = await stage({ engine: { queue_limit: 1 }, backends: { main: { slots: 1 } } })
    for (let n = 0; n < 2; n += 1) expectVideo(await app.post(MAIN_BODY), 202)
    return app.post(MAIN_BODY)
  },
  internal_error: async () => {
    const broken = () => Promise.reject(new Error('a bug of ours'))
    return (await stage({ wrapStore: (store) => ({ ...store, list: broken }) })).get('/videos')
  },
  store_unavailable: async () => {
    const app = await stage()
    const other = new DatabaseSync(join(app.dir, 'talkbridge.db'))
    other.exec('ALTER TABLE videos RENAME TO videos_of_somebody_else')
    other.close()
    return app.get('/videos')
  },
  shutting_down: async () => {
    const app = await stage()
    app.deps.stopping.abort()
    return app.raw.get('/readyz')
  },
} satisfies Partial<Record<ProblemCode, Provocation>>

const BACKENDS = {
  invalid_image: refused(400, 'invalid_image'),
  upload_not_finished: refused(400, 'invalid_request', { retry_block_code: 'HOSTED_AUDIO_UPLOAD_PENDING' }),
  insufficient_credits: refused(402, 'no_credits'),
  voice_not_found: refused(404, 'voice_not_found'),
  audio_url_not_allowed: () => transferred('https://10.0.0.1/a.wav'),
  audio_unreachable: async () => transferred(`${await gone()}/a.wav`, LOOPBACK),
  upload_check_unavailable: async () => {
    const app = await stage()
    app.main.next({ status: 400, body: { error: 'hosted_audio_upload_unavailable', message: 'not now' } })
    return ask(app, 'post', '/uploads', { content_type: 'audio/wav', size_bytes: 1_000 })
  },
  backend_error: unread({ status: 500, body: '<html>' }),
  backend_credentials_rejected: refused(401, 'unauthorized'),
  backend_unavailable: async () => (await stage({ backends: { main: { base_url: await gone() } } })).post(MAIN_BODY),
  backend_timeout: unread({ fault: 'hang' }),
} satisfies Partial<Record<ProblemCode, Provocation>>

export const PROVOCATIONS: Partial<Record<ProblemCode, Provocation>> = { ...REQUESTS, ...STATES, ...BACKENDS }

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES, type Scope } from '../../src/core/vocabulary.ts'
import { bearer, KEYS, openApp, type TestApp } from '../fakes/gateway.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

/** Who may do what: keys, scopes and whose videos are whose. */
const keyOf = (scope: Scope): string => `tb_scope_${scope.replaceAll(/[^a-z]/g, '_')}_0123456789`
const CLIENTS = [
  ...Object.entries(KEYS).map(([id, key]) => ({ id, key })),
  ...SCOPES.map((scope, index) => ({ id: `scope-${index}`, key: keyOf(scope), scopes: [scope] })),
]

let app: TestApp
let video: string
beforeAll(async () => {
  app = await openApp({ clients: CLIENTS })
  servePrimary(app.main).state.onCreate = 'completed'
  serveAlternate(app.alt)
  video = expectVideo(await app.post(MAIN_BODY), 200).id
})
afterAll(() => app.close())

interface Operation {
  name: string
  method: 'get' | 'post' | 'patch' | 'delete'
  path: () => string
  scope: Scope
  /** What a caller with the scope, but without videos of its own, is answered. */
  status: number
}

const OPERATIONS: Operation[] = [
  { name: 'createVideo', method: 'post', path: () => '/videos', scope: 'videos:create', status: 400 },
  { name: 'listVideos', method: 'get', path: () => '/videos', scope: 'videos:read', status: 200 },
  { name: 'getVideo', method: 'get', path: () => `/videos/${video}`, scope: 'videos:read', status: 404 },
  {
    name: 'getVideoDownload',
    method: 'get',
    path: () => `/videos/${video}/download`,
    scope: 'videos:read',
    status: 404,
  },
  { name: 'getVideoContent', method: 'get', path: () => `/videos/${video}/content`, scope: 'videos:read', status: 404 },
  {
    name: 'streamVideoEvents',
    method: 'get',
    path: () => `/videos/${video}/events`,
    scope: 'videos:read',
    status: 404,
  },
  { name: 'streamEvents', method: 'get', path: () => '/events/stream?types=', scope: 'webhooks:read', status: 400 },
  { name: 'listVoices', method: 'get', path: () => '/voices', scope: 'voices:read', status: 200 },
  { name: 'listPuppets', method: 'get', path: () => '/puppets', scope: 'videos:read', status: 200 },
  { name: 'getPuppet', method: 'get', path: () => '/puppets/main:pup_m', scope: 'videos:read', status: 200 },
  { name: 'createPuppet', method: 'post', path: () => '/puppets', scope: 'videos:create', status: 400 },
  { name: 'deletePuppet', method: 'delete', path: () => '/puppets/main:pup_m', scope: 'videos:create', status: 403 },
  { name: 'createSpeech', method: 'post', path: () => '/speech', scope: 'tts:create', status: 400 },
  { name: 'createUpload', method: 'post', path: () => '/uploads', scope: 'uploads:create', status: 400 },
  { name: 'getMigration', method: 'get', path: () => '/migration', scope: 'admin', status: 200 },
  { name: 'stepSplit', method: 'post', path: () => '/admin/migration/step', scope: 'admin', status: 404 },
  { name: 'rollbackSplit', method: 'post', path: () => '/admin/migration/rollback', scope: 'admin', status: 404 },
  { name: 'resumeSplit', method: 'post', path: () => '/admin/migration/resume', scope: 'admin', status: 404 },
  ...['videos', 'events', 'deliveries', 'endpoints', 'usage', 'usage?format=csv'].map((name): Operation => ({
    name,
    method: 'get',
    path: () => `/admin/${name}`,
    scope: 'admin',
    status: 200,
  })),
  { name: 'streamAdminEvents', method: 'get', path: () => '/admin/events/stream?types=', scope: 'admin', status: 400 },
  { name: 'getAdminVideo', method: 'get', path: () => `/admin/videos/${video}`, scope: 'admin', status: 200 },
  {
    name: 'streamAdminVideoEvents',
    method: 'get',
    path: () => '/admin/videos/vid_1/events',
    scope: 'admin',
    status: 404,
  },
  {
    name: 'cancelAdminVideo',
    method: 'post',
    path: () => `/admin/videos/${video}/cancel`,
    scope: 'admin',
    status: 409,
  },
  {
    name: 'redeliverAdminEvent',
    method: 'post',
    path: () => '/admin/events/evt_1/redeliver',
    scope: 'admin',
    status: 404,
  },
  { name: 'getAdminDelivery', method: 'get', path: () => '/admin/deliveries/dlv_1', scope: 'admin', status: 404 },
  { name: 'getAdminEndpoint', method: 'get', path: () => '/admin/endpoints/we_1', scope: 'admin', status: 404 },
  { name: 'getUsage', method: 'get', path: () => '/usage', scope: 'videos:read', status: 200 },
  { name: 'listBackends', method: 'get', path: () => '/backends', scope: 'videos:read', status: 200 },
  { name: 'getOverview', method: 'get', path: () => '/overview', scope: 'videos:read', status: 200 },
  { name: 'getAdminOverview', method: 'get', path: () => '/admin/overview', scope: 'admin', status: 200 },
  { name: 'getBackend', method: 'get', path: () => '/backends/main', scope: 'videos:read', status: 200 },
  { name: 'listAdminBackends', method: 'get', path: () => '/admin/backends', scope: 'admin', status: 200 },
  { name: 'getAdminBackend', method: 'get', path: () => '/admin/backends/main', scope: 'admin', status: 200 },
  { name: 'getDrift', method: 'get', path: () => '/backends/main/drift', scope: 'videos:read', status: 200 },
  { name: 'getWebhookSecret', method: 'get', path: () => '/webhook_secret', scope: 'webhooks:write', status: 200 },
  {
    name: 'rotateWebhookSecret',
    method: 'post',
    path: () => '/webhook_secret/rotate',
    scope: 'webhooks:write',
    status: 200,
  },
  {
    name: 'createWebhookEndpoint',
    method: 'post',
    path: () => '/webhook_endpoints',
    scope: 'webhooks:write',
    status: 400,
  },
  {
    name: 'listWebhookEndpoints',
    method: 'get',
    path: () => '/webhook_endpoints',
    scope: 'webhooks:read',
    status: 200,
  },
  {
    name: 'getWebhookEndpoint',
    method: 'get',
    path: () => '/webhook_endpoints/we_1',
    scope: 'webhooks:read',
    status: 404,
  },
  {
    name: 'updateWebhookEndpoint',
    method: 'patch',
    path: () => '/webhook_endpoints/we_1',
    scope: 'webhooks:write',
    status: 415,
  },
  {
    name: 'deleteWebhookEndpoint',
    method: 'delete',
    path: () => '/webhook_endpoints/we_1',
    scope: 'webhooks:write',
    status: 404,
  },
  {
    name: 'rotateWebhookEndpointSecret',
    method: 'post',
    path: () => '/webhook_endpoints/we_1/rotate_secret',
    scope: 'webhooks:write',
    status: 404,
  },
  {
    name: 'testWebhookEndpoint',
    method: 'post',
    path: () => '/webhook_endpoints/we_1/test',
    scope: 'webhooks:write',
    status: 404,
  },
  {
    name: 'replayWebhookEndpoint',
    method: 'post',
    path: () => '/webhook_endpoints/we_1/replay',
    scope: 'webhooks:write',
    status: 400,
  },
  {
    name: 'listEvents',
    method: 'get',
    path: () => '/events',
    scope: 'webhooks:read',
    status: 200,
  },
  {
    name: 'getEvent',
    method: 'get',
    path: () => '/events/evt_1',
    scope: 'webhooks:read',
    status: 404,
  },
  {
    name: 'redeliverEvent',
    method: 'post',
    path: () => '/events/evt_1/redeliver',
    scope: 'webhooks:write',
    status: 404,
  },
  {
    name: 'listDeliveries',
    method: 'get',
    path: () => '/deliveries',
    scope: 'webhooks:read',
    status: 200,
  },
  {
    name: 'getDelivery',
    method: 'get',
    path: () => '/deliveries/dlv_1',
    scope: 'webhooks:read',
    status: 404,
  },
]

const call = ({ method, path }: Operation, headers: Record<string, string>) =>
  method === 'post'
    ? app.raw
        .post(`/unified/v1${path()}`)
        .set({ 'content-type': 'application/json', ...headers })
        .send('{}')
    : app.raw[method](`/unified/v1${path()}`).set(headers)

describe('401 unauthenticated', () => {
  const HEADERS: Record<string, string | null> = {
    'no key': null,
    'an unknown key': 'Bearer tb_nobody_0123456789abcdef',
    'an empty key': 'Bearer ',
    'another scheme': `Basic ${Buffer.from(`anna:${KEYS.anna}`).toString('base64')}`,
    'no scheme': KEYS.anna,
    'two keys': `Bearer ${KEYS.anna} ${KEYS.bert}`,
    'two keys in one header': `Bearer ${KEYS.anna}, Bearer ${KEYS.bert}`,
    'the beginning of a key': `Bearer ${KEYS.anna.slice(0, -1)}`,
    'a key and more': `Bearer ${KEYS.anna}x`,
    'a key in other case': `Bearer ${KEYS.anna.toUpperCase()}`,
    'a very long key': `Bearer ${'k'.repeat(8_000)}`,
    'a key with a tab': `Bearer\t${KEYS.anna}`,
  }

  test.each(Object.entries(HEADERS))('%s', async (_name, authorization) => {
    for (const operation of OPERATIONS) {
      const response = await call(operation, authorization === null ? {} : { authorization })
      const problem = expectProblem(response, 'unauthenticated', { retryable: false })
      expect(response.headers['www-authenticate']).toBe('Bearer')
      expect(problem.detail).not.toContain('tb_')
    }
  })

  test('a key in the query opens nothing', async () => {
    expectProblem(await app.raw.get(`/unified/v1/videos?key=${KEYS.anna}&access_token=${KEYS.anna}`), 'unauthenticated')
  })

  test('nor does a key tell which paths exist', async () => {
    expectProblem(await app.raw.get('/unified/v1/nothing'), 'unauthenticated')
    expectProblem(await app.raw.delete('/unified/v1/videos'), 'unauthenticated')
  })

  test('the scheme is read in any case (RFC 9110)', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
      expect((await app.raw.get('/unified/v1/videos').set('authorization', `${scheme} ${KEYS.anna}`)).status).toBe(200)
    }
  })
})

describe('403 insufficient_scope, for every operation and every scope', () => {
  test.each(OPERATIONS)('$name needs $scope', async (operation) => {
    for (const scope of SCOPES) {
      const response = await call(operation, bearer(keyOf(scope)))
      if (scope === operation.scope || scope === '*')
        expect([scope, response.status]).toEqual([scope, operation.status])
      else {
        const problem = expectProblem(response, 'insufficient_scope', { retryable: false })
        expect(problem.details).toEqual({ scope: operation.scope })
      }
    }
  })
})

describe("another client's video is the same 404 as an unknown one", () => {
  const UNKNOWN = 'vid_00000000000000000000000000'
  const HEADERS = { ...bearer(KEYS.bert), 'x-request-id': 'same' }
  /** Without those that count the requests, and differ whatever is asked. */
  const headersOf = ({ headers }: { headers: Record<string, string> }) =>
    Object.entries(headers).filter(([name]) => !/^date$|^ratelimit$|^x-ratelimit-re/.test(name))

  test.each(['', '/download', '/content', '/content?sig=wrong', '/events'])('GET /videos/{id}%s', async (rest) => {
    const ask = (id: string) => app.raw.get(`/unified/v1/videos/${id}${rest}`).set(HEADERS)
    const [theirs, unknown] = [await ask(video), await ask(UNKNOWN)]
    expectProblem(theirs, 'video_not_found')
    expect(theirs.text.replaceAll(video, UNKNOWN)).toBe(unknown.text)
    expect(headersOf(theirs)).toEqual(headersOf(unknown))
  })

  test('and is in none of its lists, while its owner sees it', async () => {
    expect((await app.raw.get('/unified/v1/videos').set(HEADERS)).body).toMatchObject({ data: [] })
    expect((await app.get('/videos')).body).toMatchObject({ data: [{ id: video }] })
    expectVideo(await app.get(`/videos/${video}`), 200)
  })

  test('one key of idempotency serves two clients apart', async () => {
    const key = { 'idempotency-key': 'shared' }
    const anna = expectVideo(await app.post(MAIN_BODY, key), 200)
    const bert = expectVideo(await app.post({ ...MAIN_BODY, text: 'Mine' }, { ...key, ...bearer(KEYS.bert) }), 200)
    expect(bert.id).not.toBe(anna.id)
  })
})

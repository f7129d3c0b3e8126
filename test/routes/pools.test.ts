import { expect, onTestFinished, test } from 'vitest'
import { numbered, openWaiting } from '../contract/store/helpers.ts'
import { OverviewSeriesView, OverviewView } from '../../src/core/api/admin.ts'
import { createEndings } from '../fakes/ended-videos.ts'
import { HOUR, SECOND } from '../fakes/records.ts'
import { MAIN, virtualStage } from '../faults/virtual.ts'
import { startSandbox } from '@talkbridge/sandbox'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { injectFault } from '../fakes/sandbox-faults.ts'
import { bearer, KEYS, testApp, type GatewayOptions } from '../fakes/gateway.ts'
import { signIn } from './console/stage.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { MAIN_BODY } from './services.ts'

const IMAGE = 'https://example.com/ada.png'

/** A pool of two accounts of one sandbox. */
const start = async (options: Pick<GatewayOptions, 'clients' | 'routing' | 'dropin' | 'isBeyondContract'> = {}) => {
  const sandbox = await startSandbox({ clock: createSystemClock(), unlimitedRate: true })
  onTestFinished(() => sandbox.close())
  const issued = await fetch(`${sandbox.primaryUrl}/sandbox/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ interface: 'primary' }),
  })
  const { key: second } = (await issued.json()) as { key: string }
  const member = (api_key: string) => ({ interface: 'primary', base_url: sandbox.primaryUrl, api_key, slots: 2 })
  const app = await testApp({
    ...options,
    clients: options.clients ?? [{ id: 'anna', key: KEYS.anna, backends: ['pool'] }],
    backends: { 'main-a': member(sandbox.primaryKey), 'main-b': member(second) },
    routing: {
      pools: { pool: ['main-a', 'main-b'] },
      default: 'pool',
      dropin: { primary: 'pool' },
      ...options.routing,
    },
  })
  const dropin = (method: 'get' | 'post' | 'delete', path: string) => app.raw[method](path).set(bearer(KEYS.anna))
  const failOnce = (operation: string) =>
    injectFault(sandbox.primaryUrl, { interface: 'primary', kind: 'status', status: 500, operation })
  const revokeFirst = () => fetch(`${sandbox.primaryUrl}/sandbox/keys/key_primary`, { method: 'DELETE' })
  /** The id of what no gateway made on the second account. */
  const ofSecond = async (path: string, body: object): Promise<string> => {
    const made = await fetch(`${sandbox.primaryUrl}/api/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${second}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { id, job_id } = (await made.json()) as { id?: string; job_id?: string }
    return id ?? job_id ?? ''
  }
  const jobOfSecond = () => ofSecond('videos/text', { image_url: IMAGE, text: 'Hello' })
  return { app, dropin, failOnce, revokeFirst, ofSecond, jobOfSecond }
}

const namesOf = (items: readonly { backend: string }[]): string[] => [...new Set(items.map(({ backend }) => backend))]

test('voices are listed once, under the name of the pool; portraits under those of its members', async () => {
  const { app } = await start()
  const voices = (await app.get('/voices?limit=100')).body
  expect(namesOf(voices.data)).toEqual(['pool'])
  const [{ id }] = voices.data
  expect(id).toMatch(/^pool:/)
  const video = expectVideo(await app.post({ ...MAIN_BODY, voice_id: id }), 202)
  // Either: the read of the voices counts in the window of one, and its answer may not be learned yet.
  expect(['main-a', 'main-b']).toContain(video.backend)
  expect(video).toMatchObject({ routing: { chosen_by: 'id', pool: 'pool' } })
  const ofMember = (await app.get('/voices?backend=main-b&limit=100')).body
  expect(namesOf(ofMember.data)).toEqual(['main-b'])
  expect(ofMember.data).toHaveLength(voices.data.length)
})

test('a portrait is saved at the member with most room, found under its bare name, and pins its videos there', async () => {
  const { app, dropin } = await start()
  await app.post({ ...MAIN_BODY, backend: 'main-a' })
  const saved = (await dropin('post', '/api/v1/puppets').send({ imageUrl: IMAGE, name: 'Ada' })).body
  // Beside it the four that the first account of a sandbox begins with.
  const listed: { id: string }[] = (await app.get('/puppets')).body.data
  expect(listed.at(-1)).toMatchObject({ id: `main-b:${saved.id}`, backend: 'main-b' })
  const shown = (await dropin('get', '/api/v1/puppets')).text
  expect(listed.filter(({ id }) => shown.includes(id.slice('main-a:'.length)))).toHaveLength(5)
  const video = expectVideo(await app.post({ puppet_id: saved.id, text: 'Hello' }), 202)
  expect(video).toMatchObject({ backend: 'main-b', routing: { chosen_by: 'default', pool: 'pool' } })
  expect((await dropin('get', `/api/v1/puppets/${saved.id}`)).status).toBe(200)
  expect((await app.get(`/puppets/pool:${saved.id}`)).body).toMatchObject({ backend: 'main-b' })
  expect((await dropin('delete', `/api/v1/puppets/${saved.id}`)).status).toBe(204)
  expect((await dropin('get', `/api/v1/puppets/${saved.id}`)).status).toBe(404)
})

test('a sample of a voice is found under the name of the pool', async () => {
  const { app } = await start()
  const page = await signIn(app)
  const [{ id }] = (await app.get('/voices?limit=100')).body.data
  await page
    .call('get', `/media/voices/${id}`)
    .expect(200)
    .expect('content-type', /^audio\//)
  expectProblem(await page.call('get', '/media/voices/pool:none'), 'voice_not_found')
})

test('a sample of a voice is found below the drop-in surface while the first member fails', async () => {
  // A sample is in no document.
  const { app, dropin, revokeFirst } = await start({ isBeyondContract: true })
  await revokeFirst()
  const [{ preview_url: path }] = (await dropin('get', '/api/v1/voices/service').expect(200)).body.data
  await app.raw
    .get(path)
    .expect(200)
    .expect('content-type', /^audio\//)
})

test('a portrait is found at the member that has it while the first one fails', async () => {
  const { app, dropin, revokeFirst, ofSecond } = await start()
  const id = await ofSecond('puppets', { imageUrl: IMAGE })
  await revokeFirst()
  expect((await app.get(`/puppets/pool:${id}`)).body).toMatchObject({ id: `main-b:${id}`, backend: 'main-b' })
  expect((await dropin('get', `/api/v1/puppets/${id}`)).status).toBe(200)
  expectProblem(await app.raw.delete(`/unified/v1/puppets/pool:${id}`).set(bearer(KEYS.anna)), 'not_owner', {})
  // One that cannot be asked may have it.
  expect((await app.get('/puppets/pool:puppet_none')).body).toMatchObject({ backend: 'main-a', status: 502 })
})

test('an upload belongs to a member, and its video goes there', async () => {
  const { app } = await start()
  const asked = { content_type: 'audio/wav', size_bytes: 1_000 }
  const upload = async () => (await app.raw.post('/unified/v1/uploads').set(bearer(KEYS.anna)).send(asked)).body
  const first = await upload()
  await app.post({ ...MAIN_BODY, backend: 'main-a' })
  const second = await upload()
  expect([first.backend, second.backend]).toEqual(['main-a', 'main-b'])
})

test('pools are listed with what their members have together', async () => {
  const { app } = await start()
  const before = (await app.get('/backends')).body
  expect(namesOf(before.data.map(({ name }: { name: string }) => ({ backend: name })))).toEqual(['main-a', 'main-b'])
  expect(before.pools).toEqual([
    {
      object: 'pool',
      name: 'pool',
      interface: 'primary',
      members: ['main-a', 'main-b'],
      room: 4,
      slots: { limit: 4, used: 0 },
      queue_depth: 0,
    },
  ])
  for (let n = 0; n < 5; n += 1) expectVideo(await app.post({ ...MAIN_BODY, text: `Take ${n}` }), 202)
  expect((await app.get('/backends')).body.pools).toMatchObject([{ room: 0, slots: { used: 4 }, queue_depth: 1 }])
})

test('the name of a pool lists the videos and usage of its members; what is of one member names the members', async () => {
  const scopes = ['videos:create', 'videos:read', 'backends:read_all', 'admin']
  const { app } = await start({ clients: [{ id: 'anna', key: KEYS.anna, scopes }] })
  const made: string[] = []
  for (let n = 0; n < 4; n += 1)
    made.unshift(expectVideo(await app.post({ ...MAIN_BODY, text: `Take ${n}`, metadata: { take: 'all' } }), 202).id)
  const listed = async (path: string) => (await app.get(path).expect(200)).body
  for (const path of ['/videos?', '/videos?metadata=all&', '/admin/videos?', '/admin/videos?client=anna&']) {
    const ids = (list: { data: { id: string }[] }) => list.data.map(({ id }) => id)
    const first = await listed(`${path}backend=pool&limit=3`)
    const rest = await listed(`${path}backend=pool&limit=3&cursor=${first.next_cursor}`)
    expect([...ids(first), ...ids(rest)]).toEqual(made)
    expect(namesOf(first.data)).toHaveLength(2)
    expect(namesOf((await listed(`${path}backend=main-a`)).data)).toEqual(['main-a'])
  }
  expect(namesOf((await listed('/admin/usage?backend=pool')).data)).toEqual(['main-a', 'main-b'])
  const ofOne = (path: string) => app.get(path)
  expectProblem(await ofOne('/videos?backend=none'), 'invalid_request', { param: 'backend' })
  expect((await ofOne('/videos?backend=none')).body.detail).toMatch(/yours are .*pool, main-a, main-b$/)
  const members = 'pool is a pool: name one of its members, main-a, main-b'
  expect((await ofOne('/videos?origin=backend&backend=pool')).body.detail).toContain(members)
  for (const path of ['/backends/pool', '/backends/pool/drift', '/admin/backends/pool'])
    expect((await ofOne(path)).body).toMatchObject({ code: 'backend_not_found', detail: members })
})

test('the overview and its series take the name of a pool for all its members, and for nobody else', async () => {
  const { app } = await start({ clients: [{ id: 'anna', key: KEYS.anna, scopes: ['videos:create', 'admin'] }] })
  for (let n = 0; n < 5; n += 1) expectVideo(await app.post({ ...MAIN_BODY, text: `Take ${n}` }), 202)
  const end = createEndings(app.deps.store)
  const endedAtMs = app.deps.clock.now()
  await end(1, null, { endedAtMs, client: 'anna', backend: 'main-a', status: 'completed' })
  await end(2, null, { endedAtMs, client: 'anna', backend: 'main-b', status: 'completed' })
  await end(3, null, { endedAtMs, client: 'anna', backend: 'gone', status: 'completed' })
  for (const { account } of app.deps.backends.values())
    await app.deps.store.putSample({ account: account.id, atMs: endedAtMs, waiting: 0, used: 1, capacity: 10 })
  for (const path of ['/admin/overview', '/admin/overview?client=anna']) {
    const of = async (backend: string) => {
      const query = `${path.includes('?') ? '&' : '?'}backend=${backend}`
      return OverviewView.parse((await app.get(path + query).expect(200)).body)
    }
    const [a, b, pool] = [await of('main-a'), await of('main-b'), await of('pool')]
    expect(pool).toMatchObject({ backend: 'pool', ended: { completed: 3 }, time_to_done: { videos: 3 } })
    expect([a.ended.completed, b.ended.completed]).toEqual([1, 2])
    const open = ({ videos: { waiting, running, queued, processing } }: OverviewView) => [
      waiting + running,
      waiting + queued + processing,
    ]
    expect(open(pool)).toEqual([5, 5])
    expect((await of('none')).ended.completed).toBe(0)
  }
  const series = async (query: string) =>
    OverviewSeriesView.parse((await app.get(`/admin/overview/series?${query}`).expect(200)).body).series
  const done = await series('metric=completion&backend=pool')
  expect(done.map(({ key, points }) => [key, points[0]?.count])).toEqual([
    ['main-b', 2],
    ['main-a', 1],
  ])
  expectProblem(await app.get('/admin/overview/series?metric=budget&backend=none'), 'invalid_request', {
    param: 'backend',
  })
  expect((await series('metric=budget&backend=pool')).map(({ key }) => key).toSorted()).toEqual(['main-a', 'main-b'])
  expect((await series('metric=budget&backend=main-b')).map(({ key }) => key)).toEqual(['main-b'])
})

test('a report of a move takes a pool for all its members, and no member of the same pool on the other side', async () => {
  const { app } = await start({ clients: [{ id: 'anna', key: KEYS.anna, scopes: ['videos:create', 'admin'] }] })
  for (let n = 0; n < 3; n += 1) await app.post({ ...MAIN_BODY, text: `Take ${n}` })
  const report = (from: string, to: string) => app.get(`/migration/report?from=${from}&to=${to}`)
  const both = (await report('pool', 'alt').expect(200)).body
  expect(both).toMatchObject({ from: 'pool', to: 'alt', videos: 3, catalogues: [{ backend: 'pool' }, {}] })
  const each = [(await report('main-a', 'alt')).body.videos, (await report('main-b', 'alt')).body.videos]
  expect(new Set(each)).toEqual(new Set([1, 2]))
  for (const [from, to] of [
    ['pool', 'main-b'],
    ['main-a', 'pool'],
  ] as const)
    expectProblem(await report(from, to), 'invalid_request', { param: 'to' })
})

test('the drop-in surface adds up what the members have left, and can create as long as one of them can', async () => {
  const { app, dropin } = await start()
  const balance = async () => (await dropin('get', '/api/v1/usage')).body
  const both = await balance()
  expect(both.video_generation).toMatchObject({ can_create: true, active_jobs: 0, available_slots: 4 })
  const { body: usage } = await app.get('/usage')
  const left = usage.backends.map((one: { credits_remaining: number }) => one.credits_remaining)
  expect(both.credits.balance).toBe(left[0] + left[1])
  const created = await dropin('post', '/api/v1/videos/text').send({ image_url: IMAGE, text: 'Hello' })
  expect(created.status).toBe(202)
  expect((await dropin('get', `/api/v1/videos/${created.body.id ?? created.body.job_id}`)).status).toBe(200)
  const [shown] = (await app.get('/videos')).body.data
  expect(shown).toMatchObject({ backend: 'main-a', routing: { chosen_by: 'default', pool: 'pool' } })
})

test('voices come from the next member, where the list of one cannot be read', async () => {
  const one = await start()
  await one.failOnce('listServiceVoices')
  const voices = (await one.app.get('/voices?limit=100')).body
  expect(namesOf(voices.data)).toEqual(['pool'])
  const other = await start()
  await other.failOnce('listServiceVoices')
  const listed = await other.dropin('get', '/api/v1/voices/service')
  expect([listed.status, listed.body.data.length]).toEqual([200, voices.data.length])
})

test('the drop-in surface lists the portraits of the members that can be read, and says whose are missing', async () => {
  const list = (dropin: Awaited<ReturnType<typeof start>>['dropin'], query = '') =>
    dropin('get', `/api/v1/puppets?limit=2${query}`)
  const whole = await start()
  const { nextCursor } = (await list(whole.dropin)).body
  expect((await list(whole.dropin, `&cursor=${nextCursor}`)).headers['talkbridge-warning']).toBeUndefined()
  const { dropin, revokeFirst } = await start()
  await revokeFirst()
  const some = await list(dropin)
  expect(some.status).toBe(200)
  expect(some.headers['talkbridge-warning']).toBe('incomplete; backend=main-a; reason=backend_credentials_rejected')
  const next = await list(dropin, `&cursor=${nextCursor}`)
  expect([next.status, next.text]).toEqual([503, expect.stringContaining('portraits of main-a cannot be read now')])
})

test('a job is imported from the member that has it, though another cannot be asked', async () => {
  const { app, dropin, failOnce, jobOfSecond } = await start({ dropin: { adopt_existing: true } })
  const adopt = (id: string) =>
    app.raw.post('/unified/v1/videos/import').set(bearer(KEYS.anna)).send({ backend: 'pool', backend_job_id: id })
  await failOnce('getVideoJob')
  expect(expectVideo(await adopt(await jobOfSecond()), 201)).toMatchObject({ backend: 'main-b' })
  await failOnce('getVideoJob')
  expect((await dropin('get', `/api/v1/videos/${await jobOfSecond()}`)).status).toBe(200)
  // Nobody else has this one: the member that could not be asked may.
  await failOnce('getVideoJob')
  expectProblem(await adopt('api_video_none'), 'backend_error', {})
  expectProblem(await adopt('api_video_none'), 'video_not_found', {})
})

test('a member takes over no video of a client that may not use it, as when it was added later', async () => {
  const key = (client: string) => `tb_${client}_0123456789abcdef`
  const s = await virtualStage({
    config: {
      clients: [
        { id: 'anna', key: key('anna'), backends: ['main'] },
        { id: 'bert', key: key('bert') },
      ],
      // It is never asked for anything but what it takes over.
      backends: { late: { interface: 'primary', base_url: 'http://127.0.0.1:9', api_key: 'another' } },
      routing: { pools: { both: ['main', 'late'] } },
    },
  })
  const { account, order } = await s.record(await s.create({ ...MAIN, backend: 'main' }))
  const waits = { account, order, backend: 'main', pool: 'both', dueAtMs: s.clock.now() + HOUR }
  for (const [n, client] of ['anna', 'bert', 'gone'].entries())
    await openWaiting(s.store, { ...waits, id: numbered(n), client })
  await s.pass(5 * SECOND)
  const timelines = await Promise.all([0, 1, 2].map((n) => s.gateway.deps.videos.timeline(numbered(n))))
  const isTaken = timelines.map((lines) => lines.some(({ detail }) => detail === 'from main to late'))
  expect(isTaken).toEqual([false, true, false])
})

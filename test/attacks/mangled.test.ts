import { get as plainGet } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { must } from '../fakes/must.ts'
import { HANG_MS } from '../fakes/until.ts'
import { ANSWERS, CLOSING_ANSWERS, mangledRequests, OF_NO_STATUS, upstreamKey } from './mangled-answers.ts'
import { LISTING, startMangler, type Mangler, type Road } from './mangler.ts'
import { startAttacked, type Attacked } from './process.ts'

/**
 * Mangled answers on every road out, and mangled callbacks in: each shape of `mangled-answers.ts` under a 200, and each
 * of the statuses 0 to 999 (`npm test`: one of thirteen). The gateway runs in a process of its own, which must be alive
 * after each road.
 */

/** Requests at once. Each has accounts of its own: five bad answers in a row close one for a while. */
const LANES = 8
/** Those that ask under the backend's key: an answer that closes an account gets one that nothing else needs. */
const KEYED = {
  voices: 'primary',
  speak: 'primary',
  read: 'primary',
  say: 'primary',
  create: 'primary',
  createAlternate: 'alternate',
  poll: 'primary',
  pollAlternate: 'alternate',
  link: 'primary',
  linkAlternate: 'alternate',
} as const satisfies Partial<Record<Road, 'primary' | 'alternate'>>
type KeyedRoad = keyof typeof KEYED

interface Lane {
  /** Its account, and a client that sees this one alone. */
  backend: string
  key: string
}
const keyOf = (backend: string): string => `tb_${backend.toLowerCase()}_0123456789abcdef`
const laneOf = (backend: string): Lane => ({ backend, key: keyOf(backend) })
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n)
const closing = (road: KeyedRoad, n: number): string => `shut-${Object.keys(KEYED).indexOf(road)}-${n}`

const INTERFACES: Readonly<Record<string, 'primary' | 'alternate'>> = Object.fromEntries([
  ...numbers(LANES).flatMap((n) => [[`primary${n}`, 'primary'] as const, [`alternate${n}`, 'alternate'] as const]),
  ...(Object.keys(KEYED) as KeyedRoad[]).flatMap((road) =>
    numbers(CLOSING_ANSWERS).map((n) => [closing(road, n), KEYED[road]] as const),
  ),
])
const ALL_KEY = 'tb_anna_0123456789abcdef'
const LIMITS = { requests_per_minute: 1_000_000, queued_videos: 1_000_000 }

interface Answered {
  status: number
  text: string
}
/** Whatever comes back, or that it broke off. */
const asked = async (url: string, init: RequestInit = {}): Promise<Answered | null> => {
  try {
    const response = await fetch(url, { redirect: 'manual', ...init })
    return { status: response.status, text: await response.text() }
  } catch {
    return null
  }
}

const ends: (() => void | Promise<void>)[] = []
let attacked: Attacked
let mangler: Mangler
let cookie: string
beforeAll(async () => {
  mangler = await startMangler([...ANSWERS, ...OF_NO_STATUS])
  ends.push(mangler.end)
  const account = { requests_per_minute: 100_000, timeout: '30s', slots: null }
  const names = Object.keys(INTERFACES)
  attacked = await startAttacked(
    {
      server: { port: 0, public_url: 'http://127.0.0.1:1' },
      backends: Object.fromEntries(
        names.map((name) => [
          name,
          { interface: INTERFACES[name], base_url: `${mangler.url}/${name}`, api_key: upstreamKey(name), ...account },
        ]),
      ),
      clients: [
        { id: 'anna', key: ALL_KEY, scopes: ['*'], limits: LIMITS },
        ...names.map((name) => ({ id: name, key: keyOf(name), backends: [name], scopes: ['*'], limits: LIMITS })),
      ],
      routing: { default: LISTING },
      engine: { poll: { min_interval: '10ms' } },
      webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] },
    },
    (end) => void ends.unshift(end),
  )
  const signedIn = await fetch(`${attacked.url}/console/session`, {
    method: 'POST',
    headers: { ...OF_CONSOLE, 'content-type': 'application/json' },
    body: JSON.stringify({ key: ALL_KEY }),
  })
  cookie = must(must(signedIn.headers.get('set-cookie')).split(';', 1)[0])
})
afterAll(async () => {
  for (const end of ends) await end()
})

const OF_CONSOLE = { 'x-talkbridge-console': '1', 'sec-fetch-site': 'same-origin' }
const isAlive = async (): Promise<void> => expect(await asked(`${attacked.url}/healthz`)).toMatchObject({ status: 200 })
const get = (key: string, path: string) =>
  asked(attacked.url + path, { headers: key === '' ? {} : { authorization: `Bearer ${key}` } })
const post = (key: string, path: string, body: unknown) =>
  asked(attacked.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const medium = (path: string) => asked(`${attacked.url}/console/media/${path}`, { headers: { ...OF_CONSOLE, cookie } })
const adopted = async (lane: Lane, mark: string, webhookUrl: string | null = null): Promise<string> => {
  const body = { backend: lane.backend, backend_job_id: mark, webhook_url: webhookUrl }
  const answered = await post(lane.key, '/unified/v1/videos/import', body)
  expect(answered, mark).toMatchObject({ status: 201 })
  return (JSON.parse(must(answered).text) as { id: string }).id
}

/** A proper answer closes no account. */
const speakWell = async ({ backend, key }: Lane, mark: string): Promise<void> => {
  const text = `after-${mark.replace('_', '-')}`
  // Lists are kept: only a create is sent each time.
  const isAlternate = INTERFACES[backend] === 'alternate'
  const answered = isAlternate
    ? await post(key, '/unified/v1/videos', { backend, puppet_id: 'pup_1', text })
    : await get(key, `/unified/v1/puppets/${backend}:${text}`)
  expect(answered, `after ${mark}`).toMatchObject({ status: isAlternate ? 202 : 404 })
}

const inLanes = async (count: number, step: (n: number, isThird: boolean, lane: number) => Promise<void>) => {
  const lane = async (first: number): Promise<void> => {
    for (let n = first, turn = 1; n < count; n += LANES, turn += 1) await step(n, turn % 3 === 0, first)
  }
  await Promise.all(numbers(LANES).map(lane))
}

type Walk = (lane: Lane, mark: string) => Promise<Answered | null>
const isKeyed = (road: Road): road is KeyedRoad => road in KEYED

/** Sends each answer down a road, which must take it. What comes back is HTTP, or breaks off. */
const drive = async (road: Road, walk: Walk): Promise<(Answered | null)[]> => {
  const found: (Answered | null)[] = []
  const side = isKeyed(road) ? KEYED[road] : 'primary'
  const apart = isKeyed(road) ? ANSWERS.length - CLOSING_ANSWERS : ANSWERS.length
  await inLanes(apart, async (n, isThird, first) => {
    const lane = laneOf(`${side}${first}`)
    found[n] = await walk(lane, `${road}_${n}`)
    if (isKeyed(road) && isThird) await speakWell(lane, `${road}_${n}`)
  })
  if (isKeyed(road)) {
    for (let n = apart; n < ANSWERS.length; n += 1)
      found[n] = await walk(laneOf(closing(road, n - apart)), `${road}_${n}`)
  }
  expect(mangler.sent(road), 'mangled answers').toBe(ANSWERS.length)
  const statuses = found.map((answered) => answered?.status ?? 200)
  expect(statuses.filter((status) => status < 200 || status > 599)).toEqual([])
  if (isKeyed(road)) expect(found.filter((answered) => answered?.text.includes('upstream_'))).toEqual([])
  await isAlive()
  return found
}
const statusesOf = (found: readonly (Answered | null)[]): Set<number | undefined> =>
  new Set(found.map((answered) => answered?.status))

test('a third of the answers and more are HTTP for a plain client', async () => {
  const other = await startMangler()
  let parsed = 0
  const receive = (n: number): Promise<void> =>
    new Promise((resolve) => {
      const request = plainGet(`${other.url}/x/read_${n}`, { agent: false }, (response) => {
        parsed += 1
        response
          .on('error', () => undefined)
          .on('close', resolve)
          .resume()
      })
      request.on('error', () => resolve()).on('upgrade', (_res, socket) => (socket.destroy(), resolve()))
    })
  for (const n of ANSWERS.keys()) await receive(n)
  other.end()
  expect(other.sent('read')).toBe(ANSWERS.length)
  expect(parsed).toBeGreaterThan(ANSWERS.length / 3)
})

// The limit is for what hangs, and grows with their number.
describe('mangled answers end no process', { timeout: 4 * HANG_MS }, () => {
  const puppet: Walk = ({ backend, key }, mark) => get(key, `/unified/v1/puppets/${backend}:${mark}`)

  test('of speech, which is handed through', async () => {
    const found = await drive('speak', ({ key }, mark) =>
      post(key, '/api/v1/tts/service', { voice_id: 'v', text: mark }),
    )
    expect(statusesOf(found)).toContain(502)
  })

  test('and answers with a status below 200 or above 599 are 502', async () => {
    const others: string[] = []
    await inLanes(OF_NO_STATUS.length, async (n, isThird, first) => {
      const lane = laneOf(`primary${first}`)
      const mark = `read_${ANSWERS.length + n}`
      const answered = await puppet(lane, mark)
      if (answered?.status !== 502) others.push(`${OF_NO_STATUS[n]?.status}: ${answered?.status}`)
      if (isThird) await speakWell(lane, mark)
    })
    expect(OF_NO_STATUS).toHaveLength(600)
    expect(others).toEqual([])
    await isAlive()
  })

  test('of samples, without a key', async () => {
    const found = await drive('sample', (_lane, mark) => get('', `/samples/${mark}.wav`))
    expect(statusesOf(found)).toContain(502)
  })

  test('of what the gateway reads', async () => {
    const found = await drive('read', puppet)
    expect(statusesOf(found)).not.toContain(500)
  })

  test('of what it makes: speech', async () => {
    const found = await drive('say', ({ backend, key }, mark) =>
      post(key, '/unified/v1/speech', { voice_id: `${backend}:v`, text: mark }),
    )
    expect(statusesOf(found)).not.toContain(500)
  })

  const VIDEOS = '/unified/v1/videos'
  test.each(['poll', 'pollAlternate'] as const)('of jobs: %s', async (road) => {
    const found = await drive(road, async (lane, mark) => {
      const id = await adopted(lane, mark)
      await mangler.gone(mark)
      return get(lane.key, `${VIDEOS}/${id}`)
    })
    expect(statusesOf(found)).toEqual(new Set([200]))
  })

  test('of links', async () => {
    const found = await drive('link', async (lane, mark) =>
      get(lane.key, `${VIDEOS}/${await adopted(lane, mark)}/content`),
    )
    expect(statusesOf(found)).not.toContain(500)
  })

  test('of links that the alternate surface asks for', async () => {
    const found = await drive('linkAlternate', async (lane, mark) => {
      await adopted(lane, mark)
      return get(lane.key, `/v1/videos/${mark}/download`)
    })
    expect(statusesOf(found)).not.toContain(500)
  })

  test('of samples and pictures in the console', async () => {
    const samples = await drive('medium', (_lane, mark) => medium(`voices/${LISTING}:${mark}`))
    const pictures = await drive('picture', ({ backend }, mark) => medium(`puppets/${backend}:${mark}`))
    expect(statusesOf([...samples, ...pictures])).not.toContain(500)
  })

  test('of films in the console, and of receivers of their events', async () => {
    const found = await drive('film', async (lane, mark) => {
      const event = mark.replace('film', 'event')
      const id = await adopted(lane, mark, `${mangler.url}/receiver/hook/${event}`)
      const answered = await medium(`videos/${id}`)
      await mangler.gone(event)
      return answered
    })
    expect(statusesOf(found)).not.toContain(500)
    expect(mangler.sent('event')).toBe(ANSWERS.length)
  })

  test('of receivers of test events, and none shows an inside of the gateway', async () => {
    const endpoints = '/unified/v1/webhook_endpoints'
    const ids = new Map<string, string>()
    const found = await drive('ping', async ({ backend, key }, mark) => {
      const path = `/hook/${backend}`
      if (!ids.has(backend)) {
        const created = await post(key, endpoints, { url: `${mangler.url}/receiver${path}` })
        ids.set(backend, (JSON.parse(must(created).text) as { id: string }).id)
      }
      mangler.expect(path, mark)
      return post(key, `${endpoints}/${must(ids.get(backend))}/test`, {})
    })
    expect(found.filter((answered) => answered === null || /assert|falsy/.test(answered.text))).toEqual([])
  })

  test('that are callbacks, and a third of them are read', async () => {
    const created = await post(keyOf('alternate0'), VIDEOS, {
      backend: 'alternate0',
      puppet_id: 'pup_1',
      text: 'Hello',
    })
    expect(created).toMatchObject({ status: 202 })
    const requests = mangledRequests(new URL(must(mangler.callbacks[0])).pathname)
    const { port } = new URL(attacked.url)
    let read = 0
    await inLanes(requests.length, async (n) => {
      const socket = connect(Number(port), '127.0.0.1')
      let text = ''
      socket.on('error', () => undefined).on('data', (bytes) => (text += bytes.toString('latin1')))
      socket.end(must(requests[n]))
      await new Promise((resolve) => socket.once('close', resolve))
      if (text.startsWith('HTTP/1.1 204')) read += 1
    })
    expect(read).toBeGreaterThan(requests.length / 3)
    await isAlive()
  })

  // Last: while creates are in doubt, no job of the account is taken up.
  test.each(['create', 'createAlternate'] as const)('of videos: %s', async (road) => {
    const input = KEYED[road] === 'primary' ? { image_url: 'https://img.example/me.png' } : { puppet_id: 'pup_1' }
    const found = await drive(road, async ({ backend, key }, mark) => {
      const answered = await post(key, VIDEOS, { backend, ...input, text: mark })
      await mangler.gone(mark)
      return answered
    })
    expect(statusesOf(found)).not.toContain(500)
    expect(statusesOf(found)).toContain(202)
  })
})

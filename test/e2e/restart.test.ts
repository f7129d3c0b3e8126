import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { VideoView } from '../../src/core/api/videos.ts'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, KEYS } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { until } from '../fakes/until.ts'
import { ALT, MAIN, stage, tookMs } from './harness.ts'

describe('a restart mid-way', () => {
  test('resumes every video and announces each once', async () => {
    // Time passes when all have been asked for, and not while they are: two are made, one waits.
    const clock = fakeClock(Date.now())
    const s = await stage({ clock, sandbox: { speed: 20 } })
    const hook = { webhook_url: `${s.receiver.url}/hook` }
    const made = [
      await s.create({ ...MAIN, ...hook }),
      await s.create({ ...ALT, ...hook }),
      await s.create({ ...MAIN, ...hook }),
      await s.create({ ...MAIN, ...hook }),
    ]
    expect(must(made[3]).queue).toEqual({ position: 1, reason: 'no_free_slot' })
    expect(await s.restart()).toBe(true)
    const ending = Promise.all(made.map(({ id }) => s.ended(id)))
    let over = false
    void ending.finally(() => (over = true)).catch(() => undefined)
    await until(async () => {
      await clock.advance(100)
      return over
    })
    const seen = await ending
    expect(seen.map(({ status }) => status)).toEqual(made.map(() => 'completed'))
    const events = await Promise.all((await s.receiver.received(4)).map((request) => s.verified(request)))
    expect(new Set(events.map(({ data }) => data.id))).toEqual(new Set(made.map(({ id }) => id)))
    await s.stop()
    expect(s.receiver.requests).toHaveLength(4)
    const { jobs, requests } = s.sandbox.ledger()
    expect(jobs).toHaveLength(4)
    expect(requests.filter(({ status }) => status === 429)).toEqual([])
  })

  test('an event that was not delivered before is delivered after, under its id', async () => {
    const clock = fakeClock(Date.now())
    const s = await stage({ clock })
    const arrived = (count: number) =>
      until(async () => {
        await clock.advance(100)
        return s.receiver.requests.length === count
      })
    s.receiver.script({ kind: 'answer', status: 500 })
    await s.create({ ...MAIN, webhook_url: `${s.receiver.url}/hook` })
    await arrived(1)
    await s.restart()
    await arrived(2)
    const [first, second] = s.receiver.requests
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.body).toBe(first?.body)
    await s.verified(second)
  })
})

describe('a graceful stop', () => {
  const post = (url: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/unified/v1/videos`, {
      method: 'POST',
      headers: { ...bearer(KEYS.anna), 'content-type': 'application/json', ...headers },
      body: JSON.stringify(MAIN),
    })

  test('lets a create under way end, and answers it', async () => {
    const s = await stage()
    await s.fault('primary', { operation: 'createVideoFromText', kind: 'latency', when: 'after', latency_ms: 300 })
    const { url } = s.gateway().gateway
    const answer = post(url)
    await until(() => s.sandbox.ledger().jobs.length === 1)
    expect(await s.stop()).toBe(true)
    const response = await answer
    expect(response.status).toBe(202)
    expect(VideoView.parse(await response.json()).backend_job_id).toBe(s.sandbox.ledger().jobs[0]?.id)
    await expect(post(url)).rejects.toThrow()
  })

  test('ends a wait early with the video as it is', async () => {
    const s = await stage({ sandbox: { speed: 1 } })
    const usualMs = await tookMs(() => s.restart())
    const answer = post(s.gateway().gateway.url, { prefer: 'wait=60' })
    await until(() => s.sandbox.ledger().jobs.length === 1)
    expect(await tookMs(async () => expect(await s.stop()).toBe(true))).toBeLessThan(50 * usualMs)
    expect((await answer).status).toBe(202)
  })

  test('waits for no idle connection, and closing twice is closing once', async () => {
    const s = await stage()
    const socket = connect(Number(new URL(s.gateway().gateway.url).port), '127.0.0.1')
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'data')
    const closed = once(socket, 'close')
    expect(await Promise.all([s.stop(), s.stop()])).toEqual([true, true])
    await closed
  })

  test('does not wait for ever: a caller that never ends its request is cut off when the grace is over', async () => {
    const short = { timeout: '500ms' }
    const config = { server: { shutdown_grace: '1s' }, webhooks: short, backends: { main: short, alt: short } }
    const s = await stage({ config })
    const socket = connect(Number(new URL(s.gateway().gateway.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    const head = `POST /unified/v1/videos HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEYS.anna}\r\n`
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n`)
    // `100 Continue` says that the request is being read.
    await once(socket, 'data')
    const closed = once(socket, 'close')
    expect(await s.stop()).toBe(false)
    await closed
  })
})

import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { SandboxOptions } from '../../src/sandbox/index.ts'
import { portraitPng } from '../../src/sandbox/media/portraits.ts'
import { sitterOf } from '../../src/sandbox/media/sitters.ts'
import { start } from './harness.ts'
import { readMp4 } from './media/mp4.ts'

const finished = async (speed = 1, options: Partial<SandboxOptions> = {}, text = 'Hello there, who are you?') => {
  const harness = await start({ speed, ...options })
  const { create, clock, primary } = harness
  const path = String((await create({ text })).body['status_url'])
  await clock.advance(600_000)
  return { ...harness, url: String((await primary(path)).body['video_url']) }
}

const bytesOf = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer())

it('serves an MP4 as long as the speech, with ranges', async () => {
  const { url } = await finished()
  const reply = await fetch(url)
  expect(reply.headers.get('content-type')).toBe('video/mp4')
  expect(reply.headers.get('x-sandbox-media')).toBe('rendered')
  const whole = Buffer.from(await reply.arrayBuffer())
  const { seconds, tracks } = readMp4(whole)
  expect(seconds).toBeCloseTo(2, 1)
  expect(tracks.map(({ codec }) => codec)).toEqual(['avc1', 'mp4a'])
  const part = await fetch(url, { headers: { range: 'bytes=10-19' } })
  expect(part.status).toBe(206)
  expect(part.headers.get('content-range')).toBe(`bytes 10-19/${whole.length}`)
  expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(10, 20))
  expect((await fetch(url, { headers: { range: 'bytes=99999999-' } })).status).toBe(416)
})

it('refuses unsigned, tampered and expired links', async () => {
  const { url, clock } = await finished(24)
  const other = url.replace(/expires=\d+/, `expires=${clock.now() + 99_999_999}`)
  for (const bad of [url.split('?')[0] ?? '', `${url}x`, other, url.replace('.mp4', '.mp3'), `${url}&expires=1`])
    expect([bad, (await fetch(bad)).status]).toEqual([bad, 403])
  await clock.advance(3_599_999)
  expect((await fetch(url)).status).toBe(200)
  await clock.advance(1)
  expect((await fetch(url)).status).toBe(403)
})

it('does not lend a link to the other interface', async () => {
  const { url, sandbox } = await finished()
  expect((await fetch(url.replace(sandbox.primaryUrl, sandbox.alternateUrl))).status).toBe(404)
})

it('answers the API while it renders', async () => {
  const { url, primary } = await finished(1, { unlimitedRate: true }, 'A long story. '.repeat(30))
  let rendered = false
  const film = bytesOf(url).then((bytes) => {
    rendered = true
    return bytes
  })
  for (let call = 0; call < 20; call += 1) expect((await primary('/api/v1/puppets')).status).toBe(200)
  // Half a minute of film takes a second or two, twenty answers a fraction of one.
  expect(rendered).toBe(false)
  expect(readMp4(await film).seconds).toBeCloseTo(28, 0)
})

it('answers 503 when too many videos are rendered', async () => {
  const { url } = await finished(1, { media: { maxWaiting: 0 } })
  const reply = await fetch(url)
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5'])
})

it('serves a prebuilt video, and tells its length, where node-av is missing', async () => {
  const said: string[] = []
  const videoModule = 'data:text/javascript,throw new Error("no such package")'
  const { url, alternate, clock } = await finished(1, { media: { videoModule, log: (message) => said.push(message) } })
  for (let time = 0; time < 2; time += 1) {
    const reply = await fetch(url)
    expect([reply.status, reply.headers.get('x-sandbox-media')]).toEqual([200, 'prebuilt'])
    expect(readMp4(Buffer.from(await reply.arrayBuffer())).seconds).toBeCloseTo(4, 1)
  }
  expect(said.length).toBe(1)
  const { id } = (await alternate('/v1/videos', { body: { script: 'Hello', puppet_id: 'pup_ben' } })).body
  await clock.advance(600_000)
  expect((await alternate(`/v1/videos/${String(id)}`)).body['duration_sec']).toBe(4)
})

describe('who is seen', () => {
  const origin = 'http://localhost:4010'
  const never = new AbortController().signal

  it.each([
    ['/media/portraits/cleo.png'],
    [`${origin}/media/portraits/cleo.png`],
    ['http://127.0.0.1:9/media/portraits/cleo.png'],
  ])("is one of the sandbox's own people: %s", async (url) => {
    expect(await sitterOf(url, origin, never)).toEqual({ kind: 'drawn', portraitId: 'cleo' })
  })

  it('is always the same stranger for a URL that is not fetched', async () => {
    const urls = ['https://example.com/face.png', 'https://example.com/media/portraits/cleo.png', 'job_1']
    for (const url of urls) {
      const sitter = await sitterOf(url, origin, never)
      expect(sitter.kind).toBe('drawn')
      expect(await sitterOf(url, origin, never)).toEqual(sitter)
    }
  })

  it('is the picture that this machine serves, if it serves one', async () => {
    const picture = portraitPng('dov') ?? Buffer.alloc(0)
    const server = createServer((req, res) => {
      if (req.url === '/moved.png') return void res.writeHead(302, { location: '/dov.png' }).end()
      if (req.url === '/huge.png') return void res.writeHead(200).end(Buffer.alloc(6_000_000))
      res.writeHead(req.url === '/dov.png' ? 200 : 404).end(picture)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const address = server.address()
    const base = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
    expect(await sitterOf(`${base}/dov.png`, origin, never)).toMatchObject({ kind: 'picture', bytes: picture })
    for (const path of ['/none.png', '/moved.png', '/huge.png'])
      expect([path, (await sitterOf(base + path, origin, never)).kind]).toEqual([path, 'drawn'])
  })
})

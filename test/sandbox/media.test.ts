import { expect, it } from 'vitest'
import { start } from './harness.ts'

const finished = async (speed = 1) => {
  const harness = await start({ speed })
  const { create, clock, primary } = harness
  const path = String((await create()).body['status_url'])
  await clock.advance(600_000)
  return { ...harness, url: String((await primary(path)).body['video_url']) }
}

it('serves an MP4 with ranges', async () => {
  const { url } = await finished()
  const whole = Buffer.from(await (await fetch(url)).arrayBuffer())
  expect(whole.toString('latin1', 4, 8)).toBe('ftyp')
  expect(whole.includes('avc1') && whole.includes('mp4a')).toBe(true)
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

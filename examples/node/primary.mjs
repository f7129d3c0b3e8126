import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

// To move from the service to the gateway, change only these two.
const baseUrl = process.env.BASE_URL ?? 'http://127.0.0.1:8080'
const authorization = `Bearer ${process.env.API_KEY ?? ''}`

const call = async (path, init = {}) => {
  const headers = { authorization, 'content-type': 'application/json', ...init.headers }
  const response = await fetch(new URL(path, baseUrl), { ...init, headers })
  const body = await response.json()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${body.error}, ${body.message}`)
  return { ...body, waitMs: 1000 * Number(response.headers.get('retry-after')) }
}

let job = await call('/api/v1/videos/text', {
  method: 'POST',
  headers: { 'idempotency-key': `example-${Date.now()}` },
  body: JSON.stringify({ image_url: 'https://example.com/anna.png', text: 'Hello from an example.' }),
})
while (job.status === 'queued' || job.status === 'processing') {
  await sleep(job.waitMs)
  job = await call(job.status_url)
}
if (job.status !== 'completed') throw new Error(`${job.id} ended as ${job.status}`)
const film = await fetch(job.video_url)
await writeFile('film.mp4', film.body)
process.stdout.write(`${job.id} ${job.status}: film.mp4\n`)

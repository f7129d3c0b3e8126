import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

// To move from the service to the gateway, change only these two.
const baseUrl = process.env.BASE_URL ?? 'http://127.0.0.1:8080'
const authorization = `Bearer ${process.env.API_KEY ?? ''}`

const call = async (path, init = {}) => {
  const headers = { authorization, 'content-type': 'application/json' }
  const response = await fetch(new URL(path, baseUrl), { ...init, headers })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

const { data: puppets } = await call('/v1/puppets')
let video = await call('/v1/videos', {
  method: 'POST',
  body: JSON.stringify({ puppet_id: puppets[0].id, script: 'Hello from an example.' }),
})
while (video.status === 'processing') {
  await sleep(1000)
  video = await call(`/v1/videos/${video.id}`)
}
if (video.status !== 'completed') throw new Error(`${video.id} ended as ${video.status}`)
const { download_url: url } = await call(`/v1/videos/${video.id}/download`)
const film = await fetch(url)
await writeFile('film.mp4', film.body)
process.stdout.write(`${video.id} ${video.status}: film.mp4\n`)

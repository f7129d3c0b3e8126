import express from 'express'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Agent, request } from 'undici'
import { listenLocally, serve } from '../servers/serve.ts'
import type { Write } from './rows.ts'

/**
 * The reference: Express as it comes, a row that is durable before one POST of undici goes out on a fresh connection, and
 * the row again with what came of it. Nothing is checked.
 */
const { upstream, folder } = JSON.parse(process.argv[2] ?? '') as { upstream: string; folder: string }
// Without pipelining undici says `Connection: close`.
const agent = new Agent({ allowH2: false, pipelining: 0 })
const rows = new Worker(new URL('./rows.ts', import.meta.url), { workerData: join(folder, 'reference.db') })

const waiting: (() => void)[] = []
rows.on('message', (count: number) => {
  for (const done of waiting.splice(0, count)) done()
})
// What one turn of the event loop writes is one message, as the gateway sends it.
let batch: Write[] = []
const written = (write: Write): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    if (batch.push(write) > 1) return
    setImmediate(() => {
      rows.postMessage(batch)
      batch = []
    })
  })

let made = 0
const app = express()
app.post('/unified/v1/videos', express.json(), async (req, res) => {
  made += 1
  const id = `vid_${String(made).padStart(26, '0')}`
  const body = JSON.stringify(req.body)
  const createdAtMs = Date.now()
  const video = { id, client: req.headers.authorization, backend: 'main', status: 'queued', body, createdAtMs }
  const { client = '', backend, status } = video
  await written({ kind: 'insert', values: [id, client, backend, status, createdAtMs, JSON.stringify(video)] })
  const answer = await request(`${upstream}/api/v1/videos/text`, {
    dispatcher: agent,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer upstream_0123456789abcdef' },
    body,
  })
  const job = (await answer.body.json()) as { status: string }
  const accepted = { ...video, status: job.status, job }
  await written({ kind: 'update', values: [job.status, JSON.stringify(accepted), id] })
  res.status(answer.statusCode).json(accepted)
})

const server = createServer(app)
serve(await listenLocally(server), async () => {
  server.close()
  server.closeAllConnections()
  await agent.close()
  await rows.terminate()
})

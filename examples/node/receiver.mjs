import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '')
const MAX_BODY_BYTES = 64 * 1024
const MAX_KNOWN = 10_000

/** Adds to a map or set that forgets its oldest. */
const bounded = (known) => {
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value)
}
const seen = new Set()
const latest = new Map()

const handle = ({ type, data }) => {
  process.stdout.write(`${type} ${data.id ?? data.endpoint_id ?? data.rule} ${data.status ?? ''}\n`)
}

/** The raw bytes: what is signed is not the JSON but how it was written. */
const rawBody = async (request) => {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const receive = async (request) => {
  if (request.method !== 'POST') return 405
  const body = await rawBody(request)
  if (body === null) return 413
  let event
  try {
    event = webhook.verify(body, request.headers)
  } catch {
    return 401
  }
  const id = request.headers['webhook-id']
  // Sent again because an answer was lost: it has been done.
  if (seen.has(id)) return 204
  const { id: video, sequence } = event.data
  // Overtaken by a newer event of the same video.
  const isOld = sequence !== undefined && sequence < (latest.get(video) ?? 0)
  if (!isOld) {
    handle(event)
    if (sequence !== undefined) latest.set(video, sequence)
  }
  seen.add(id)
  bounded(seen)
  bounded(latest)
  return 204
}

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status, status === 413 ? { connection: 'close' } : {}).end(),
    () => response.writeHead(500).end(),
  )
})
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}/hook\n`)
})

import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '')
const MAX_BODY_BYTES = 64 * 1024
const MAX_KNOWN = 10_000

/** Deletes the oldest entry above the limit. */
const bounded = (known) => {
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value)
}
const seen = new Set()
const latest = new Map()

const handle = ({ type, data }) => {
  process.stdout.write(`${type} ${data.id ?? data.endpoint_id ?? data.rule} ${data.status ?? ''}\n`)
}

/** The raw bytes: the signature is of the exact bytes, not of the parsed JSON. */
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
    return 400
  }
  const id = request.headers['webhook-id']
  // A duplicate: this event was handled already.
  if (seen.has(id)) return 204
  const { id: video, sequence } = event.data
  // A newer event of the same video came first.
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

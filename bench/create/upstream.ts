import { createServer, type ServerResponse } from 'node:http'
import { listenLocally, serve } from '../servers/serve.ts'

/** Answers every POST at once: a video job that runs for the next hour, or a message of a chat. */
const LIMIT = 1_000_000_000
let made = 0

const video = (n: number) => {
  const id = `api_video_${n}`
  return {
    id,
    operation_id: id,
    status_url: `/api/v1/videos/${id}`,
    status: 'processing',
    next_poll_at: new Date(Date.now() + 3_600_000).toISOString(),
  }
}

const message = (n: number) => ({
  id: `msg_${n}`,
  type: 'message',
  role: 'assistant',
  model: 'bench',
  content: [{ type: 'text', text: 'Hello to you, too.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 12, output_tokens: 7 },
})

const answer = (res: ServerResponse, status: number, value: unknown): void => {
  const body = JSON.stringify(value)
  res.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    // A window that never ends: a backend of ten requests a minute would be no load.
    'x-ratelimit-limit': String(LIMIT),
    'x-ratelimit-remaining': String(LIMIT - made),
    'x-ratelimit-reset': String(Math.ceil(Date.now() / 1_000) + 60),
    'x-service-credits-required': '1',
    'x-service-credits-remaining': '9',
  })
  res.end(body)
}

// A side waits while the others are measured: its connections must not be closed under its next request.
const server = createServer({ keepAliveTimeout: 600_000 }, (req, res) => {
  req.resume().on('end', () => {
    made += 1
    if (req.url?.startsWith('/api/v1/videos') === true) answer(res, 202, video(made))
    else answer(res, 200, message(made))
  })
})
serve(await listenLocally(server), async () => {
  server.close()
  server.closeAllConnections()
})

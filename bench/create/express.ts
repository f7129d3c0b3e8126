import express from 'express'
import { createServer } from 'node:http'
import { Agent, request } from 'undici'
import { listenLocally, serve } from '../servers/serve.ts'

/** The reference: Express as it comes, and one POST of undici. Nothing is checked or kept. */
const upstream = String(JSON.parse(process.argv[2] ?? ''))
const agent = new Agent()
const app = express()
app.post('/unified/v1/videos', express.json(), async (req, res) => {
  const answer = await request(`${upstream}/api/v1/videos/text`, {
    dispatcher: agent,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer upstream_0123456789abcdef' },
    body: JSON.stringify(req.body),
  })
  res.status(answer.statusCode).json(await answer.body.json())
})

const server = createServer(app)
serve(await listenLocally(server), async () => {
  server.close()
  server.closeAllConnections()
  await agent.close()
})

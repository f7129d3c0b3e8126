import express from 'express'
import { createServer } from 'node:http'
import { listenLocally, serve } from '../servers/serve.ts'

/** The reference: Express as it comes, and one constant. */
const body: unknown = JSON.parse(process.argv[2] ?? '')
const app = express()
app.get('/unified/v1/videos/:id', (_req, res) => void res.json(body))

const server = createServer(app)
serve(await listenLocally(server), async () => {
  server.close()
  server.closeAllConnections()
})

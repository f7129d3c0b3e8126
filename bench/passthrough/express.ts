import express from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { Agent, createServer } from 'node:http'
import { listenLocally, serve } from '../servers/serve.ts'

interface Setup {
  target: string
  /** Whether it keeps its connections to the upstream, as the proxy's own page shows it. */
  keepAlive: boolean
}

/** The reference: Express as it comes, and the proxy. */
const { target, keepAlive } = JSON.parse(process.argv[2] ?? '') as Setup
const app = express()
app.use(createProxyMiddleware({ target, changeOrigin: true, ...(!keepAlive && { agent: new Agent({ keepAlive }) }) }))

const server = createServer(app)
serve(await listenLocally(server), async () => {
  server.close()
  server.closeAllConnections()
})

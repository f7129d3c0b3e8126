import express from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { createServer } from 'node:http'
import { listenLocally, serve } from '../servers/serve.ts'

/** The reference: Express as it comes, and the proxy as its own page shows it. */
const target = String(JSON.parse(process.argv[2] ?? ''))
const app = express()
app.use(createProxyMiddleware({ target, changeOrigin: true }))

const server = createServer(app)
serve(await listenLocally(server), async () => {
  server.close()
  server.closeAllConnections()
})

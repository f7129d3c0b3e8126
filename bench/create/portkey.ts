import { createServer } from 'node:http'
import { request } from 'undici'
import { pathToFileURL } from 'node:url'
import { listenLocally, serve } from '../servers/serve.ts'

/** Portkey's own server for Node, in this process: what its package starts as a command, on a free port. */
const entry = String(JSON.parse(process.argv[2] ?? ''))

const freePort = async (): Promise<string> => {
  const server = createServer()
  const { port } = new URL(await listenLocally(server))
  await new Promise((resolve) => server.close(resolve))
  return port
}

const port = await freePort()
const url = `http://127.0.0.1:${port}`
process.env['NODE_ENV'] = 'production'
process.env['TRUSTED_CUSTOM_HOSTS'] = '127.0.0.1'
process.argv.splice(2, Infinity, `--port=${port}`, '--headless')
await import(pathToFileURL(entry).href)

/** It listens soon after it was loaded, and says so to nobody. */
const isServing = (): Promise<boolean> =>
  request(url).then(
    async ({ body }) => {
      await body.dump()
      return true
    },
    () => false,
  )
while (!(await isServing())) await new Promise((resolve) => setTimeout(resolve, 20))
serve(url, async () => process.exit())

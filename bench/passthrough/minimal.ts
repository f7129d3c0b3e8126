import express from 'express'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pino } from 'pino'
import { parseConfig } from '../../src/config.ts'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { buildDeps } from '../../src/deps.ts'
import { createLog } from '../../src/log.ts'
import { createFrame } from '../../src/routes/dropin/frame.ts'
import { createPassthrough } from '../../src/routes/dropin/passthrough.ts'
import { callerOf } from '../../src/routes/middleware/locals.ts'
import { answerProblem } from '../../src/routes/middleware/problems.ts'
import { identify, notStored, unambiguous } from '../../src/routes/middleware/request.ts'
import type { GatewaySetup } from '../read/gateway.ts'
import { listenLocally, serve } from '../servers/serve.ts'

/** Until the surface hands through itself: its order of things, without the rest of the gateway. */
const { folder, config } = JSON.parse(process.argv[2] ?? '') as GatewaySetup
const readFile = (): string => {
  throw new Error('this configuration names no file')
}
const text = JSON.stringify({ ...config, store: { path: join(folder, 'talkbridge.db') } })
const parsed = parseConfig({ text, format: 'json', env: {}, readFile })
if (!parsed.ok) throw new Error(parsed.faults.map(({ path, message }) => `${path}: ${message}`).join('\n'))

const deps = await buildDeps({
  config: parsed.config,
  clock: createSystemClock(),
  log: createLog(parsed.config.log, pino.destination({ dest: join(folder, 'log'), sync: false }), false),
  secretKey: null,
  random: Math.random,
})
const backends = parsed.config.backends
const targets = (name: string) => ({ baseUrl: backends[name]?.base_url ?? '', apiKey: backends[name]?.api_key ?? '' })
const passthrough = createPassthrough({ handThrough: deps.handThrough, through: deps.resources.through, targets })
const frame = createFrame('primary', deps)
const app = express()
app.disable('x-powered-by')
app.set('etag', false)
app.use(identify(deps), unambiguous, notStored)
app.get('/api/v1/voices/service', ...frame.guarded('voices:read'), (req, res, next) =>
  passthrough.forward(req, res, next, {
    backend: frame.behind(res).backend,
    path: '/api/v1/voices/service',
    budget: 'read',
    reader: callerOf(res).id,
    operation: 'listVoices',
    credentials: true,
    maxBodyBytes: 0,
  }),
)
app.use(answerProblem({ ...deps, interfaceOf: () => 'primary' }))
const server = createServer(app)
serve(await listenLocally(server), async () => {
  server.close()
  server.closeAllConnections()
  await deps.lifecycle.close()
})

import { exec } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'

/**
 * Makes videos through a gateway of several replicas, kills one of them meanwhile, and checks that each video ends and is
 * told, once. Against compose.yaml:
 *   node scripts/smoke.ts --receiver host.docker.internal --kill 'docker compose kill gateway-1'
 * Exit codes: 0 all came, 1 not.
 */
const { values: options } = parseArgs({
  options: {
    /** The balancer. */
    url: { type: 'string', default: 'http://localhost:8080' },
    key: { type: 'string', default: 'tb_sandbox_key_for_local_use' },
    /** What the replicas know this machine as. */
    receiver: { type: 'string', default: '127.0.0.1' },
    /** A command that kills one replica. */
    kill: { type: 'string' },
    videos: { type: 'string', default: '8' },
  },
})

/** A replica whose host is lost is followed within 45 s; then its videos go on. */
const PATIENCE_MS = 180_000

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const headers = { authorization: `Bearer ${options.key}`, 'content-type': 'application/json' }
const run = Date.now().toString(36)

interface Told {
  event: string
  type: string
  video: string
}

/** Takes webhooks on every address of this machine: containers come from another one. */
const listen = async (told: Told[]): Promise<Server> => {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      response.writeHead(204).end()
      told.push({
        event: String(request.headers['webhook-id']),
        type: /"type":"([^"]+)"/.exec(body)?.[1] ?? '',
        video: /"id":"([^"]+)"/.exec(body)?.[1] ?? '',
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  return server
}

const portOf = (server: Server): number => {
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}

/** Asks again what got no answer, or 502 or 503 while a replica dies: a key makes that safe for creates. */
const ask = async (path: string, init: RequestInit, untilMs: number): Promise<Record<string, unknown>> => {
  for (;;) {
    const answer = await fetch(`${options.url}${path}`, init).catch((error: unknown) => String(error))
    if (typeof answer !== 'string' && answer.ok) return (await answer.json()) as Record<string, unknown>
    const why = typeof answer === 'string' ? answer : `${answer.status} ${await answer.text()}`
    const isPassing = typeof answer === 'string' || [409, 502, 503].includes(answer.status)
    if (!isPassing || performance.now() > untilMs) throw new Error(`${path} was answered: ${why}`)
    await sleep(500)
  }
}

const create = (n: number, hook: string, untilMs: number): Promise<Record<string, unknown>> => {
  const what = n % 2 ? { puppet_id: 'alt:pup_ada' } : { image_url: 'https://example.com/anna.png' }
  const body = JSON.stringify({ ...what, text: `Hello, number ${n}.`, webhook_url: hook })
  const init = { method: 'POST', headers: { ...headers, 'idempotency-key': `smoke-${run}-${n}` }, body }
  return ask('/unified/v1/videos', init, untilMs)
}

const killOne = async (): Promise<void> => {
  if (options.kill === undefined) return say('no replica is killed: --kill COMMAND')
  await promisify(exec)(options.kill)
  say(`killed one: ${options.kill}`)
}

const smoke = async (told: Told[], hook: string): Promise<string[]> => {
  const untilMs = performance.now() + PATIENCE_MS
  await ask('/readyz', {}, untilMs)
  const creating = Array.from({ length: Number(options.videos) }, (_, n) => create(n, hook, untilMs))
  await creating[0]
  await killOne()
  const ids = (await Promise.all(creating)).map(({ id }) => String(id))
  say(`${ids.length} videos were accepted`)
  const isTold = (id: string): boolean => told.some(({ video }) => video === id)
  while (!ids.every(isTold) && performance.now() < untilMs) await sleep(200)
  const faults: string[] = []
  for (const id of ids) {
    const { status } = await ask(`/unified/v1/videos/${id}`, { headers }, untilMs)
    const events = new Set(told.filter(({ video }) => video === id).map(({ event }) => event))
    if (status !== 'completed') faults.push(`${id} is ${String(status)}`)
    if (events.size !== 1) faults.push(`${id} was told under ${events.size} event ids`)
  }
  if (new Set(ids).size !== ids.length) faults.push('two creates share a video')
  say(`${told.length} webhooks came`)
  return faults
}

const told: Told[] = []
const server = await listen(told)
try {
  const faults = await smoke(told, `http://${options.receiver}:${portOf(server)}/hook`)
  for (const fault of faults) say(`FAILED: ${fault}`)
  say(faults.length === 0 ? 'all of them ended, and each was told once' : `${faults.length} faults`)
  process.exitCode = faults.length === 0 ? 0 : 1
} catch (error) {
  say(`FAILED: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  server.close()
  server.closeAllConnections()
}

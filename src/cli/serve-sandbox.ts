import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { DEFAULT_LIMITS, GATEWAY, NO_DEFAULTS } from '../core/access.ts'
import { EXAMPLE_IDS, createIds, type NewId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import { newVideo, NO_INPUT, NO_ORDER } from '../core/video.ts'
import { type ProcessClock, createSystemClock } from '../core/time/clock.ts'
import type { Config } from '../config.ts'
import { buildDeps, type Deps } from '../deps.ts'
import { join, resolve } from 'node:path'
import { type Sandbox, type SandboxOptions, startSandbox } from '@talkbridge/sandbox'
import type { Gateway } from '../gateway.ts'
import { z } from 'zod'
import { CliError, type CliContext } from './context.ts'
import { codeOf } from '../core/errors.ts'
import { SANDBOX_CLIENT_KEY, sandboxConfig } from './config-file.ts'
import { describe, logOf, serveOn, start } from './serving.ts'

/** What the examples of the API name, for a gateway in front of the sandbox. Written by what serves clients, too. */

const BACKEND = 'main'
const LEASE_MS = 60_000

/** The sandbox begins with its job. Its receiver is nobody: the record says that it was sent. */
const completedVideo = async (deps: Deps, client: string): Promise<void> => {
  const { videos, store, clock, backends } = deps
  const limits = { queuedVideos: 1, videosPerMonth: null, creditsPerMonth: null }
  const { video } = await videos.import(
    { client, visible: backends, limits, defaults: NO_DEFAULTS },
    {
      backend: BACKEND,
      jobId: EXAMPLE_IDS.job,
      webhookUrl: 'https://app.example/hooks/videos',
      metadata: { order: '1001' },
    },
  )
  const owed = (await store.deliveriesOf(video.id)).map(({ id }) => id)
  const answer = { atMs: clock.now(), durationMs: 38, status: 204, error: null, responseBody: '' }
  for (const { lease } of (await store.claimDeliveries(owed, LEASE_MS)).values())
    await store.attempted(lease, answer, { status: 'delivered' })
}

const canceledVideo = async ({ videos, store, backends, clock }: Deps, client: string): Promise<void> => {
  const backend = backends.get(BACKEND)
  if (!backend) return
  const video = newVideo({
    id: EXAMPLE_IDS.canceledVideo,
    client,
    account: backend.account.id,
    backend: backend.name,
    interface: backend.interface,
    input: { ...NO_INPUT, image_url: 'https://example.com/anna.png', text: 'Hello from Talkbridge.' },
    order: { ...NO_ORDER, imageUrl: 'https://example.com/anna.png', text: 'Hello from Talkbridge.' },
    routing: { chosen_by: 'default', rule: null, pool: null, considered: [] },
    told: true,
    createdAtMs: clock.now(),
  })
  const limits = { queue: 1, client: 1, videosPerMonth: null, creditsPerMonth: null }
  await store.open({ video, events: [], notes: [] }, null, limits, null)
  await videos.cancel(video)
}

/** The sandbox has them; that this client made them is all that a gateway knows of its puppets. */
const ownPuppets = async ({ store, backends, clock }: Deps, client: string): Promise<void> => {
  const account = backends.get(BACKEND)?.account.id
  if (account === undefined) return
  const unknown = { name: null, imageUrl: null, thumbnailUrl: null, verbatim: null }
  for (const id of [EXAMPLE_IDS.puppet, EXAMPLE_IDS.dropinPuppet]) {
    const puppet = { id, type: 'custom', createdAtMs: clock.now(), ...unknown } as const
    await store.made({ kind: 'puppet', record: { client, account, puppet } }, null)
  }
}

const endpointAndAccess = async ({ webhooks, access }: Deps, client: string): Promise<void> => {
  // Informed of nothing that happens here: nobody listens.
  const url = 'https://app.example/hooks/talkbridge'
  await webhooks.endpoints.create({ client, url, events: ['quota.warning'], description: 'An example', enabled: true })
  const scopes = ['videos:create', 'videos:read'] as const
  await access.admin.createKey({ client, name: 'An example', scopes, expiresAtMs: null }, GATEWAY)
  const { client: id } = EXAMPLE_IDS
  await access.admin.createClient({ id, description: 'An example', backends: null, limits: DEFAULT_LIMITS }, GATEWAY)
}

const exampleIds = (usual: NewId): NewId => {
  const { video: vid, endpoint: we, key } = EXAMPLE_IDS
  const fixed: Readonly<Record<string, string>> = { vid, we, key }
  return (prefix) => fixed[prefix] ?? usual(prefix)
}

/**
 * Writes what the examples name into the store of a gateway that is not running, the first time that it is to run. The
 * sandbox must be there. Without them the gateway runs even so.
 */
export const seedExamples = async (
  config: Config,
  options: { clock: ProcessClock; log: Log; secretKey: string | null },
): Promise<void> => {
  const [client] = config.clients
  if (config.store.driver !== 'sqlite' || existsSync(config.store.path) || !client) return
  const newId = exampleIds(createIds(options.clock))
  const deps = await buildDeps({ config, ...options, newId, random: Math.random })
  try {
    for (const write of [completedVideo, canceledVideo, ownPuppets, endpointAndAccess]) await write(deps, client.id)
  } catch (err) {
    options.log.warn({ err }, 'the records that the examples of the API name were not written')
  } finally {
    await deps.lifecycle.close()
  }
}

type Ports = Required<Pick<SandboxOptions, 'primaryPort' | 'alternatePort'>>

const USUAL: Ports = { primaryPort: 4010, alternatePort: 4020 }
const ANY: Ports = { primaryPort: 0, alternatePort: 0 }

const fileIn = (dataDir: string): string => join(dataDir, 'ports.json')

const Kept = z.tuple([z.int(), z.int()])

/** Those of the last time; the usual ones where there was none, or the file cannot be read. */
const lastPorts = (dataDir: string): Ports => {
  try {
    const [primaryPort, alternatePort] = Kept.parse(JSON.parse(readFileSync(fileIn(dataDir), 'utf8')))
    return { primaryPort, alternatePort }
  } catch {
    return USUAL
  }
}

/**
 * A job belongs to the address of its backend, so a sandbox that keeps jobs comes back where it was; otherwise on its
 * usual ports, or, where another one runs, on any that are free.
 */
export const startWhereItWas = async (dataDir: string, start: (ports: Ports) => Promise<Sandbox>): Promise<Sandbox> => {
  for (const ports of new Set([lastPorts(dataDir), USUAL])) {
    try {
      return await start(ports)
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') throw error
    }
  }
  return start(ANY)
}

/** Call once the store is ours: somebody else's sandbox must not be looked for here. */
export const keepPorts = (dataDir: string, { primaryUrl, alternateUrl }: Sandbox): void =>
  writeFileSync(fileIn(dataDir), JSON.stringify([primaryUrl, alternateUrl].map((url) => Number(new URL(url).port))))

/** The defaults of `npm start`: its port, and the folder of its data. */
const PORT = 8080
const DATA_DIR = './data'

const tryThis = ({ url, deps }: Gateway, sandbox: Sandbox): string => `
Talkbridge serves ${url} in front of the sandbox
  primary   ${sandbox.primaryUrl}
  alternate ${sandbox.alternateUrl}
Key: ${SANDBOX_CLIENT_KEY}   (no account, no credit; Ctrl-C stops, ./data keeps everything)
${deps.config.console.enabled ? `Console: ${url}/console\n` : ''}API: ${url}/docs

Try it:
  curl -s ${url}/unified/v1/videos \\
    -H 'authorization: Bearer ${SANDBOX_CLIENT_KEY}' -H 'content-type: application/json' -H 'prefer: wait=30' \\
    -d '{"image_url":"https://example.com/anna.png","text":"Hello from Talkbridge."}'
  curl -s '${url}/unified/v1/voices?limit=3' -H 'authorization: Bearer ${SANDBOX_CLIENT_KEY}'

`

/** The gateway in front of a sandbox of its own. */
export const serveSandbox = async (context: CliContext, isRestored: boolean): Promise<void> => {
  const { env, stdout } = context
  const dataDir = resolve(context.cwd, DATA_DIR)
  const sandboxDir = `${dataDir}/sandbox`
  const clock = createSystemClock()
  const sandbox = await startWhereItWas(sandboxDir, (ports) =>
    startSandbox({ clock, dataDir: sandboxDir, sampleJobs: true, ...ports }),
  ).catch((cause: unknown) => {
    throw new CliError(1, `talkbridge: the sandbox cannot start in ${sandboxDir}: ${describe(cause)}`, { cause })
  })
  try {
    const config = sandboxConfig({ ...sandbox, port: PORT, dataDir, logLevel: 'info' }, env)
    const log = logOf(config, context)
    await seedExamples(config, { clock, log, secretKey: env['TALKBRIDGE_SECRET_KEY'] ?? null })
    const gateway = await start(config, context, log, { isRestored, backendsAreLocal: true })
    keepPorts(sandboxDir, sandbox)
    stdout(tryThis(gateway, sandbox))
    await serveOn(gateway, context, log)
  } finally {
    await sandbox.close()
  }
}

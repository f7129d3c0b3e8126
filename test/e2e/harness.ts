import { rm } from 'node:fs/promises'
import { Webhook } from 'standardwebhooks'
import { onTestFinished } from 'vitest'
import { VideoEventView } from '../../src/core/api/webhooks.ts'
import { VideoView } from '../../src/core/api/videos.ts'
import { createSystemClock, type ProcessClock } from '../../src/core/time/clock.ts'
import { startSandbox, type Sandbox, type SandboxOptions } from '@talkbridge/sandbox'
import { undocumented } from '../fakes/documented.ts'
import {
  bearer,
  gatewayConfig,
  KEYS,
  runGateway,
  temporaryFolder,
  type ConfigDraft,
  type RunningGateway,
} from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { startReceiver, type Received, type Receiver } from '../fakes/receiver.ts'
import { injectFault } from '../fakes/sandbox-faults.ts'

/** Videos take milliseconds, hints and windows a second, which is the least that the contracts can say. */
const SPEED = 1_000

export interface Stage {
  sandbox: Sandbox
  receiver: Receiver
  /** The one that runs now. */
  gateway(): RunningGateway
  /** Stops the gateway and starts another on the same folder; answers whether the first ended in time. */
  restart(): Promise<boolean>
  stop(): Promise<boolean>
  call(path: string, init?: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }): Promise<Response>
  create(body: object, headers?: Record<string, string>): Promise<VideoView>
  /** Until the video is terminal. */
  ended(id: string): Promise<VideoView>
  /** What happens to coming requests of a backend (`POST /sandbox/faults`). The test fails if they do not come. */
  fault(from: 'primary' | 'alternate', fault: object): Promise<void>
  /** The event in a received request, its signature checked by the public package. */
  verified(request: Received | undefined): Promise<VideoEventView>
}

export interface StageOptions {
  sandbox?: Partial<SandboxOptions>
  config?: ConfigDraft
  clock?: ProcessClock
  /** How long a caller may take over its headers. */
  headersTimeoutMs?: number
  /** And over all of a request. */
  requestTimeoutMs?: number
  /** And read nothing of what it was answered. */
  stalledTimeoutMs?: number
  silentTimeoutMs?: number
}

export const MAIN = { image_url: 'https://example.com/anna.png', text: 'Hello from the test.' }
export const ALT = { backend: 'alt', puppet_id: 'pup_ada', text: 'Hello from the test.' }

/** For the ratio of two of them: how long anything takes is up to the machine. */
export const tookMs = async (work: () => Promise<unknown>): Promise<number> => {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

/** A sandbox, a webhook receiver and a real gateway between them, gone when the test ends: `atEnd` is who ends it. */
export const stage = async (
  {
    sandbox: sandboxOptions,
    config,
    clock = createSystemClock(),
    headersTimeoutMs,
    requestTimeoutMs,
    stalledTimeoutMs,
    silentTimeoutMs,
  }: StageOptions = {},
  atEnd: (end: () => Promise<void>) => void = onTestFinished,
): Promise<Stage> => {
  const dir = await temporaryFolder()
  atEnd(() => rm(dir, { recursive: true, force: true }))
  const sandbox = await startSandbox({ clock, speed: SPEED, ...sandboxOptions })
  atEnd(() => sandbox.close())
  const receiver = await startReceiver()
  atEnd(() => receiver.close())
  const settings = (port: number) =>
    gatewayConfig(
      dir,
      { main: sandbox.primaryUrl, alt: sandbox.alternateUrl },
      {
        webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] },
        ...config,
        server: { port, ...config?.server },
        backends: {
          main: { api_key: sandbox.primaryKey, slots: 2, requests_per_minute: 10, ...config?.backends?.['main'] },
          alt: { api_key: sandbox.alternateKey, requests_per_minute: 10, ...config?.backends?.['alt'] },
        },
      },
    )
  const options = {
    clock,
    ...(headersTimeoutMs !== undefined && { headersTimeoutMs }),
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
    ...(stalledTimeoutMs !== undefined && { stalledTimeoutMs }),
    ...(silentTimeoutMs !== undefined && { silentTimeoutMs }),
  }
  let running = await runGateway(settings(0), options)
  atEnd(() => running.gateway.close().then(() => undefined))
  const call: Stage['call'] = async (path, init = {}) => {
    const url = `/unified/v1${path}`
    const headers = { ...bearer(KEYS.anna), ...init.headers }
    const response = await fetch(running.gateway.url + url, { redirect: 'manual', ...init, headers })
    // A stream has no end to wait for.
    if (response.headers.get('content-type') === 'text/event-stream') return response
    const seen = { method: init.method ?? 'GET', url, status: response.status, text: await response.clone().text() }
    const surprises = undocumented({ ...seen, headers: Object.fromEntries(response.headers) })
    if (surprises.length > 0) throw new Error(surprises.join('\n'))
    return response
  }
  const stop = () => running.gateway.close()

  return {
    sandbox,
    receiver,
    gateway: () => running,
    stop,
    async restart() {
      const inTime = await stop()
      // The same port again: callbacks and links of before lead there.
      running = await runGateway(settings(Number(new URL(running.gateway.url).port)), options)
      return inTime
    },
    call,
    async create(body, headers = {}) {
      const response = await call('/videos', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      })
      const answer: unknown = await response.json()
      if (!response.ok) throw new Error(`create answered ${response.status}: ${JSON.stringify(answer)}`)
      return VideoView.parse(answer)
    },
    async ended(id) {
      const response = await call(`/videos/${id}`, { headers: { prefer: 'wait=60' } })
      return VideoView.parse(await response.json())
    },
    fault: (from, fault) => injectFault(sandbox[`${from}Url`], fault),
    async verified(request) {
      const { body, headers } = must(request)
      const answer = (await (await call('/webhook_secret')).json()) as { secret: string }
      new Webhook(answer.secret).verify(body, headers as Record<string, string>)
      return VideoEventView.parse(JSON.parse(body))
    },
  }
}

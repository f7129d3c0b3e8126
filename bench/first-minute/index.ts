import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, get } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { SANDBOX_CLIENT_KEY } from '../../src/cli/config-file.ts'
import { freePort } from '../../test/fakes/daemon.ts'
import { median, shownRow, type Result, type Row } from '../report.ts'
import { listenLocally } from '../servers/serve.ts'

const ROOT = join(import.meta.dirname, '../..')
const LAUNCHER = join(ROOT, 'scripts/talkbridge.js')
/** What `npm start` reads of a checkout. In a folder of their own, so that ./data is the benchmark's. */
const PARTS = ['package.json', 'scripts', 'src', 'packages', 'config', 'node_modules']
const ROUNDS = 5
const MOST_TIMES = 1.5
const MORE_MS = 300
const MOST_EVENT_MS = 2_000
const ASK_AGAIN_MS = 5
const CTRL_C = '\u0003'

export interface Minute {
  expressMs: number
  readyMs: number
  /** From the end of the first video's job, by the sandbox, until its event arrived. */
  eventMs: number
}

const isReady = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    get({ port, host: '127.0.0.1', path: '/readyz', agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode === 200))
    }).on('error', () => resolve(false))
  })

/** `npm start` in `cwd` on a terminal, until it is ready. npm writes into `home`. */
const startOnTerminal = async (cwd: string, home: string, port: number, more: Readonly<Record<string, string>>) => {
  const env = { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, HOME: home, TERM: 'xterm', ...more }
  const began = performance.now()
  const child = spawn('script', ['-qec', 'npm start', '/dev/null'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await isSo())) {
      if (child.exitCode !== null) throw new Error(`npm start ended by itself: ${printed}`)
      await sleep(ASK_AGAIN_MS)
    }
  }
  await until(() => isReady(port))
  return {
    readyMs: performance.now() - began,
    /** Where the sandbox serves the primary interface, as it says once it is ready. */
    async primaryUrl(): Promise<string> {
      const line = /^ +primary +(http\S+)\s/m
      await until(() => line.test(printed))
      return line.exec(printed)?.[1] ?? ''
    },
    stop: async (): Promise<void> => {
      child.stdin.write(CTRL_C)
      await ended
    },
  }
}

const Ledger = z.object({ jobs: z.array(z.object({ created_at: z.iso.datetime(), ends_at: z.iso.datetime() })) })

/** Makes the first video. Answers how long after the end of its job the event came. */
const firstEvent = async (url: string, primaryUrl: string): Promise<number> => {
  const { promise, resolve } = Promise.withResolvers<number>()
  const receiver = createServer((req, res) => {
    const arrivedAtMs = Date.now()
    let body = ''
    req.setEncoding('utf8').on('data', (text: string) => (body += text))
    req.on('end', () => {
      res.writeHead(204).end()
      if (body.includes('"video.completed"')) resolve(arrivedAtMs)
    })
  })
  try {
    const hook = await listenLocally(receiver)
    const input = { image_url: 'https://example.com/anna.png', text: 'Hello from Talkbridge.', webhook_url: hook }
    const headers = { authorization: `Bearer ${SANDBOX_CLIENT_KEY}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/unified/v1/videos`, { method: 'POST', headers, body: JSON.stringify(input) })
    if (answer.status !== 202) throw new Error(`the first video was refused: ${await answer.text()}`)
    const arrivedAtMs = await promise
    const { jobs } = Ledger.parse(await (await fetch(`${primaryUrl}/sandbox/ledger`)).json())
    return arrivedAtMs - Math.max(...jobs.map(({ ends_at: endsAt }) => Date.parse(endsAt)))
  } finally {
    receiver.close()
    receiver.closeAllConnections()
  }
}

/** One first start, as after `npm ci`: what it compiled is there, and nothing else. */
const measureMinute = async (): Promise<Minute> => {
  const cwd = mkdtempSync(join(tmpdir(), 'talkbridge-minute-'))
  try {
    const port = await freePort()
    const express = await startOnTerminal(join(import.meta.dirname, 'express'), cwd, port, { PORT: String(port) })
    await express.stop()
    for (const name of PARTS) symlinkSync(join(ROOT, name), join(cwd, name))
    const env = { NODE_COMPILE_CACHE: join(cwd, 'compiled') }
    spawnSync(process.execPath, [LAUNCHER, 'serve', '--help'], { env })
    const gateway = await startOnTerminal(cwd, cwd, port, { ...env, TALKBRIDGE_SERVER__PORT: String(port) })
    try {
      const eventMs = await firstEvent(`http://127.0.0.1:${port}`, await gateway.primaryUrl())
      return { expressMs: express.readyMs, readyMs: gateway.readyMs, eventMs }
    } finally {
      await gateway.stop()
    }
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

/** Pure: what was measured, line by line. */
export const rowsOf = (minutes: readonly Minute[]): Row[] => {
  const shown = (values: readonly number[]): string =>
    `${median(values).toFixed(0)} ms (${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)})`
  const express = minutes.map(({ expressMs }) => expressMs)
  const ready = minutes.map(({ readyMs }) => readyMs)
  const event = minutes.map(({ eventMs }) => eventMs)
  const mostMs = MOST_TIMES * median(express) + MORE_MS
  return [
    shownRow('bare Express 5, ready', shown(express)),
    {
      what: 'the gateway and its sandbox, ready',
      goal: `≤ ${MOST_TIMES}× bare Express + ${MORE_MS} ms`,
      measured: `${shown(ready)}; the goal is ${mostMs.toFixed(0)} ms`,
      optimum: null,
      met: median(ready) <= mostMs,
    },
    {
      what: 'event of the first video, after the end of its job',
      goal: `≤ ${MOST_EVENT_MS} ms`,
      measured: shown(event),
      optimum: null,
      met: median(event) <= MOST_EVENT_MS,
    },
  ]
}

/** From `npm start` on a terminal to the webhook of the first video, in a checkout as `npm ci` leaves it. */
export const firstMinute = async (rounds: number = ROUNDS): Promise<Result> => {
  const minutes: Minute[] = []
  for (let round = 0; round < rounds; round += 1) minutes.push(await measureMinute())
  const notes = [
    `medians of ${rounds} rounds in turn, each with a new store and without compiled code of earlier starts`,
  ]
  return { name: 'first-minute', notes, rows: rowsOf(minutes) }
}

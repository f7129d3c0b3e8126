import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { doctorCommandOn, type Machine } from '../../../src/cli/doctor/index.ts'
import type { Finding, Rows } from '../../../src/cli/doctor/findings.ts'
import { createSystemClock } from '../../../src/core/time/clock.ts'
import { startSandbox, type Sandbox } from '@talkbridge/sandbox'
import { temporaryFolder } from '../harness.ts'
import { runHere } from '../here.ts'

export const CLIENT_KEY = 'canary-client-0123456789'
export const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')

/** What the sandbox tells of itself. */
const ALTERNATE = { exclusive: true, requests_per_minute: 60 }

/** Sections of a configuration, over those of the stage. */
export type Draft = Record<string, unknown>

export interface Report {
  exit: number | null
  ok: boolean
  counts: Record<string, number>
  requests: Record<string, number>
  findings: (Finding & { check: string })[]
  codes: string[]
}

/** A disk with room, whatever the tests run on; names as the machine has them. */
const MACHINE: Machine = {
  wall: Date.now,
  volumeOf: () => ({ kind: 'disk', freeBytes: 1024 ** 4 }),
  lookup: async (hostname) => (await import('node:dns/promises')).lookup(hostname),
}

export interface Asked {
  machine?: Partial<Machine>
  env?: Record<string, string>
  args?: readonly string[]
}

export interface Stage {
  dir: string
  sandbox: Sandbox
  /** What `draft` lays over. */
  config: Draft
  doctor(draft?: Draft, asked?: Asked): Promise<Report>
  /** What a terminal or a pipe would see. */
  run(args: readonly string[], draft?: Draft, asked?: Asked & { isTty?: boolean }): ReturnType<typeof runHere>
}

/** What was provoked in this file, by code. */
const provoked = new Set<string>()
const SECRETS = [CLIENT_KEY, SECRET_KEY, 'canary']

/** A sandbox and a folder, gone when the test ends. */
export const openStage = async (): Promise<Stage> => {
  const dir = temporaryFolder()
  const sandbox = await startSandbox({ clock: createSystemClock(), speed: 1_000 })
  onTestFinished(() => sandbox.close())
  const config: Draft = {
    server: { port: 0 },
    store: { path: './data/talkbridge.db' },
    backends: {
      main: { interface: 'primary', base_url: sandbox.primaryUrl, api_key: sandbox.primaryKey },
      alt: { interface: 'alternate', base_url: sandbox.alternateUrl, api_key: sandbox.alternateKey, ...ALTERNATE },
    },
    clients: [{ id: 'acme', key: CLIENT_KEY }],
    routing: { default: 'main' },
  }
  const run: Stage['run'] = async (args, draft = {}, { machine, env = {}, isTty = false } = {}) => {
    writeFileSync(join(dir, 'gateway.json'), JSON.stringify({ ...config, ...draft }))
    const command = doctorCommandOn({ ...MACHINE, ...machine })
    const ended = await runHere(args, { cwd: dir, env, isTty }, [command])
    for (const secret of SECRETS) expect(ended.stdout + ended.stderr).not.toContain(secret)
    return ended
  }
  return {
    dir,
    sandbox,
    config,
    run,
    async doctor(draft, asked = {}) {
      const args = ['doctor', '--config', 'gateway.json', '--json', ...(asked.args ?? [])]
      const { code: exit, stdout, stderr } = await run(args, draft, asked)
      expect(stderr).toBe('')
      const report = JSON.parse(stdout) as Omit<Report, 'exit' | 'codes'>
      const codes = report.findings.map(({ code }) => code)
      codes.forEach((code) => provoked.add(code))
      return { ...report, exit, codes }
    },
  }
}

/** Call last in a file: fails for each row that no test of it provoked. */
export const expectAllProvoked = (rows: Rows, others: readonly string[] = []): void =>
  expect(Object.keys(rows).filter((code) => !provoked.has(code) && !others.includes(code))).toEqual([])

/** The one finding of this code. */
export const the = ({ findings }: Report, code: string): Finding => {
  const found = findings.filter((finding) => finding.code === code)
  expect(found).toHaveLength(1)
  return found[0] ?? { code: 'check_failed', level: 'ok', about: '', found: '', advice: null }
}

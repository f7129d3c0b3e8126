import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { runChecks } from '../../../src/cli/doctor/index.ts'
import { LEVELS, ROWS } from '../../../src/cli/doctor/findings.ts'
import { start } from '../harness.ts'
import { runHere } from '../here.ts'
import { openStage } from './stage.ts'

/** What `--json` prints. */
const Report = z.strictObject({
  file: z.string(),
  ok: z.boolean(),
  counts: z.strictObject({ ok: z.int(), hint: z.int(), warning: z.int(), fault: z.int() }),
  requests: z.record(z.string(), z.int()),
  findings: z.array(
    z.strictObject({
      check: z.string().min(1),
      code: z.enum(Object.values(ROWS).flatMap(Object.keys)),
      level: z.enum(LEVELS),
      about: z.string().min(1),
      found: z.string().min(1),
      advice: z.string().min(1).nullable(),
    }),
  ),
})

const FILE = ['doctor', '--config', 'gateway.json']

test('--json is one object, in a fixed order', async () => {
  const stage = await openStage()
  const { code, stdout } = await stage.run([...FILE, '--json'])
  expect(code).toBe(0)
  const report = Report.parse(JSON.parse(stdout))
  expect(report).toMatchObject({ file: 'gateway.json', ok: true, requests: { 'backends.main': 1, 'backends.alt': 1 } })
  expect(report.findings.map(({ check }) => check)).toEqual([
    'configuration',
    'store',
    'secret key',
    'backends.main',
    'backends.alt',
    'public URL',
    'exposure',
  ])
})

test('the key of the operators is no client', async () => {
  const stage = await openStage()
  const { findings } = await stage.doctor({ console: { admin_key: 'o'.repeat(20) } })
  expect(findings[0]?.found).toBe((await stage.doctor({})).findings[0]?.found)
})

test('for people: each finding with what to do, colours on a terminal only', async () => {
  const stage = await openStage()
  const wide = { webhooks: { allow: [{ cidr: '10.0.0.0/8' }] } }
  const { code, stdout, stderr } = await stage.run(FILE, wide)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain(
    '\nexposure\n  warning  webhooks.allow.0: 10.0.0.0/8 is a wide range\n           → Allow only the addresses',
  )
  expect(stdout).toMatch(/\n1 warning, 1 hint\. Requests spent: 1 of backends\.main; 1 of backends\.alt\.\n$/)
  expect(stdout).not.toContain('\u001b')
  expect((await stage.run(FILE, wide, { isTty: true })).stdout).toContain('\u001b[33mwarning')
  const plain = await stage.run(FILE, wide, { isTty: true, env: { NO_COLOR: '1' } })
  expect(plain.stdout).not.toContain('\u001b')
})

test('a bad configuration is 2, every fault a finding, and nothing is asked', async () => {
  const stage = await openStage()
  const bad = { server: { port: 80_800 }, retention_days: 'canary' }
  const { code, stdout } = await stage.run([...FILE, '--json'], bad)
  expect(code).toBe(2)
  const { findings, ok } = Report.parse(JSON.parse(stdout))
  expect(ok).toBe(false)
  expect(findings.map(({ code, about, found }) => `${code} ${about}: ${found}`)).toEqual([
    expect.stringMatching(/^config_fault retention_days: expected .*, received text \(line 1, column \d+\)$/),
    expect.stringMatching(/^config_fault server\.port: 80800 is not a port .* \(line 1, column \d+\)$/),
  ])
  expect(stage.sandbox.ledger().requests).toEqual([])
  const warned = await stage.doctor({
    backends: { alt: { interface: 'alternate', base_url: stage.sandbox.alternateUrl, api_key: 'canary' } },
    routing: {},
  })
  expect(warned.codes).toContain('config_warning')
})

test.each([[['doctor']], [['doctor', '--nope']], [[...FILE, '--timeout', 'soon']]])(
  '%j is a misuse: 2',
  async (args) => {
    const stage = await openStage()
    const { code, stdout, stderr } = await stage.run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).not.toBe('')
  },
)

test('a check that never ends, and one that throws', async () => {
  const checks = [
    { name: 'stuck', run: () => new Promise<never>(() => undefined) },
    { name: 'broken', run: () => Promise.reject(new Error('unheard of')) },
    {
      name: 'broken at once',
      run: () => {
        throw new Error('unheard of')
      },
    },
  ]
  const sections = await runChecks(checks, { limitMs: 10 }, new AbortController().signal)
  expect(sections.map(({ name, findings }) => [name, ...findings.map(({ code }) => code)])).toEqual([
    ['stuck', 'check_timeout'],
    ['broken', 'check_failed'],
    ['broken at once', 'check_failed'],
  ])
})

test('the real command ends by itself, with 1 for a fault', async () => {
  const stage = await openStage()
  const config = { ...stage.config, redis: { url: 'redis://127.0.0.1:1/0' } }
  writeFileSync(join(stage.dir, 'gateway.json'), JSON.stringify(config))
  const { code, stdout, stderr } = await start(FILE, { cwd: stage.dir }).ended
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(stdout).toContain('fault    redis.url: connect ECONNREFUSED')
})

test('`config check --connect` adds the checks that connect', async () => {
  const stage = await openStage()
  const check = async (draft = {}, args: string[] = []) => {
    writeFileSync(join(stage.dir, 'gateway.json'), JSON.stringify({ ...stage.config, ...draft }))
    return runHere(['config', 'check', 'gateway.json', '--connect', ...args], { cwd: stage.dir })
  }
  const { code, stdout } = await check()
  expect(code).toBe(0)
  expect(stdout).toMatch(/^gateway\.json: ok\n\nstore\n/)
  expect(stdout).toMatch(/Requests spent: 1 of backends\.main; 1 of backends\.alt\.\n$/)

  const away = await check({ redis: { url: 'redis://127.0.0.1:1/0' } }, ['--json'])
  expect(away.code).toBe(1)
  const { ok, faults, findings } = JSON.parse(away.stdout) as { ok: boolean; faults: []; findings: { code: string }[] }
  expect({ ok, faults }).toEqual({ ok: false, faults: [] })
  expect(findings.map((finding) => finding.code)).toContain('redis_unreachable')

  const bad = await check({ server: { port: 80_800 } })
  expect(bad).toMatchObject({ code: 2, stdout: '' })
  expect(stage.sandbox.ledger().requests).toHaveLength(4)
})

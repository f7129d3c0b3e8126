import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { run } from '../../src/cli/index.ts'
import { startSandbox } from '@talkbridge/sandbox'
import { contextOf } from './here.ts'
import { fakeClock } from '../fakes/clock.ts'
import { at } from '../../packages/sandbox/test/contract/walk.ts'
import { IMAGE } from '../../packages/sandbox/test/harness.ts'

const FREE = ['--primary-port', '0', '--alternate-port', '0']

/** Runs the command until `use` is done with what it printed. */
const running = async (args: readonly string[], use: (printed: string) => Promise<void>) => {
  const stopping = new AbortController()
  const out = { stdout: '', stderr: '' }
  let ready: (printed: string) => void = () => {}
  const printed = new Promise<string>((resolve) => (ready = resolve))
  const context = { stdout: (text: string) => ready((out.stdout += text)), signal: stopping.signal, cwd: tmpdir() }
  const ended = run(['sandbox', ...args], contextOf(out, context))
  try {
    await use(await Promise.race([printed, ended.then(() => '')]))
  } finally {
    stopping.abort()
  }
  return { code: await ended, ...out }
}

const urlIn = (printed: string): string => /primary +(http:\S+)/.exec(printed)?.[1] ?? ''

const bearer = { authorization: 'Bearer sandbox-primary-key', 'content-type': 'application/json' }
const create = (url: string) =>
  fetch(`${url}/api/v1/videos/text`, {
    method: 'POST',
    headers: bearer,
    body: JSON.stringify({ image_url: IMAGE, text: 'Hi' }),
  })

const jsonOf = async (url: string, init: RequestInit = {}): Promise<Record<string, unknown>> =>
  at(JSON.parse(await (await fetch(url, init)).text()))

describe('talkbridge sandbox', () => {
  it('prints where it is, serves both interfaces, and ends with 0', async () => {
    const { code, stderr, stdout } = await running(FREE, async (printed) => {
      expect((await fetch(`${urlIn(printed)}/api/v1/voices/service`, { headers: bearer })).status).toBe(200)
      expect(printed).toMatch(/alternate http:\/\/127\.0\.0\.1:\d+ +key sandbox-alternate-key/)
    })
    expect([code, stderr]).toEqual([0, ''])
    await expect(fetch(`${urlIn(stdout)}/sandbox/ledger`)).rejects.toThrow('fetch failed')
  })

  it('prints JSON for programs', async () => {
    await running([...FREE, '--json'], async (printed) => {
      const { primary, alternate } = at(JSON.parse(printed))
      expect(at(primary)).toEqual({ url: expect.stringMatching(/^http/), key: 'sandbox-primary-key' })
      expect(at(alternate)).toMatchObject({ key: 'sandbox-alternate-key' })
    })
  })

  it.each([
    ['--unlimited', [202, 202, 202], '1000000'],
    ['--unlimited-slots', [202, 202, 202], '10'],
    ['--unlimited-credits', [202, 202, 429], '10'],
    ['--unlimited-rate', [202, 202, 429], '1000000'],
  ])('lifts limits: %s', async (flag, statuses, limit) => {
    await running([...FREE, flag], async (printed) => {
      const replies = [await create(urlIn(printed)), await create(urlIn(printed)), await create(urlIn(printed))]
      expect(replies.map(({ status }) => status)).toEqual(statuses)
      expect(replies[0]?.headers.get('X-RateLimit-Limit')).toBe(limit)
      const whole = flag === '--unlimited' || flag === '--unlimited-credits'
      expect(replies[1]?.headers.get('X-Service-Credits-Remaining')).toBe(whole ? '10' : '8')
    })
  })

  it('takes a clock, a speed and a variant', async () => {
    await running([...FREE, '--clock', 'virtual', '--speed', '2', '--variant', 'terse'], async (printed) => {
      const url = urlIn(printed)
      expect(await jsonOf(`${url}/sandbox/clock`)).toMatchObject({ virtual: true, speed: 2 })
      expect(await jsonOf(`${url}/sandbox/variants`)).toMatchObject({ current: 'terse' })
      const { status_url: path } = at(await (await create(url)).json())
      const headers = { 'content-type': 'application/json' }
      await fetch(`${url}/sandbox/clock`, { method: 'POST', headers, body: '{"advance_ms":3600000}' })
      expect(await jsonOf(`${url}${String(path)}`, { headers: bearer })).toMatchObject({ status: 'completed' })
    })
  })

  it('knows its jobs again with --data', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-'))
    onTestFinished(() => rm(dataDir, { recursive: true }))
    let path = ''
    await running([...FREE, '--data', dataDir], async (printed) => {
      path = String(at(await (await create(urlIn(printed))).json())['status_url'])
    })
    await running([...FREE, '--data', dataDir], async (printed) => {
      expect((await fetch(`${urlIn(printed)}${path}`, { headers: bearer })).status).toBe(200)
    })
  })

  it('says when its port is taken', async () => {
    const other = await startSandbox({ clock: fakeClock() })
    onTestFinished(() => other.close())
    const taken = ['--primary-port', new URL(other.primaryUrl).port, '--alternate-port', '0']
    const { code, stderr } = await running(taken, async () => {})
    expect([code, stderr]).toEqual([1, expect.stringContaining('EADDRINUSE')])
  })

  it.each([
    ['--primary-port', '70000'],
    ['--speed', '0'],
    ['--speed', 'fast'],
    ['--seed', 'x'],
    ['--clock', 'sundial'],
    ['--variant', 'nothing'],
    ['--unheard-of', '1'],
  ])('refuses %s %s with 2', async (flag, value) => {
    const { code, stdout } = await running([...FREE, flag, value], async () => {})
    expect([code, stdout]).toEqual([2, ''])
  })
})

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { start, temporaryFolder } from '../cli/harness.ts'
import { runHere } from '../cli/here.ts'
import { KEYS } from '../fakes/gateway.ts'
import { seededRandom } from '../fakes/random.ts'
import { until } from '../fakes/until.ts'
import { stage } from './harness.ts'

const limits = { requests_per_minute: 1_000_000, queued_videos: 1_000 }
const FAST = {
  sandbox: { unlimitedRate: true, unlimitedCredits: true, unlimitedSlots: true },
  config: {
    clients: [{ id: 'anna', key: KEYS.anna, limits }],
    backends: { main: { slots: 100, requests_per_minute: 100_000 } },
  },
}

const open = async (rows: number) => {
  const s = await stage(FAST)
  const cwd = temporaryFolder()
  const lines = Array.from({ length: rows }, (_, n) => `Guest ${n + 1},https://example.com/${n + 1}.png\n`)
  writeFileSync(join(cwd, 'guests.csv'), `name,photo\n${lines.join('')}`)
  writeFileSync(
    join(cwd, 'card.json'),
    JSON.stringify({ image_url: '{{photo}}', text: 'Dear guest!', metadata: { name: '{{name}}' } }),
  )
  const args = ['batch', 'run', 'guests.csv', '--template', 'card.json', '--url', s.gateway().gateway.url, '--json']
  const all = () => (readdirSync(cwd).includes('guests') ? readdirSync(join(cwd, 'guests')) : [])
  const films = () => all().filter((name) => name.endsWith('.mp4'))
  const paid = () => s.sandbox.ledger().charges.length
  const results = () => readFileSync(join(cwd, 'guests/results.csv'), 'utf8').trim().split('\n').slice(1)
  return { s, cwd, args, all, films, paid, results, env: { TALKBRIDGE_KEY: KEYS.anna } }
}

test('200 rows, killed five times on the way: 200 videos, 200 charges and 200 whole files', async () => {
  const ROWS = 200
  const { s, cwd, args, all, films, paid, results, env } = await open(ROWS)
  const random = seededRandom(12)
  const between = (least: number, most: number): number => Math.floor(least + random() * (most - least))
  // Three while it creates, two while it downloads.
  const blows = [
    [paid, between(5, 30)],
    [paid, between(40, 70)],
    [paid, between(80, 120)],
    [() => films().length, between(125, 145)],
    [() => films().length, between(155, 180)],
  ] as const
  const left: [paid: number, films: number][] = []
  for (const [count, enough] of blows) {
    const running = start(args, { cwd, env })
    await until(() => count() >= enough)
    running.kill('SIGKILL')
    // It ended by the blow, not by itself.
    expect((await running.ended).code).toBe(null)
    left.push([paid(), films().length])
  }
  // Each one hit a batch that was not done, and went further than the one before.
  expect(left.every(([, files]) => files < ROWS)).toBe(true)
  expect(left.slice(0, 2).every(([charges]) => charges < ROWS)).toBe(true)
  expect(left.map(([charges]) => charges)).toEqual(left.map(([charges]) => charges).toSorted((a, b) => a - b))

  const { code, stderr } = await start(args, { cwd, env }).ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { charges, jobs } = s.sandbox.ledger()
  expect([charges.length, jobs.length, films().length]).toEqual([ROWS, ROWS, ROWS])
  expect(all().toSorted()).toEqual([...films(), 'results.csv'].toSorted())
  const bytes = films().map((film) => readFileSync(join(cwd, 'guests', film)))
  // The films of one text are of one size.
  expect(new Set(bytes.map(({ length }) => length)).size).toBe(1)
  expect(bytes.every((film) => film.toString('latin1', 4, 8) === 'ftyp')).toBe(true)
  expect(results().map((line) => line.replace(/^(\d+),(vid_\w+),completed,,0*\1-\2\.mp4$/, '$1'))).toEqual(
    Array.from({ length: ROWS }, (_, n) => String(n + 1)),
  )
})

test('two runs of one batch at the same time make each video once', async () => {
  const { s, cwd, args, films, env } = await open(20)
  const [one, other] = await Promise.all([runHere(args, { cwd, env }), runHere(args, { cwd, env })])
  expect([one.code, other.code]).toEqual([0, 0])
  expect([s.sandbox.ledger().charges.length, films().length]).toEqual([20, 20])
})

test('stopped by SIGTERM it says how to go on, and goes on', async () => {
  const { s, cwd, args, films, paid, env } = await open(40)
  const running = start(args, { cwd, env })
  await until(() => paid() > 0)
  running.kill('SIGTERM')
  const { code, stderr } = await running.ended
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'talkbridge batch: stopped; run the same command again to continue\n',
  })
  expect((await runHere(args, { cwd, env })).code).toBe(0)
  expect([s.sandbox.ledger().charges.length, films().length]).toEqual([40, 40])
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../fakes/folder.ts'
import { seededRandom } from '../fakes/random.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { until } from '../fakes/until.ts'
import { between } from './blows.ts'
import { sharedServers } from './own.ts'
import { CLIENT_KEY } from './stage.ts'
import { replicaStage } from './test-stage.ts'

const SCRIPT = join(import.meta.dirname, '../../scripts/talkbridge.js')
const SEED = 5
const ROWS = 200
const KILLS = 5
const LIMIT_MS = 480_000

describe.skipIf(await skippedWithout(['postgres', 'redis']))('a batch of 200 on a pool', () => {
  test('killed at random five times: 200 videos, 200 charges and 200 files', { timeout: LIMIT_MS }, async () => {
    const random = seededRandom(SEED)
    const { store } = await sharedServers()
    const stage = await replicaStage({ replicas: 1, store, seed: SEED, members: 3 })
    const cwd = await temporaryFolder()
    onTestFinished(() => rm(cwd, { recursive: true, force: true }))
    const rows = Array.from({ length: ROWS }, (_, n) => `Guest ${n},https://example.com/${n}.png\n`)
    writeFileSync(join(cwd, 'guests.csv'), `name,photo\n${rows.join('')}`)
    writeFileSync(join(cwd, 'card.json'), JSON.stringify({ image_url: '{{photo}}', text: 'Hello {{name}}!' }))
    const run = () => {
      const args = ['batch', 'run', 'guests.csv', '--template', 'card.json', '--url', stage.balancer.url]
      const env = { PATH: process.env['PATH'], TALKBRIDGE_KEY: CLIENT_KEY }
      const child = spawn(process.execPath, [SCRIPT, ...args], { cwd, env, stdio: 'ignore' })
      onTestFinished(() => void child.kill('SIGKILL'))
      return { child, ended: once(child, 'close') }
    }
    const made = (): number => stage.sandbox.ledger().jobs.length
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const { child, ended } = run()
      const enough = made() + between(random, 1, (2 * ROWS) / (3 * KILLS))
      await until(() => made() >= enough || child.exitCode !== null)
      child.kill('SIGKILL')
      expect(await ended, 'it was at work when it was killed').toEqual([null, 'SIGKILL'])
    }
    expect(made()).toBeLessThan(ROWS)
    expect(await run().ended).toEqual([0, null])
    const { jobs, charges, requests } = stage.sandbox.ledger()
    const files = readdirSync(join(cwd, 'guests')).filter((name) => name.endsWith('.mp4'))
    expect([jobs.length, charges.length, files.length]).toEqual([ROWS, ROWS, ROWS])
    expect(requests.filter(({ status }) => status === 429)).toEqual([])
    expect(stage.surprises()).toEqual([])
  })
})

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { skippedWithout } from '../fakes/servers.ts'
import { skippedWithoutNginx } from './nginx.ts'
import { topology } from './topology.ts'

const ROOT = join(import.meta.dirname, '../..')
const LIMIT_MS = 300_000

const skipped = skippedWithoutNginx() || (await skippedWithout(['postgres', 'redis']))

describe.skipIf(skipped)('what compose.yaml runs, without containers', () => {
  test('the smoke script: one gateway is killed, and every video ends and is told', { timeout: LIMIT_MS }, async () => {
    const { url, replica } = await topology()
    const args = ['scripts/smoke.ts', '--url', url, '--kill', `kill -9 ${replica(0).pid}`]
    const env = { PATH: process.env['PATH'] }
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env })
    expect(stdout).toContain('all of them ended, and each was told once')
    expect([0, 1].map((index) => replica(index).hasEnded())).toEqual([true, false])
  })
})

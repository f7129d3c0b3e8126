import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { SANDBOX_CLIENT_KEY, sandboxConfig } from '../../src/cli/config-file.ts'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startGateway } from '../../src/gateway.ts'
import { startSandbox } from '@talkbridge/sandbox'
import { temporaryFolder } from '../fakes/gateway.ts'
import { seededRandom } from '../fakes/random.ts'
import { listQuery } from '../fakes/records.ts'
import { until } from '../fakes/until.ts'
import type { VictimSetup } from './protocol.ts'

const CHILD = fileURLToPath(new URL('./full-gateway.ts', import.meta.url))
const REFUSED = 10
const UNLIMITED = { unlimitedRate: true, unlimitedCredits: true, unlimitedSlots: true }
const AT_MOST = 400

const post = async (url: string, n: number): Promise<{ status: number; code: string; id: string }> => {
  const response = await fetch(`${url}/unified/v1/videos`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${SANDBOX_CLIENT_KEY}`,
      'content-type': 'application/json',
      'idempotency-key': `order-${n}`,
    },
    body: JSON.stringify({ image_url: 'https://example.com/anna.png', text: 'x'.repeat(4_500) }),
  })
  const answer = (await response.json()) as { code?: string; id?: string }
  return { status: response.status, code: answer.code ?? '', id: answer.id ?? '' }
}

test('a disk that is full during creates: 503, nothing upstream, and all that was accepted ends later', async () => {
  const dataDir = await temporaryFolder()
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const sandbox = await startSandbox({ clock: createSystemClock(), speed: 300, ...UNLIMITED })
  onTestFinished(() => sandbox.close())
  const { primaryUrl, primaryKey, alternateUrl, alternateKey } = sandbox
  const env = { TALKBRIDGE_BACKENDS__MAIN__REQUESTS_PER_MINUTE: '100000', TALKBRIDGE_BACKENDS__MAIN__SLOTS: '1000' }
  const setup: VictimSetup = {
    primaryUrl,
    primaryKey,
    alternateUrl,
    alternateKey,
    dataDir,
    env,
    seed: 1,
    killAt: null,
  }

  // 4 MiB a file and no more, as the system sees it: the write-ahead log meets it first.
  const limited = 'ulimit -f 8192; exec "$0" "$1" "$2"'
  const child = spawn('sh', ['-c', limited, process.execPath, CHILD, JSON.stringify(setup)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  const url = line.trim()

  const told = new Map<number, string>()
  const refused: { n: number; code: string; status: number }[] = []
  for (let n = 0; refused.length < REFUSED && n < AT_MOST; n += 1) {
    const { status, code, id } = await post(url, n)
    if (status === 202) told.set(n, id)
    else refused.push({ n, code, status })
  }
  expect(refused).toHaveLength(REFUSED)
  for (const { status, code } of refused) expect([status, code]).toEqual([503, 'store_unavailable'])
  expect(told.size).toBeGreaterThan(10)
  // What was refused was not sent: a create goes out when its bytes are in the store. One that was stored and then met
  // the fault was told 202, and goes out when there is room.
  const sent = sandbox.ledger().requests.flatMap(({ idempotency_key: key }) => key?.replace(/\.\d+$/, '') ?? [])
  expect([...told.values()]).toEqual(expect.arrayContaining(sent))
  expect(sandbox.ledger().jobs.length).toBeGreaterThan(0)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  child.kill('SIGKILL')
  await exited

  const gateway = await startGateway({
    config: sandboxConfig({ ...setup, port: Number(new URL(url).port), logLevel: 'silent' }, env),
    clock: createSystemClock(),
    log: pino({ level: 'silent' }),
    secretKey: null,
    random: seededRandom(2),
    backendsAreLocal: true,
  })
  onTestFinished(() => gateway.close().then(() => undefined))
  const { store } = gateway.deps
  const ids = [...told.values()]
  await until(async () => {
    const records = await Promise.all(ids.map((id) => store.video(id)))
    return records.every((record) => record?.phase === 'ended')
  })
  const records = await Promise.all(ids.map((id) => store.video(id)))
  expect(new Set(records.map((record) => record?.status))).toEqual(new Set(['completed']))
  // There is room again: who was refused asks again with the same key, and pays once.
  const [first] = refused
  const again = await post(gateway.url, first?.n ?? 0)
  expect(again.status).toBeLessThan(300)
  await until(async () => (await store.video(again.id))?.phase === 'ended')
  const { jobs, charges } = sandbox.ledger()
  const owned = (await store.list('sandbox', listQuery({ limit: 1_000 }))).flatMap(
    ({ backendJobId }) => backendJobId ?? [],
  )
  expect(owned.toSorted()).toEqual(jobs.map(({ id }) => id).toSorted())
  expect(charges).toHaveLength(jobs.length)
})

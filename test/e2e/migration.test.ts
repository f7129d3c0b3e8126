import { readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { expect, onTestFinished, test } from 'vitest'
import { MigrationReportView, MigrationView } from '../../src/core/api/migration.ts'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startSandbox } from '@talkbridge/sandbox'
import { bearer, gatewayConfig, KEYS, runGateway, temporaryFolder, type ConfigDraft } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { HANG_MS } from '../fakes/until.ts'
import { runHere } from '../cli/here.ts'

/** The story of docs/migration.md, told by its own commands and its own configuration, in their order. */

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/migration.md'), 'utf8')
const blocks = (language: string): string[] =>
  [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\\b.*\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text)
const COMMANDS = blocks('sh').flatMap((text) =>
  [...text.matchAll(/^talkbridge ([^#\n]*)/gm)].map(([, command = '']) => command.trim()),
)
const routingOf = (text: string | undefined): object => (parse(must(text)) as { routing: object }).routing
const [SHADOW, CANARY] = blocks('yaml').map((text) => routingOf(text))

/** Enough for a weight of one half to find some of each side. */
const CLIENTS = Array.from({ length: 24 }, (_, n) => ({ id: `client-${n}`, key: `tb_client_${n}_0123456789abcdef` }))
const BODY = { puppet_id: 'puppet_ada', voice_id: 'sandbox-de-de-lena', text: 'Guten Tag.' }

const stage = async () => {
  const dir = await temporaryFolder()
  const lifted = { unlimitedRate: true, unlimitedCredits: true, unlimitedSlots: true }
  const sandbox = await startSandbox({ clock: createSystemClock(), speed: 1_000, ...lifted })
  const configured = (draft: ConfigDraft) =>
    gatewayConfig(
      dir,
      { main: sandbox.primaryUrl, alt: sandbox.alternateUrl },
      {
        backends: { main: { api_key: sandbox.primaryKey }, alt: { api_key: sandbox.alternateKey } },
        clients: [{ id: 'anna', key: KEYS.anna }, ...CLIENTS],
        ...draft,
      },
    )
  const { gateway } = await runGateway(configured({}))
  onTestFinished(async () => {
    await gateway.close()
    await sandbox.close()
    await rm(dir, { recursive: true, force: true })
  })
  let draft: ConfigDraft = {}
  const run = async (command: string, code = 0) => {
    const args = [...command.split(/ +/), '--url', gateway.url]
    const ended = await runHere(args, { env: { TALKBRIDGE_ADMIN_KEY: KEYS.anna }, cwd: dir })
    expect({ args, ...ended }).toMatchObject({ args, code })
    return ended
  }
  const commands = [...COMMANDS]
  return {
    dir,
    left: () => commands,
    /** What an operator does with SIGHUP. */
    async load(more: ConfigDraft) {
      draft = { ...draft, ...more }
      await gateway.reload(configured(draft))
    },
    /** Runs the guide's next command, which must be this one. */
    async next(expected: string, code = 0) {
      expect(commands.shift()).toBe(expected)
      return run(expected, code)
    },
    run,
    async get(path: string, key: string): Promise<{ status: number; body: Record<string, unknown> }> {
      const response = await fetch(gateway.url + path, { headers: bearer(key) })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },
    async create(client: (typeof CLIENTS)[number], body: object = BODY) {
      const response = await fetch(`${gateway.url}/unified/v1/videos`, {
        method: 'POST',
        headers: { ...bearer(client.key), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const {
        id,
        backend,
        completed_at: end,
      } = (await response.json()) as {
        id: string
        backend: string
        completed_at: string | null
      }
      // At a thousand times the speed a video may have ended before its create is answered.
      expect(response.status).toBe(end === null ? 202 : 200)
      return { id, backend, client }
    },
  }
}
type Stage = Awaited<ReturnType<typeof stage>>
type Made = Awaited<ReturnType<Stage['create']>>

const statusOf = async ({ get }: Stage): Promise<MigrationView> =>
  MigrationView.parse((await get('/unified/v1/migration', KEYS.anna)).body)
const reportOf = async ({ get }: Stage): Promise<MigrationReportView> =>
  MigrationReportView.parse((await get('/unified/v1/migration/report?from=main&to=alt', KEYS.anna)).body)

const oneEach = async (s: Stage, body?: object): Promise<Made[]> => {
  const made: Made[] = []
  for (const client of CLIENTS) made.push(await s.create(client, body))
  return made
}
const backendsOf = (made: readonly Made[]): Set<string> => new Set(made.map(({ backend }) => backend))

const sidesOf = (made: readonly Made[]): string[] => made.map(({ client, backend }) => `${client.id}: ${backend}`)
/** As many that succeed on the old side, by its own clients. */
const onMain = async (s: Stage, moved: readonly Made['client'][]): Promise<Made[]> =>
  Promise.all(CLIENTS.filter((client) => !moved.includes(client)).map((client) => s.create(client)))

/** A video answers on every surface, under each one's name for it, to its own client alone. */
const answersEverywhere = async ({ get }: Stage, made: readonly Made[]): Promise<void> => {
  for (const { id, client } of made) {
    for (const path of [
      `/unified/v1/videos/${id}`,
      `/api/v1/videos/${id.replace('vid_', 'api_video_')}`,
      `/v1/videos/${id}`,
    ]) {
      expect([path, await get(path, client.key)]).toMatchObject([path, { status: 200 }])
      expect([path, await get(path, KEYS.anna)]).toMatchObject([path, { status: 404 }])
    }
  }
}

const ended = async (s: Stage, made: readonly Made[]): Promise<void> => {
  for (const { id, client } of made) {
    const state = async () => (await s.get(`/unified/v1/videos/${id}`, client.key)).body['completed_at']
    await expect.poll(state, { timeout: HANG_MS, interval: 5 }).not.toBeNull()
  }
}

test(
  'from the first report to the switch, and back',
  async () => {
    const s = await stage()
    const old = await oneEach(s)
    expect(backendsOf(old)).toEqual(new Set(['main']))
    await ended(s, old)

    // 1. The report: no voice and no portrait of these carries over.
    const asked = 'migrate report --from main --to alt'
    expect((await s.next(asked)).stdout).toMatch(/Does not carry over .* 24 +100\.0 %/)
    await s.next(`${asked} --html report.html`)
    expect(await readFile(join(s.dir, 'report.html'), 'utf8')).toContain('sandbox-de-de-lena')
    const predicted = MigrationReportView.parse(JSON.parse((await s.next(`${asked} --since 7d --json`)).stdout))
    expect(predicted.verdicts).toMatchObject({ not_at_all: 24, untouched: 0 })

    // 2. Its aliases, with the comment about the portrait decided.
    const { aliases } = parse(predicted.aliases) as { aliases: { voices: object; puppets: object | null } }
    await s.load({
      aliases: { ...aliases, puppets: { ...aliases.puppets, ada: { main: 'puppet_ada', alt: 'pup_ada' } } },
    })
    expect((await reportOf(s)).verdicts).toMatchObject({ not_at_all: 0, untouched: 24 })

    // 3. The shadow of new videos says the same.
    await s.load({ routing: { ...SHADOW, shadow: { from: 'main', to: 'alt', share: 1 } } })
    await s.create(must(CLIENTS[0]))
    await expect.poll(async () => (await reportOf(s)).shadow?.videos ?? 0, { timeout: HANG_MS }).toBe(1)

    // 4. The canary: nothing moves before the first step.
    await s.load({ routing: { ...CANARY } })
    expect(backendsOf(await oneEach(s))).toEqual(new Set(['main']))
    expect((await s.next('migrate step')).stdout).toContain('1 %')
    expect((await s.next('migrate status')).stdout).toContain('alt')
    await answersEverywhere(s, old)

    // It gets half of the clients, and fails them: it stops, and gets nothing more.
    for (const _ of [5, 10, 25, 50]) await s.run('migrate step --force')
    const halves = await oneEach(s, { ...BODY, text: 'Guten Tag. [[fail]]' })
    expect(backendsOf(halves)).toEqual(new Set(['main', 'alt']))
    const moved = halves.filter(({ backend }) => backend === 'alt').map(({ client }) => client)
    // Twenty make a verdict. The last of these may already meet the stop.
    for (let videos = moved.length; videos < 20; videos += moved.length)
      for (const client of moved) await s.create(client, { ...BODY, text: 'Noch einmal. [[fail]]' })
    const isStopped = async () => (await statusOf(s)).splits[0]?.stopped !== null
    await ended(s, halves)
    // Those of the old side fail as often until it has made others: of two that fail alike, none is better.
    for (let n = 0; n < 3; n += 1) await ended(s, await onMain(s, moved))
    await expect.poll(isStopped, { timeout: HANG_MS }).toBe(true)
    const after = await oneEach(s)
    expect(backendsOf(after)).toEqual(new Set(['main']))
    await s.next('migrate resume')
    expect(sidesOf(await oneEach(s))).toEqual(sidesOf(halves))

    // 5. Steps: a gate does not hold yet; by force all of it; and back.
    expect((await s.next('migrate step', 1)).stderr).toContain('least_videos')
    await s.next('migrate step --force')
    const switched = await oneEach(s)
    expect(backendsOf(switched)).toEqual(new Set(['alt']))
    await ended(s, switched)
    await answersEverywhere(s, [...old, ...switched])
    await s.next('migrate rollback')
    expect(backendsOf(await oneEach(s))).toEqual(new Set(['main']))
    await s.next('migrate resume')
    expect(backendsOf(await oneEach(s))).toEqual(new Set(['alt']))

    // 6. Predicted, and observed: nothing that was predicted to carry over was refused.
    expect((await s.next(`${asked} --since 7d`)).stdout).toContain('observed')
    const { observed, verdicts } = await reportOf(s)
    expect([verdicts.not_at_all, observed.refused]).toEqual([0, 0])
    expect(observed.videos).toBeGreaterThan(switched.length)
    expect(s.left()).toEqual([])
    await answersEverywhere(s, [...old, ...switched])
  },
  HANG_MS,
)

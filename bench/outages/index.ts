import { loadavg } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { VideoView } from '../../src/core/api/videos.ts'
import type { OwnServer } from '../../test/fakes/daemon.ts'
import { openDatabase, ownPostgres } from '../../test/fakes/postgres.ts'
import { answer, type Received } from '../../test/fakes/receiver.ts'
import { ownRedis } from '../../test/fakes/redis.ts'
import { skippedWithout } from '../../test/fakes/servers.ts'
import { until } from '../../test/fakes/until.ts'
import { read } from '../../test/replicas/crowd.ts'
import {
  deliveryOf,
  ENDS,
  eventsFaults,
  jobsFaults,
  upstreamFaults,
  videosFaults,
} from '../../test/replicas/promises.ts'
import { SETTLE_MS } from '../../test/replicas/run.ts'
import { ALTERNATE_SLOTS, openStage, PRIMARY_SLOTS, type AtEnd, type Stage } from '../../test/replicas/stage.ts'
import { silentProxy } from '../../test/stores/silent-proxy.ts'
import type { Result } from '../report.ts'
import { goalsOf, rowsOf, type Seen, type Told } from './figures.ts'
import { CALM, PHASES, type Servers, type Times } from './phases.ts'
import { CREATE_EVERY_MS, PATIENCE_MS, READ_EVERY_MS, startTrickle } from './trickle.ts'

export interface Size extends Times {
  phases: readonly string[]
}
export const FULL: Size = {
  phases: Object.keys(PHASES),
  besideMs: 6_000,
  redisMs: 10_000,
  postgresMs: 3_000,
  stallMs: 50_000,
}

/** Jobs of seconds, and a minute's requests in one second. */
const SPEED = 60
const REPLICAS = 2

const Event = z.object({ timestamp: z.iso.datetime() })

/** The delivery of an end; null: of something else. */
const toldBy = (request: Received): Told | null => {
  const { event, type, video } = deliveryOf(request)
  if (!ENDS.includes(type)) return null
  const { timestamp } = Event.parse(JSON.parse(request.body))
  return { event, video, atMs: Date.now(), seenMs: Date.parse(timestamp) }
}

interface Run {
  servers: Servers
  /** All deliveries of ends so far. */
  told: readonly Told[]
  /** All accepted videos so far. */
  accepted: string[]
}

/** One phase, until the end of each of its videos was told. */
const runPhase = async ({ servers, told, accepted }: Run, name: string, size: Size): Promise<Omit<Seen, 'endedMs'>> => {
  const trickle = startTrickle(servers.stage, accepted.length, accepted)
  let outage
  try {
    outage = (await PHASES[name]?.(servers, size)) ?? null
  } finally {
    await trickle.stop()
  }
  const own = new Set(trickle.accepted)
  accepted.push(...own)
  const isSettled = (): boolean => {
    const heard = new Set(told.map(({ video }) => video))
    return [...own].every((id) => heard.has(id))
  }
  // What is never told is found among the promises.
  await until(isSettled, SETTLE_MS).catch(() => undefined)
  return { name, tally: trickle.tally, outage, accepted: own.size, told: told.filter(({ video }) => own.has(video)) }
}

const promised = (stage: Stage, accepted: readonly string[], videos: readonly VideoView[]) => {
  const deliveries = stage.receiver.requests.map(deliveryOf)
  const slots = { primary: PRIMARY_SLOTS, alternate: ALTERNATE_SLOTS }
  const seen = { accepted, videos, deliveries, ledger: stage.sandbox.ledger(), slots }
  return {
    'videos lost or not completed': videosFaults(seen),
    'videos without a job of their own, jobs of none': jobsFaults(seen),
    'ends untold, or under two event ids': eventsFaults(seen),
    'requests that a backend refused, slots exceeded': [...upstreamFaults(seen), ...stage.surprises()],
  }
}

/** When the jobs of these videos ended at their backend. */
const endsOf = (stage: Stage, videos: readonly VideoView[]): Map<string, number> => {
  const ends = new Map(stage.sandbox.ledger().jobs.map(({ id, ends_at: at }) => [id, Date.parse(at ?? '')]))
  return new Map(videos.map(({ id, backend_job_id: job }) => [id, ends.get(job ?? '') ?? NaN]))
}

const openServers = async (atEnd: AtEnd): Promise<Servers> => {
  const own = async (start: () => Promise<OwnServer>): Promise<OwnServer> => {
    const server = await start()
    atEnd(() => server.close())
    return server
  }
  const [postgres, redis] = [await own(ownPostgres), await own(ownRedis)]
  const way = await silentProxy((await openDatabase(postgres.url)).url)
  atEnd(way.close)
  const { url } = way
  const store = (folder: string) => ({
    store: { driver: 'postgres', url, pool: 5, path: join(folder, 'talkbridge.db') },
    redis: { url: redis.url },
  })
  const stage = await openStage({ replicas: REPLICAS, store, speed: SPEED, gates: true }, atEnd)
  return { stage, postgres, way, redis }
}

const measure = async (size: Size, atEnd: AtEnd): Promise<Pick<Result, 'rows'>> => {
  const servers = await openServers(atEnd)
  const { stage } = servers
  const told: Told[] = []
  stage.receiver.respond((request) => {
    const one = toldBy(request)
    if (one) told.push(one)
    return answer(204)
  })
  const run: Run = { servers, told, accepted: [] }
  // Caches are filled and code is compiled; and each backend's clock is known to the gateway.
  await runPhase(run, CALM, { ...size, besideMs: size.besideMs / 4 })
  const phases = []
  for (const name of size.phases) phases.push(await runPhase(run, name, size))
  const videos = []
  for (const id of run.accepted) videos.push(await read(stage, id))
  const endedMs = endsOf(stage, videos)
  const seen = phases.map((phase) => ({ ...phase, endedMs }))
  const faults = promised(stage, run.accepted, videos)
  for (const fault of [...seen.flatMap(({ tally }) => tally.lost), ...Object.values(faults).flat()])
    process.stderr.write(`${fault}\n`)
  return { rows: [...seen.flatMap(rowsOf), ...goalsOf(seen, faults)] }
}

/** What clients and receivers notice while servers and replicas stop, beside a calm time in the same run. */
export const outages = async (size: Size = FULL): Promise<Result> => {
  const name = 'outages'
  if (await skippedWithout(['ownPostgres', 'ownRedis']))
    return { name, notes: ['NOT measured: there is no PostgreSQL or Redis to start'], rows: [] }
  const undo: Parameters<AtEnd>[0][] = []
  let isFailed = true
  try {
    const { rows } = await measure(size, (one) => void undo.push(one))
    isFailed = rows.some(({ met }) => !met)
    return {
      name,
      notes: [
        `${REPLICAS} replicas over servers of their own; a create every ${CREATE_EVERY_MS} ms, a read every ${READ_EVERY_MS} ms, round robin`,
        `a client asks again after a 503, a broken connection, or ${PATIENCE_MS / 1_000} s without an answer; jobs take seconds (${SPEED}× as fast as life)`,
        `a phase counts the videos created in it, and ends when all of them were told; load ${loadavg()[0]?.toFixed(1)}`,
      ],
      rows,
    }
  } finally {
    for (const one of undo.toReversed()) await one(isFailed)
  }
}

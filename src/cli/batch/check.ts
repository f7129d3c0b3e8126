import { TalkbridgeError } from '../../../packages/client/src/index.ts'
import type { Schema } from '../../../packages/client/src/types.ts'
import type { Calls } from './calls.ts'
import { bodyOf, columnsOf, type Row, type Template } from './template.ts'

type Reckoned = Pick<Schema<'BackendDetail'>, 'window' | 'budget' | 'slots' | 'learned'>

/** How many seconds lie between two videos of a backend, as its window and its slots allow, and how long one takes. */
const paceOf = (source: 'text' | 'audio', { window, budget, slots, learned }: Reckoned) => {
  const known = learned.find((one) => one.source === source)
  const oneTakes = known?.seconds?.p50 ?? null
  // The first poll is certain; each further one comes for those that still run.
  const running = known?.polls.slice(0, -1).map((poll) => poll.running) ?? []
  const requests = 2 + running.reduce((sum, share) => sum + share, 0)
  const byWindow = (requests * window.seconds) / Math.max(1, budget.limit)
  const bySlots = slots.limit === null || oneTakes === null ? 0 : oneTakes / Math.max(1, slots.limit)
  return { between: Math.max(byWindow, bySlots), oneTakes }
}

/** How long so many videos take at these backends together, behind those that wait there. Pure. */
export const secondsFor = (
  rows: number,
  source: 'text' | 'audio',
  backends: readonly (Reckoned & Pick<Schema<'BackendDetail'>, 'queue_depth'>)[],
) => {
  const paces = backends.map((one) => paceOf(source, one))
  const before = backends.reduce((sum, one) => sum + one.queue_depth, 0)
  const perSecond = paces.reduce((sum, { between }) => sum + 1 / between, 0)
  const known = paces.flatMap(({ oneTakes }) => oneTakes ?? [])
  const seconds = Math.round((rows + before) / perSecond + Math.max(0, ...known))
  // Where nobody knows yet how long a video takes, it is at least this.
  return { seconds, is_complete: known.length > 0 }
}

/** Where a row is made: by any member of a pool, unless what it names belongs to one of them. */
const placeOf = ({ request }: Row, backend: string, pool: string | null): string => {
  const isOfMember = (field: string): boolean => {
    const named = request[field]
    return typeof named === 'string' && (named === backend || named.startsWith(`${backend}:`))
  }
  const isPinned = ['puppet_id', 'upload_id'].some((field) => request[field] !== undefined)
  return pool === null || isPinned || ['backend', 'voice_id'].some(isOfMember) ? backend : pool
}

const faultsOf = (row: number, template: Template, found: readonly (readonly [field: string, message: string])[]) =>
  [...new Map(found.map((one) => [one[1], one])).values()].map(([field, message]) => ({
    row,
    columns: columnsOf(template, field),
    field,
    message,
  }))

/** About the row itself; the rest is about the key, the client or the gateway. */
const isOfTheRow = ({ status, code }: TalkbridgeError): boolean =>
  status !== null && status < 500 && code !== 'insufficient_scope' && code !== 'unauthenticated'

const CHECKS = 4
const PRICED = 20

/** Checks every row, and makes nothing. `checked`: is called with the number of checked rows. */
export const dryRun = async (
  calls: Calls,
  name: string,
  rows: readonly Row[],
  template: Template,
  checked: (done: number) => void,
) => {
  const { client, signal } = calls
  const faults: ReturnType<typeof faultsOf> = []
  /** By what they say: the first row that has it, and how many have it. */
  const warnings = new Map<string, { row: number; rows: number; field: string; message: string }>()
  const chosen = new Map<string, Row[]>()
  let done = 0

  const judge = (row: Row, { chosen: backend, routing, backends }: Schema<'Check'>): void => {
    const problems = backends.flatMap(({ problem }) =>
      problem === null ? [] : [[problem.param ?? '', problem.message] as const],
    )
    if (backend === null) return void faults.push(...faultsOf(row.number, template, problems))
    const place = placeOf(row, backend, routing?.pool ?? null)
    chosen.set(place, [...(chosen.get(place) ?? []), row])
    for (const { param, message } of backends.find((one) => one.backend === backend)?.warnings ?? []) {
      const before = warnings.get(`${param} ${message}`) ?? { row: row.number, rows: 0, field: param, message }
      warnings.set(`${param} ${message}`, { ...before, rows: before.rows + 1 })
    }
  }
  const queue = rows.values()
  const checkNext = async (): Promise<void> => {
    for (const row of queue) {
      try {
        const body = bodyOf(name, row)
        judge(row, (await calls.patiently(() => client.POST('/unified/v1/videos/check', { body, signal }))).data)
      } catch (error) {
        if (!(error instanceof TalkbridgeError) || !isOfTheRow(error)) throw error
        const said = error.errors.map(({ path, message }) => [path, message] as const)
        faults.push(...faultsOf(row.number, template, said.length > 0 ? said : [[error.param ?? '', error.message]]))
      }
      checked((done += 1))
    }
  }
  await Promise.all(Array.from({ length: CHECKS }, checkNext))

  const usage = (await calls.patiently(() => client.GET('/unified/v1/usage', { signal }))).data
  const { pools } = (await calls.patiently(() => client.GET('/unified/v1/backends', { signal }))).data
  const detailOf = async (name: string) =>
    (await calls.patiently(() => client.GET('/unified/v1/backends/{name}', { params: { path: { name } }, signal })))
      .data
  /** What its rows would take; null credits: no finished video of the client says what one costs. */
  const shareOf = async (backend: string, its: readonly Row[]) => {
    const members = pools.find(({ name }) => name === backend)?.members ?? [backend]
    const left = members.map((name) => usage.backends.find((one) => one.backend === name)?.credits_remaining ?? null)
    const all = await Promise.all(members.map(detailOf))
    const up = all.filter(({ health }) => health.status !== 'down')
    const query = { backend, status: 'completed', limit: PRICED } as const
    const { data: last } = await calls.patiently(() => client.videos.list(query, { signal }).page())
    const prices = last.flatMap(({ credits }) => credits?.charged ?? [])
    const price = prices.length === 0 ? null : prices.reduce((sum, one) => sum + one, 0) / prices.length
    const isSpoken = its.some(({ request }) => request['text'] !== undefined || request['script'] !== undefined)
    return {
      backend,
      rows: its.length,
      credits: price === null ? null : Math.ceil(price * its.length),
      credits_remaining: left.includes(null) ? null : left.reduce((sum: number, one) => sum + (one ?? 0), 0),
      ...secondsFor(its.length, isSpoken ? 'text' : 'audio', up.length === 0 ? all : up),
    }
  }
  const backends = await Promise.all(Array.from(chosen, ([backend, its]) => shareOf(backend, its)))
  const { videos, limits } = usage.client
  const used = videos.queued + videos.processing + videos.completed + videos.failed
  return {
    rows: rows.length,
    faults: faults.toSorted((a, b) => a.row - b.row),
    warnings: [...warnings.values()],
    backends,
    /** Videos that the client may still make this month; null: no limit. */
    videos_left: limits.videos_per_month === null ? null : Math.max(0, limits.videos_per_month - used),
  }
}
export type DryRun = Awaited<ReturnType<typeof dryRun>>

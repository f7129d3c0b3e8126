import { api, ask, type Page, pathFor, type Schema } from '../../api.ts'
import { type LiveEvent, useLive } from '../../live.ts'
import { type Pages, usePages } from '../../reads.ts'
import { useSession } from '../../session.ts'

const TIMES = ['from', 'to', 'ended_since', 'ended_before'] as const
const NAMES = ['status', 'phase', 'backend', 'client', 'find', 'error_code', 'webhook', 'sort', ...TIMES] as const
type Name = (typeof NAMES)[number]

/**
 * The filters, as they stand in the URL; empty: none.
 *
 * - `status`: several are separated by commas. `phase`: `waiting`, `running` or `in_doubt`.
 * - `find`: a metadata value, or `key=value`. `client`: for operators.
 * - `webhook`: `delivered`, `pending`, `failed` or `none`. `sort`: `took` has the slowest first.
 * - Times are ISO 8601.
 */
export type Asked = Readonly<Record<Name, string>>

/** With a client's key only its own videos are listed, also if the URL names another client. */
export const askedOf = (filters: Readonly<Record<string, string>>, isAdmin: boolean): Asked => {
  const of = (name: Name): string => {
    const text = (filters[name] ?? '').trim()
    if (name === 'client') return isAdmin ? text : ''
    if (!TIMES.some((time) => time === name)) return text
    const atMs = Date.parse(text)
    return Number.isNaN(atMs) ? '' : new Date(atMs).toISOString()
  }
  return Object.fromEntries(NAMES.map((name) => [name, of(name)])) as Asked
}
export const NOTHING = askedOf({}, false)

/** With a change, the filters go that the API cannot combine with it. Pure. */
export const changed = (asked: Asked, changes: Partial<Asked>): Asked => {
  const isSet = (...names: readonly Name[]): boolean => names.some((name) => changes[name])
  return {
    ...asked,
    ...(isSet('phase', 'from', 'to', 'find') && { error_code: '', ended_since: '', ended_before: '', sort: '' }),
    ...(isSet('error_code', 'ended_since', 'ended_before', 'sort') && { phase: '', from: '', to: '', find: '' }),
    ...(isSet('sort', 'find') && { webhook: '' }),
    ...(isSet('webhook') && { sort: '', find: '' }),
    ...changes,
  }
}

export const isFiltered = (asked: Asked): boolean => NAMES.some((name) => asked[name] !== '')

export const statusesOf = ({ status }: Pick<Asked, 'status'>): string[] => status.split(',').filter(Boolean)

const VIDEO_ID = /^vid_[0-9A-HJKMNP-TV-Z]{26}$/i
/** The whole id of a video, which is somewhere to go to and nothing to look for; null: it is none. */
export const videoIdIn = (typed: string): string | null => {
  const text = typed.trim()
  return VIDEO_ID.test(text) ? `vid_${text.slice(4).toUpperCase()}` : null
}

const PAIR = /^([\w.-]{1,40})=(.*)$/s

/** `1001`: under any key. `order=1001`: under this one. `=a=b`: the value `a=b`, under any. */
const metadataIn = (find: string): { key: string | null; value: string } => {
  const [, key, value] = PAIR.exec(find) ?? []
  if (key !== undefined && value !== undefined) return { key, value }
  return { key: null, value: find.startsWith('=') ? find.slice(1) : find }
}

export type Row = Schema<'VideoRow'>
type Total = Pick<Schema<'VideoRowList'>, 'total'>
type RowPage = Page<Row> & Total
export type VideoPages = Pages<Row, Total>

/** From its creation to its end, or until now. */
export const tookMs = ({ created_at: from, took_seconds: took }: Row, nowMs: number): number =>
  took === null ? Math.max(0, nowMs - Date.parse(from)) : took * 1_000

type Whole = Schema<'Video'>

/** What an event says of a row; the rest stays. */
const changesIn = ({ status, progress, backend, error, created_at: from, completed_at: to }: Partial<Whole>) => ({
  ...(status && { status, in_doubt: false }),
  ...(progress !== undefined && { progress }),
  ...(backend && { backend }),
  ...(error && { error_code: error.code }),
  ...(from && to && { took_seconds: (Date.parse(to) - Date.parse(from)) / 1_000 }),
})

/** Whether the list would have the video that an event is about. */
const wants = (asked: Asked, client: string | undefined, video: Partial<Whole>): boolean => {
  const { created_at: createdAt = '', status = '', backend, routing, metadata = {} } = video
  const { key, value } = metadataIn(asked.find)
  return (
    // Events say nothing of these.
    (['phase', 'error_code', 'webhook', 'ended_since', 'ended_before', 'sort'] as const).every(
      (name) => asked[name] === '',
    ) &&
    (asked.status === '' || statusesOf(asked).includes(status)) &&
    (asked.backend === '' || backend === asked.backend || routing?.pool === asked.backend) &&
    (asked.client === '' || client === asked.client) &&
    (asked.from === '' || createdAt > asked.from) &&
    (asked.to === '' || createdAt < asked.to) &&
    (asked.find === '' || Object.entries(metadata).some(([name, of]) => of === value && (key ?? name) === name))
  )
}

/** As many as the API answers at the same time. */
const LIMIT = 100

const read = async (asked: Asked, isAdmin: boolean, cursor: string | undefined): Promise<{ data?: RowPage }> => {
  const { status, phase, backend, client, find, from, to, error_code, webhook, ended_since, ended_before, sort } = asked
  const { key, value } = metadataIn(find)
  const statuses = statusesOf(asked)
  const query = {
    limit: LIMIT,
    ...(cursor !== undefined && { cursor }),
    ...(backend && { backend }),
    ...(client && { client }),
    ...(from && { created_after: from }),
    ...(to && { created_before: to }),
    ...(error_code && { error_code }),
    ...(webhook && { webhook: webhook as 'none' }),
    ...(ended_since && { ended_since }),
    ...(ended_before && { ended_before }),
    ...(sort && { sort: 'longest' as const }),
    ...(find !== '' && { metadata: key === null ? value : { [key]: value } }),
    ...(status && (find === '' || statuses.length === 1) && { status }),
    ...(phase && find === '' && { phase: phase as 'waiting' }),
    ...(cursor === undefined && find === '' && webhook === '' && { total: 'true' as const }),
  }
  const page = await ask(api.GET(pathFor(isAdmin, 'videos/search'), { params: { query } }))
  if (find === '') return { data: page }
  // By metadata the API finds one status at a time, and no doubts.
  const isWanted = (row: Row): boolean =>
    (statuses.length === 0 || statuses.includes(row.status)) && (phase !== 'in_doubt' || row.in_doubt)
  return { data: { ...page, data: page.data.filter(isWanted) } }
}

/** The list that these filters ask for, live: rows change where they are, and newer videos are counted. */
export const useVideos = (asked: Asked): VideoPages => {
  const { isAdmin } = useSession()
  const pages = usePages(JSON.stringify(asked), (cursor) => read(asked, isAdmin, cursor))
  useLive(({ type, client, data }: LiveEvent) => {
    const video: Partial<Whole> = data
    const { id, created_at: createdAt = '' } = video
    if (!type.startsWith('video.') || id === undefined) return
    if (pages.change(id, (row) => ({ ...row, ...changesIn(video) }))) return
    if (wants(asked, client, video) && !pages.rows.some((row) => row.created_at > createdAt)) pages.announce(id)
  }, pages.doubt)
  return pages
}

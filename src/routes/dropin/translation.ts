import { CALLBACK_URL, withoutToken } from '../../core/api/signed.ts'
import { sourceOf, type Verbatim, type VideoRecord } from '../../core/video.ts'
import type { Response } from 'express'
import type { Manner } from '../../core/adapter.ts'
import { fieldProblem, type Problem } from '../../core/errors.ts'

const mapTexts = (value: unknown, of: (text: string) => string | null): unknown => {
  if (typeof value === 'string') return of(value)
  if (Array.isArray(value)) return value.map((inner) => mapTexts(inner, of))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, of)]))
}

/** Two answers may sign the link to the same file differently. */
export const isSameFile = (one: unknown, other: unknown): boolean => {
  if (typeof one !== 'string' || typeof other !== 'string') return false
  const [a, b] = [URL.parse(one), URL.parse(other)]
  return a !== null && a.origin === b?.origin && a.pathname === b.pathname
}

/**
 * The service's own id of a job that was made there, on the surface of its interface: an app may have stored it. Null:
 * its client knows the video by the gateway's id.
 */
export const keptId = (video: VideoRecord): string | null =>
  sourceOf(video) === 'import' && video.replaces === null ? video.backendJobId : null

/**
 * What a backend said of a job, as its client knows the job: strings that are the backend's id, or a path that ends
 * with it, name the video here, and a link to its file is `link`. The client's own `webhook_url` is where the backend
 * repeats the gateway's. Other links are left as they are.
 */
export const renamed = (
  verbatim: Verbatim,
  video: Pick<VideoRecord, 'backendJobId' | 'webhookUrl' | 'link'>,
  { id, link }: { id: string; link: string | null },
): Verbatim => {
  const { backendJobId: jobId, webhookUrl } = video
  const rename = (text: string): string | null => {
    const value = withoutToken(text)
    if (value === CALLBACK_URL) return webhookUrl
    if (link !== null && isSameFile(value, video.link?.url)) return link
    if (jobId === null) return value
    if (value === jobId) return id
    const isPath = value.startsWith('/') && value.endsWith(`/videos/${jobId}`)
    return isPath ? value.slice(0, value.length - jobId.length) + id : value
  }
  return Object.fromEntries(Object.entries(verbatim).map(([name, value]) => [name, mapTexts(value, rename)]))
}

const isObject = (value: unknown): value is Verbatim =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An answer with `change` made to what is about the job: all of it, or the one object in it that names the job. */
export const inJob = (said: Verbatim, id: string, change: (job: Verbatim) => Verbatim): Verbatim => {
  const isJob = (value: unknown): value is Verbatim => isObject(value) && Object.values(value).includes(id)
  const wrapped = isJob(said) ? undefined : Object.entries(said).find(([, value]) => isJob(value))
  return wrapped && isObject(wrapped[1]) ? { ...said, [wrapped[0]]: change(wrapped[1]) } : change(said)
}

export const without = (said: Verbatim, names: readonly string[]): Verbatim =>
  Object.fromEntries(Object.entries(said).filter(([name]) => !names.includes(name)))

/** Without links that expire: the job's own file, and whatever else is a URL with a query, as signed ones are. */
export const withoutLinks = (said: Verbatim, file: string | undefined): Verbatim => {
  const isLink = (value: unknown): boolean =>
    typeof value === 'string' && (/^https?:[^?]+\?/i.test(value) || isSameFile(value, file))
  const kept = (value: unknown): unknown => (isObject(value) ? withoutLinks(value, file) : value)
  const rest = Object.entries(said).filter(([, value]) => !isLink(value))
  return Object.fromEntries(rest.map(([name, value]) => [name, kept(value)]))
}

/** Ours over what a backend said, and before it: people read the id first. */
export const laidOver = (said: Verbatim, ours: Verbatim): Verbatim => ({ ...ours, ...said, ...ours })

/** Whether the backend itself ended the job as failed. */
export const failedThere = ({ error }: Pick<VideoRecord, 'error'>): boolean =>
  error?.code === 'backend_failed' && error.backend_error !== null

/** The backend's own word for the status of the job; null where it is the gateway's to say. */
export const wordOf = (video: VideoRecord): string | null => {
  const isOurs = video.phase === 'ended' ? video.status !== 'completed' && !failedThere(video) : video.linkOwed
  return isOurs ? null : video.backendStatus
}

type Refusal = NonNullable<Manner['refusal']>

/** The fields of a refusal that `swapped` has a value for; undefined: none. */
const swappedIn = (value: unknown, swapped: ReadonlyMap<unknown, unknown>): unknown => {
  if (!isObject(value)) return swapped.get(value)
  const fields = Object.entries(value).map(([name, inner]) => [name, swappedIn(inner, swapped)] as const)
  const known = fields.filter(([, inner]) => inner !== undefined)
  return known.length === 0 ? undefined : Object.fromEntries(known)
}

/**
 * A refusal of the gateway's own in the shape of one of a backend's: only the fields for status, code and message, and
 * the code in capitals if that one's is. Null: it has none of these fields.
 */
export const inShapeOf = (
  { status, code, message, body }: Refusal,
  own: { status: number; code: string; message: string },
): Verbatim | null => {
  const isCapital = code !== code.toLowerCase() && code === code.toUpperCase()
  const ours = [
    [status, own.status],
    [message, own.message],
    [code, isCapital ? own.code.toUpperCase() : own.code],
  ] as const
  const shaped = swappedIn(body, new Map<unknown, unknown>(ours))
  return isObject(shaped) ? shaped : null
}

/**
 * A refusal as the backend answered it, if that speaks the contract `of` itself. Null for what is about the gateway's own
 * key or rate, which a proxy before the backend may say, too: a 429 is relayed only under a code, and only on `/api/v1`.
 */
export const refusedBy = (
  of: string,
  { extras: { backend, backendError, verbatim } }: Problem,
  { interfaceOf }: { interfaceOf: (backend: string) => string | null },
): { status: number; body: Verbatim } | null => {
  const status = backendError?.status ?? 0
  if (backend === undefined || interfaceOf(backend) !== of || !verbatim || status < 400 || status > 599) return null
  const code = of === 'alternate' ? null : (backendError?.code ?? null)
  const isRate = status === 429 && (code === null || code === 'rate_limited')
  return isRate || status === 401 || status === 403 ? null : { status, body: verbatim }
}

/** Something of a request that was not carried over. */
export interface Unsupported {
  code: 'option_ignored' | 'unknown_field'
  param: string
}

const NAME = /^[A-Za-z0-9_.-]{1,64}$/
const LISTED_AT_MOST = 20

/** Nothing is dropped silently: `Talkbridge-Warning: option_ignored; param=language, unknown_field; param=mood`. */
export const warn = (res: Response, unsupported: readonly Unsupported[]): void => {
  if (unsupported.length === 0) return
  const shown = unsupported
    .slice(0, LISTED_AT_MOST)
    .map(({ code, param }) => `${code}; param=${NAME.test(param) ? param : '(unprintable)'}`)
  const more = unsupported.length - shown.length
  res.set('talkbridge-warning', [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', '))
}

/** With `dropin.unsupported: reject`: throws `invalid_request` for what would only be warned of. */
export const refuse = (unsupported: readonly Unsupported[]): void => {
  const [first] = unsupported
  if (!first) return
  const why = first.code === 'unknown_field' ? 'unknown field' : 'the backend does not have this'
  throw fieldProblem('invalid_request', first.param.slice(0, 200), `${first.param.slice(0, 64)}: ${why}`)
}

import { CALLBACK_URL, withoutToken } from '../../core/api/signed.ts'
import { sourceOf, type Verbatim, type VideoRecord } from '../../core/video.ts'
import type { Response } from 'express'
import { fieldProblem } from '../../core/errors.ts'

const mapTexts = (value: unknown, of: (text: string) => string | null): unknown => {
  if (typeof value === 'string') return of(value)
  if (Array.isArray(value)) return value.map((inner) => mapTexts(inner, of))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, of)]))
}

/**
 * The service's own id of a job that was made there, on the surface of its interface: an app may have stored it. Null:
 * its client knows the video by the gateway's id.
 */
export const keptId = (video: VideoRecord): string | null =>
  sourceOf(video) === 'import' && video.replaces === null ? video.backendJobId : null

/**
 * What a backend said of a job, as its client knows the job: strings that are the backend's id, or a path that ends
 * with it, name the video here. The client's own `webhook_url` is where the backend repeats the gateway's. Links to
 * files are left as they are.
 */
export const renamed = (
  verbatim: Verbatim,
  jobId: string | null,
  { id, webhookUrl }: { id: string; webhookUrl: string | null },
): Verbatim => {
  const rename = (text: string): string | null => {
    const value = withoutToken(text)
    if (value === CALLBACK_URL) return webhookUrl
    if (jobId === null) return value
    if (value === jobId) return id
    const isPath = value.startsWith('/') && value.endsWith(`/videos/${jobId}`)
    return isPath ? value.slice(0, value.length - jobId.length) + id : value
  }
  return Object.fromEntries(Object.entries(verbatim).map(([name, value]) => [name, mapTexts(value, rename)]))
}

/** Ours over what a backend said, and before it: people read the id first. */
export const laidOver = (said: Verbatim, ours: Verbatim): Verbatim => ({ ...ours, ...said, ...ours })

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

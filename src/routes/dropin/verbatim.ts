import { CALLBACK_URL, withoutToken } from '../../core/api/signed.ts'
import type { Verbatim } from '../../core/video.ts'

const mapTexts = (value: unknown, of: (text: string) => string | null): unknown => {
  if (typeof value === 'string') return of(value)
  if (Array.isArray(value)) return value.map((inner) => mapTexts(inner, of))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, of)]))
}

/**
 * What a backend said of a job, as its client knows the job: strings that are the backend's id, or a path that ends with
 * it, name the video here. The client's own `webhook_url` stands where the backend repeats the gateway's. Links to files
 * are left as they are.
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

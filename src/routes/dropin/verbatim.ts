import type { Verbatim } from '../../core/video.ts'

/**
 * What a backend said of a job, as its client knows the job: strings that are the backend's id, or a path that ends with
 * it, name the video here. Links to files are left as they are.
 */
export const renamed = (verbatim: Verbatim, jobId: string | null, id: string): Verbatim => {
  if (jobId === null) return verbatim
  const walk = (value: unknown): unknown => {
    if (value === jobId) return id
    if (typeof value === 'string' && value.endsWith(`/videos/${jobId}`) && value.startsWith('/')) {
      return value.slice(0, value.length - jobId.length) + id
    }
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner)]))
  }
  return Object.fromEntries(Object.entries(verbatim).map(([name, value]) => [name, walk(value)]))
}

/** Ours over what a backend said, and before it: people read the id first. */
export const laidOver = (said: Verbatim, ours: Verbatim): Verbatim => ({ ...ours, ...said, ...ours })

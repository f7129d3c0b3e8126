import type { LiveEvent } from '../../live.ts'

/** The filters, as they stand in the URL; empty: none. Times are ISO 8601. */
export interface Asked {
  status: string
  backend: string
  /** For operators. */
  client: string
  /** A metadata value, or `key=value`. */
  find: string
  from: string
  to: string
}

export const NAMES = ['status', 'backend', 'client', 'find', 'from', 'to'] as const satisfies readonly (keyof Asked)[]

const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text))

/** A client's key asks for that client alone, whatever an address says. */
export const askedOf = (filters: Readonly<Record<string, string>>, isAdmin: boolean): Asked => {
  const of = (name: keyof Asked): string => filters[name] ?? ''
  const time = (name: 'from' | 'to'): string => (isTime(of(name)) ? new Date(of(name)).toISOString() : '')
  return {
    status: of('status'),
    backend: of('backend'),
    client: isAdmin ? of('client') : '',
    find: of('find').trim(),
    from: time('from'),
    to: time('to'),
  }
}

const VIDEO_ID = /^vid_[0-9A-HJKMNP-TV-Z]{26}$/i
/** The whole id of a video, which is somewhere to go to and nothing to look for; null: it is none. */
export const videoIdIn = (typed: string): string | null => {
  const text = typed.trim()
  return VIDEO_ID.test(text) ? `vid_${text.slice(4).toUpperCase()}` : null
}

const PAIR = /^([\w.-]{1,40})=(.*)$/s

/** `1001`: under any key. `order=1001`: under this one. `=a=b`: the value `a=b`, under any. */
export const metadataIn = (find: string): { key: string | null; value: string } => {
  const [, key, value] = PAIR.exec(find) ?? []
  if (key !== undefined && value !== undefined) return { key, value }
  return { key: null, value: find.startsWith('=') ? find.slice(1) : find }
}

/** What the API is asked with. */
export const queryFor = ({ status, backend, client, find, from, to }: Asked) => {
  const { key, value } = metadataIn(find)
  return {
    ...(status && { status: status as 'queued' }),
    ...(backend && { backend }),
    ...(client && { client }),
    ...(from && { created_after: from }),
    ...(to && { created_before: to }),
    ...(find && value && { metadata: key === null ? value : { [key]: value } }),
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const hasMetadata = (given: unknown, find: string): boolean => {
  if (find === '') return true
  const { key, value } = metadataIn(find)
  const pairs = Object.entries(typeof given === 'object' && given !== null ? given : {})
  return pairs.some(([name, of]) => of === value && (key === null || key === name))
}

/** Whether the list would have the video that an event tells of. */
export const wants = (asked: Asked, { client, data }: LiveEvent): boolean => {
  const createdAt = textOf(data['created_at'])
  return (
    (asked.status === '' || data['status'] === asked.status) &&
    (asked.backend === '' || data['backend'] === asked.backend) &&
    (asked.client === '' || client === asked.client) &&
    (asked.from === '' || createdAt > asked.from) &&
    (asked.to === '' || createdAt < asked.to) &&
    hasMetadata(data['metadata'], asked.find)
  )
}

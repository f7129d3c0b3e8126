import { invalidOption } from './error.ts'

export interface TalkbridgeOptions {
  /** Where the gateway is, such as `https://talkbridge.example`. */
  url: string
  /** Your key. A function is asked before every attempt, so that a key may change. Without: only what needs no key. */
  key?: string | (() => string | Promise<string>)
  /** Default: that of the platform. */
  fetch?: typeof fetch
  /** For each attempt, until the whole answer has come; of downloads and streams, until it begins. Default: 60,000. */
  timeoutMs?: number
  /** How often a request is repeated. Default: 4. */
  maxRetries?: number
}

/** Throws `invalid_option`; no message shows the value, which may hold a password. */
export const baseOf = (url: unknown): string => {
  const text = typeof url === 'string' ? url : ''
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw invalidOption('url: give the gateway’s address, http or https')
  const { username, password, search, hash, origin, pathname } = new URL(text)
  if (username !== '' || password !== '') throw invalidOption('url: leave out the user name and the password')
  if (search !== '' || hash !== '') throw invalidOption('url: leave out `?` and `#` and what is behind them')
  if (/\/unified\/v1(\/|$)/.test(pathname)) throw invalidOption('url: leave out `/unified/v1`: the library adds it')
  return origin + pathname.replace(/\/+$/, '')
}

/** A header that cannot be sent would be shown in the platform’s own error. */
export const checkedKey = (key: unknown): string => {
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key
  throw invalidOption('key: give it as you got it, without spaces or line breaks')
}

/** What goes out as a header: the platform’s own error would be no `TalkbridgeError`. */
export const checkedHeader = (name: string, value: unknown): string => {
  if (typeof value === 'string' && /^[\x20-\x7e]*$/.test(value)) return value
  throw invalidOption(`${name}: give a text of plain ASCII, without line breaks`)
}

/** No message shows the value: the link holds a signature. */
export const checkedLink = (name: string, value: unknown): string => {
  if (typeof value === 'string' && URL.canParse(value)) return value
  throw invalidOption(`${name}: give it as the video has it`)
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0

export const checkedCount = (name: string, value: unknown): number => {
  if (isCount(value)) return value
  throw invalidOption(`${name}: give a whole number from 0 on`)
}

/** Milliseconds of a time limit; `Infinity`: none. */
export const checkedMs = (name: string, value: unknown): number => {
  if (value === Infinity || (isCount(value) && value > 0)) return value
  throw invalidOption(`${name}: give a whole number of milliseconds`)
}

import type { Comparison } from './asking.ts'
import type { Divergence } from './compare.ts'
import { headerOf, isObject, jsonOf, type Exchange } from './exchange.ts'
import type { Rule } from './judge.ts'

/** What both sides of a rule are made of. */

export type Side = Rule['there']

export const both = (rule: Omit<Rule, 'surface'>): Rule[] => [
  { ...rule, surface: 'primary' },
  { ...rule, surface: 'alternate' },
]
export const alternate = (rule: Omit<Rule, 'surface'>): Rule => ({
  ...rule,

  surface: 'alternate',
})
export const primary = (rule: Omit<Rule, 'surface'>): Rule => ({
  ...rule,

  surface: 'primary',
})

export const ANY = /^/
export const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''
export const fieldOf = ({ answer }: Exchange, ...path: readonly string[]): unknown => {
  let inner: unknown = jsonOf(answer)
  for (const step of path) inner = isObject(inner) ? inner[step] : undefined
  return inner
}
/** In small letters: one variant writes them in capitals. */
export const codeOf = (exchange: Exchange): unknown => {
  const code = fieldOf(exchange, 'error', 'code') ?? fieldOf(exchange, 'error') ?? fieldOf(exchange, 'code')
  return typeof code === 'string' ? code.toLowerCase() : code
}

/** The service answered one of these. */
export const there =
  (...statuses: readonly number[]): Side =>
  ({ direct }) =>
    statuses.includes(direct.answer.status)
/** The gateway answered one of these. */
export const here =
  (...statuses: readonly number[]): Side =>
  ({ gateway }) =>
    statuses.includes(gateway.answer.status)
export const all =
  (...sides: readonly Side[]): Side =>
  (comparison, divergence) =>
    sides.every((side) => side(comparison, divergence))
export const any =
  (...sides: readonly Side[]): Side =>
  (comparison, divergence) =>
    sides.some((side) => side(comparison, divergence))
export const isThere =
  (holds: (value: unknown) => boolean): Side =>
  (_, { direct }) =>
    holds(direct)
export const isHere =
  (holds: (value: unknown) => boolean): Side =>
  (_, { gateway }) =>
    holds(gateway)
export const isAbsent = (value: unknown): boolean => value === undefined
export const pathOf = ({ gateway: { ask } }: Comparison): string => ask.path

export const OWN_HEADERS: Readonly<Record<string, RegExp>> = {
  'header.x-request-id': /^req_[0-9A-HJKMNP-TV-Z]{26}$/,
  'header.x-content-type-options': /^nosniff$/,
  'header.cache-control': /^(private, )?no-store$/,
  // RFC 9651: a list of tokens with parameters.
  'header.talkbridge-warning':
    /^(unknown_field|option_ignored)\b(; *param=[^;,]+|; *message="[^"]*"|, *(unknown_field|option_ignored))*$/,
}

export const WORDS = /^body\.(details\.|error\.)?(message|detail|reason|retry_blocked_reason|retryBlockedReason)$/
export const WINDOW_S = 60

/** Seconds between what both tell of the same moment. */
export const secondsApart = ({ direct, gateway }: Divergence): number => {
  const moment = (value: unknown): number =>
    /^\d+$/.test(String(value)) ? Number(value) : Date.parse(String(value)) / 1_000
  return Math.abs(moment(direct) - moment(gateway))
}
export const isOfWindow: Side = (_, divergence) => secondsApart(divergence) <= WINDOW_S

export const isSeconds = (value: unknown): boolean => /^[1-9]\d{0,2}$/.test(String(value))
export const isMoment = (value: unknown): boolean => /^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/.test(String(value))
export const isHint = (value: unknown): boolean => isSeconds(value) || isMoment(value)

export const isUnfinished: Side = ({ gateway }) => ['queued', 'processing'].includes(String(fieldOf(gateway, 'status')))

/** The same link but for its times: it was signed when the record was last refreshed. */
export const isSameLink: Side = (_, { direct, gateway }) => {
  const [one, other] = [URL.parse(String(direct)), URL.parse(String(gateway))]
  return one !== null && other !== null && isTimed(one) && isTimed(other)
}
export const isTimed = ({ pathname, searchParams }: URL): boolean =>
  /^\/media\/videos\/\w+\.mp4$/.test(pathname) && Number(searchParams.get('expires')) > 0

export const CANNOT = 'CAPABILITY_NOT_SUPPORTED'
export const isCannot: Side = ({ gateway }) =>
  gateway.answer.status === 400 &&
  fieldOf(gateway, 'retry_block_code') === CANNOT &&
  fieldOf(gateway, 'retryable') === false

/** Methods that both lists name, HEAD and GET aside: who serves GET serves HEAD. */
export const isAllowed: Side = (_, { direct, gateway }) => {
  const methods = (value: unknown): string[] => String(value).split(', ')
  const more = methods(gateway).filter((method) => !methods(direct).includes(method))
  return (
    methods(direct).every((method) => methods(gateway).includes(method)) &&
    more.every((one) => /^(GET|HEAD)$/.test(one))
  )
}

/** What an account tells of itself, or does not. */
export const isFact = (value: unknown): boolean =>
  ['number', 'boolean'].includes(typeof value) || isText(value) || isAbsent(value)

/** The body's type names a character set that is not that of JSON. */
export const namesCharset = ({ ask: { headers = [] } }: Exchange): boolean =>
  headers.some(([name, value]) => name === 'Content-Type' && /charset=(?!utf-?8|us-ascii)/i.test(value))

/** An option was left out, and the answer says so. */
export const isIgnored = ({ answer }: Exchange): boolean =>
  headerOf(answer, 'talkbridge-warning')?.includes('option_ignored') === true

/** The service says when to try again, or that it may be. */
export const isToTryAgain: Side = ({ direct }) =>
  fieldOf(direct, 'retryable') === true || headerOf(direct.answer, 'retry-after') !== null

/** A refusal of what the body says. */
export const isFault = (exchange: Exchange): boolean =>
  ['invalid_request', 'invalid_image', 'voice_not_found', 'puppet_not_found', 'idempotency_key_mismatch'].includes(
    String(codeOf(exchange)),
  )

/** In capitals, with a slash at the end, or by a method other than GET. */
export const isOddlyAsked: Side = ({ direct: { ask } }) =>
  ask.method !== 'GET' || !/^\/previews\/[\w-]+\.wav$/.test(ask.path)

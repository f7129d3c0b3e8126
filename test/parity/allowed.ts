import { ALTERNATE, ALTERNATE_OTHER } from './allowed-alternate.ts'
import { PRIMARY, PRIMARY_OTHER } from './allowed-primary.ts'
import type { Rule } from './judge.ts'
import {
  both,
  alternate,
  primary,
  ANY,
  isText,
  fieldOf,
  codeOf,
  there,
  here,
  all,
  any,
  isThere,
  isHere,
  isAbsent,
  pathOf,
  OWN_HEADERS,
  WORDS,
  isOfWindow,
  isHint,
  isUnfinished,
  isAllowed,
  namesCharset,
  isToTryAgain,
  isFault,
  isOddlyAsked,
} from './matchers.ts'

/**
 * What each declared difference looks like: what the service answers, and what the gateway answers in its place. Both are
 * asserted. The reasons stand in src/routes/dropin/differences.ts, under the same ids.
 */

const EVERYWHERE: readonly Rule[] = [
  ...both({
    id: 'own-headers',
    lane: 'any',
    at: ANY,
    places: /^header\.(x-request-id|x-content-type-options|cache-control|talkbridge-warning)$/,
    there: isThere(isAbsent),
    here: (_, { place, gateway }) => typeof gateway === 'string' && OWN_HEADERS[place]?.test(gateway) === true,
  }),
  ...both({
    id: 'own-headers',
    lane: 'any',
    at: /^preview$/,
    places: /^header\.(x-ratelimit-(limit|remaining|reset)|content-security-policy)$/,
    there: isThere(isAbsent),
    here: isHere(isText),
  }),
  alternate({
    id: 'own-headers',
    lane: 'any',
    at: /^callback$/,
    places: /^header\.(webhook-(id|timestamp|signature)|user-agent)$/,
    there: any(isThere(isAbsent), isThere(isText)),
    here: isHere(isText),
  }),
  primary({
    id: 'rate-window',
    lane: 'any',
    at: ANY,
    places: /^header\.x-ratelimit-/,
    // A path that cannot be read leads nowhere.
    there: all(there(400), (comparison) => pathOf(comparison).includes('%zz')),
    here: all(here(400), isHere(isAbsent)),
  }),
  alternate({
    id: 'rate-window',
    lane: 'any',
    at: ANY,
    places: /^header\.x-ratelimit-/,
    // Without a key, or on no operation: there is no window to tell of.
    there: all(there(400, 401, 404, 405), isThere(isText)),
    here: all(here(400, 401, 404, 405), isHere(isAbsent)),
  }),
  ...both({
    id: 'own-words',
    lane: 'any',
    at: ANY,
    places: WORDS,
    there: all(isThere(isText), ({ direct, gateway }) => direct.answer.status === gateway.answer.status),
    here: all(
      isHere(isText),
      ({ direct, gateway }) => codeOf(direct) === codeOf(gateway) || (isFault(direct) && isFault(gateway)),
    ),
  }),
  ...both({
    id: 'own-words',
    lane: 'any',
    at: /^create/,
    // Of two faults in one body, each names the one that it met first.
    places: /^body\.(error|error\.code|details\.code|(details\.)?retry_?block_?code)$/i,
    there: all(
      there(400, 404),
      ({ direct, gateway }) => direct.answer.status === gateway.answer.status && isFault(direct),
    ),
    here: all(here(400, 404), ({ gateway }) => isFault(gateway)),
  }),
  ...both({
    id: 'rate-window',
    lane: 'any',
    at: ANY,
    places: /^header\.x-ratelimit-(remaining|reset)$/,
    there: isThere((value) => /^\d+$/.test(String(value))),
    here: all(
      isHere((value) => /^\d+$/.test(String(value))),
      isOfWindow,
    ),
  }),
  ...both({
    id: 'rate-window',
    lane: 'any',
    at: /^useUpRate$/,
    places: /^(header\.(retry-after|x-service-next-poll-at)|body\.(details\.)?(retry_?after\w*|next_?poll_?at))$/i,
    there: all(there(429), isThere(isHint)),
    here: all(here(429), isHere(isHint), isOfWindow),
  }),
  ...both({
    id: 'routes',
    lane: 'any',
    at: ANY,
    places: /^header\.allow$/,
    there: all(there(405), isThere(isText)),
    here: all(here(405), isAllowed),
  }),
  ...both({
    id: 'routes',
    lane: 'any',
    at: ANY,
    places: ANY,
    // Its router takes capitals, and a slash at the end. What is no sample of a voice belongs to no contract.
    there: any(
      (comparison) => /^\/(?!(api\/)?v1\/|previews\/)|^\/(api\/)?v1\/[^?]*\/(\?|$)/.test(pathOf(comparison)),
      all(any(there(404), isOddlyAsked), (comparison) => /^\/previews\//i.test(pathOf(comparison))),
    ),
    here: all(here(404), ({ gateway }) => [codeOf(gateway), fieldOf(gateway, 'code')].includes('not_found')),
  }),
  ...both({
    id: 'queue',
    lane: 'any',
    at: /^(createBeyondSlots|refused)/,
    places: ANY,
    there: all(there(400, 429, 502, 503), isToTryAgain),
    here: all(here(201, 202), isUnfinished),
  }),
  ...both({
    id: 'charset',
    lane: 'any',
    at: /^create/,
    places: ANY,
    there: ({ direct }) => direct.answer.status !== 415 && namesCharset(direct),
    here: all(here(415), ({ gateway }) => codeOf(gateway) === 'unsupported_media_type'),
  }),
]

/** Each declared difference, as the runs meet it. */
export const RULES: readonly Rule[] = [...EVERYWHERE, ...PRIMARY, ...PRIMARY_OTHER, ...ALTERNATE, ...ALTERNATE_OTHER]

/** With the same interface behind, so few kinds of difference are needed, whatever the surface. */
export const MAX_SAME_KINDS = 10

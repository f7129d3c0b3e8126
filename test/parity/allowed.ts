import type { Rule } from './judge.ts'

/** What each declared difference looks like on both sides. Its reason stands in src/routes/dropin/differences.ts. */
const both = (rule: Omit<Rule, 'surface'>): Rule[] => [
  { ...rule, surface: 'primary' },
  { ...rule, surface: 'alternate' },
]

const OWN_HEADERS: Readonly<Record<string, RegExp>> = {
  'header.x-request-id': /^req_[0-9A-HJKMNP-TV-Z]{26}$/,
  'header.x-content-type-options': /^nosniff$/,
  'header.cache-control': /^(private, )?no-store$/,
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''

export const RULES: readonly Rule[] = [
  ...both({
    id: 'own-headers',
    lane: 'any',
    at: /^/,
    places: /^header\.(x-request-id|x-content-type-options|cache-control)$/,
    there: (_, { direct }) => direct === undefined,
    here: (_, { place, gateway }) => typeof gateway === 'string' && OWN_HEADERS[place]?.test(gateway) === true,
  }),
  ...both({
    id: 'own-words',
    lane: 'any',
    at: /^/,
    places: /^body\.(details\.|error\.)?(message|reason|retry_blocked_reason|retryBlockedReason)$/,
    there: ({ direct, gateway }, one) => isText(one.direct) && direct.answer.status === gateway.answer.status,
    here: ({ gateway }, one) => isText(one.gateway) && gateway.answer.status >= 400,
  }),
]

/** With the same interface behind, so few kinds of difference are needed. */
export const MAX_SAME_KINDS = 10

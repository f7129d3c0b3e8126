import type { Chance } from './chance.ts'
import type { Ask, Header } from './exchange.ts'
import { BAD_VALUES } from './inputs.ts'
import type { Operation } from './operations.ts'

/** A create before it is written: its fields, and how it is sent. */
export interface Draft {
  readonly operation: Operation
  /** Unique to this request: what must not be another's. */
  readonly serial: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly headers: readonly Header[]
  /** In place of the fields. */
  readonly raw: string | Uint8Array | null
  readonly more: Pick<Ask, 'chunked'>
}

/** What is done to a create that would be accepted. */
export type Mutation = (draft: Draft, chance: Chance) => Draft

const withFields = (draft: Draft, fields: Readonly<Record<string, unknown>>): Draft => ({
  ...draft,
  fields: { ...draft.fields, ...fields },
})

const without = ({ fields }: Draft, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

const groupsOf = ({ operation }: Draft) => operation.groups ?? []

const badValue: Mutation = (draft, chance) => {
  const { aliases, bad } = chance.pick(groupsOf(draft))
  const name = chance.pick(aliases)
  const value = chance.pick(bad.length > 0 && chance.happens(0.6) ? bad : BAD_VALUES)
  return { ...draft, fields: { ...without(draft, aliases), [name]: value } }
}

const missing: Mutation = (draft, chance) => {
  const required = groupsOf(draft).filter(({ isRequired }) => isRequired)
  return { ...draft, fields: without(draft, chance.pick(required).aliases) }
}

const twoNames: Mutation = (draft, chance) => {
  const { aliases, good } = chance.pick(groupsOf(draft))
  const [first, second] = [chance.pick(aliases), chance.pick(aliases)]
  const value = good(chance)
  const other = chance.happens(0.5) ? value : good(chance)
  return { ...draft, fields: { ...without(draft, aliases), [first]: value, [second]: other } }
}

const unknownField: Mutation = (draft, chance) =>
  withFields(draft, {
    [chance.pick(['foo', 'IMAGE_URL', 'callback', 'Text', 'a b', 'ünï', ''])]: chance.pick([1, 'x', {}]),
  })

/** A body of exactly so many bytes: padded by white space, which is part of it, or by a field. */
const sized: Mutation = (draft, chance) => {
  const wantedBytes = (draft.operation.limitBytes ?? 0) + chance.pick([-1, 0, 0, 1, 1, 2, 1_000])
  const body = JSON.stringify(draft.fields)
  const room = Math.max(0, wantedBytes - Buffer.byteLength(body))
  if (chance.happens(0.5)) return { ...draft, raw: `${body}${' '.repeat(room)}` }
  // Two bytes a letter: a limit by characters would let twice as many pass.
  const frame = ',"foo":""'.length
  const letters = Math.max(0, room - frame)
  const filling = `${'é'.repeat(Math.floor(letters / 2))}${letters % 2 === 1 ? 'a' : ''}`
  return { ...draft, raw: `${body.slice(0, -1)},"foo":"${filling}"}` }
}

const CONTENT_TYPES = [
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/problem+json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'json',
  '',
]

const contentType: Mutation = (draft, chance) => ({
  ...draft,
  headers: [
    ...draft.headers.filter(([name]) => name !== 'Content-Type'),
    ...(chance.happens(0.15) ? [] : [['Content-Type', chance.pick(CONTENT_TYPES)] as const]),
  ],
})

const contentEncoding: Mutation = (draft, chance) => ({
  ...draft,
  headers: [...draft.headers, ['Content-Encoding', chance.pick(['identity', 'gzip', 'br'])]],
})

const RAW: readonly (string | Uint8Array)[] = [
  '',
  ' ',
  '{',
  '{}',
  '[]',
  'null',
  'true',
  '42',
  '"text"',
  '[{}]',
  '{"text":"a",}',
  "{'text':'a'}",
  '{"text":"\u0001"}',
  `${'['.repeat(2_000)}${']'.repeat(2_000)}`,
  '{"__proto__":{"text":"x"},"constructor":1}',
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0x00, 0x01, 0x02]),
]

const rawBody: Mutation = (draft, chance) => ({ ...draft, raw: chance.pick(RAW) })

/** A byte order mark, or a name twice: what readers of JSON see differently. */
const oddJson: Mutation = (draft, chance) => {
  const body = JSON.stringify(draft.fields)
  const [name = 'text'] = Object.keys(draft.fields)
  return { ...draft, raw: chance.happens(0.5) ? `\uFEFF${body}` : `{"${name}":7,${body.slice(1)}` }
}

const KEY_NAMES = ['idempotencyKey', 'idempotency_key']
/** The alternate's contract knows no keys. */
const keyed = (draft: Draft, key: string): Draft =>
  draft.operation.surface === 'alternate' ? draft : { ...draft, headers: [...draft.headers, ['Idempotency-Key', key]] }

const badKey: Mutation = (draft, chance) =>
  keyed(draft, chance.pick(['', '   ', `${draft.serial}${'k'.repeat(200)}`.slice(0, 201), `${draft.serial} spaced`]))

const goodKey: Mutation = (draft, chance) =>
  keyed(draft, chance.pick([draft.serial, `${draft.serial}${'k'.repeat(200)}`.slice(0, 200), `${draft.serial}"é`]))

const bodyKey: Mutation = (draft, chance) => {
  if (draft.operation.keyIn === undefined) return draft
  const value = chance.pick<unknown>([draft.serial, '', '  ', 7, null, 'k'.repeat(201)])
  return withFields(draft, { [chance.pick(KEY_NAMES)]: value })
}

const twoKeys: Mutation = (draft, chance) => {
  if (draft.operation.keyIn === undefined) return draft
  const other = chance.happens(0.5) ? draft.serial : `${draft.serial}-other`
  const inHeader = chance.happens(0.6)
  const [first = '', second = ''] = KEY_NAMES
  if (inHeader) return keyed(withFields(draft, { [chance.pick(KEY_NAMES)]: other }), draft.serial)
  return withFields(draft, { [first]: draft.serial, [second]: other })
}

const chunked: Mutation = (draft) => ({ ...draft, more: { chunked: true } })
const asItIs: Mutation = (draft) => draft

/** How often each is done. */
export const MUTATIONS: readonly (readonly [weight: number, mutation: Mutation])[] = [
  [14, asItIs],
  [30, badValue],
  [6, missing],
  [10, twoNames],
  [5, unknownField],
  [7, sized],
  [5, contentType],
  [2, contentEncoding],
  [5, rawBody],
  [2, oddJson],
  [3, badKey],
  [4, goodKey],
  [4, bodyKey],
  [4, twoKeys],
  [2, chunked],
]

/** The request that a draft is; the key of a header is not for everybody. */
export const written = ({ fields, headers, raw, more }: Draft): Pick<Ask, 'headers' | 'body' | 'chunked'> => ({
  headers,
  body: raw ?? JSON.stringify(fields),
  ...more,
})

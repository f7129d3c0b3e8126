import { createChance, type Chance } from './chance.ts'
import type { Ask, Header } from './exchange.ts'
import { MUTATIONS, written, type Draft, type Mutation } from './mutations.ts'
import { OPERATIONS, type Operation } from './operations.ts'
import type { ClientName, Surface } from './vocabulary.ts'

/** One request that depends on no other. */
export interface Case {
  readonly operation: string
  readonly client: ClientName
  readonly ask: Ask
  readonly byBytes: boolean
}

const fieldsOf = ({ groups = [] }: Operation, chance: Chance): Record<string, unknown> =>
  Object.fromEntries(
    groups
      .filter(({ isRequired }) => isRequired || chance.happens(0.35))
      .map(({ aliases, good }) => [chance.pick(aliases), good(chance)]),
  )

const JSON_TYPE: Header = ['Content-Type', 'application/json']

/** A create, changed by the first mutation; some also by another. */
const createOf = (
  operation: Operation,
  chance: Chance,
  serial: string,
  first: Mutation,
): Pick<Ask, 'headers' | 'body' | 'chunked'> => {
  const draft: Draft = {
    operation,
    serial,
    fields: fieldsOf(operation, chance),
    headers: [JSON_TYPE],
    raw: null,
    more: {},
  }
  const mutations = chance.happens(0.25) ? [first, chance.weighted(MUTATIONS)] : [first]
  return written(mutations.reduce((changed, mutation) => mutation(changed, chance), draft))
}

const queryOf = ({ query = {} }: Operation, chance: Chance): string => {
  const given = Object.entries(query).flatMap(([name, values]) =>
    chance.happens(0.6)
      ? Array.from({ length: chance.happens(0.06) ? 2 : 1 }, () => `${name}=${chance.pick(values)}`)
      : [],
  )
  return given.length === 0 ? '' : `?${given.join('&')}`
}

const ODD_PATHS: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => path.toUpperCase(),
  (path) => path.replace('/v1/', '/v2/'),
  (path) => path.replace('/v1/', '//v1/'),
  (path) => `${path}/%zz`,
  (path) => `${path}/more`,
  (path) => `${path}?foo=bar&foo=baz`,
  (path) => `${path}%20`,
  (path) => path.replace(/(\w)$/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
]

const METHODS = ['PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'POST', 'GET']

const oddPath = (operation: Operation, chance: Chance): Pick<Ask, 'method' | 'path'> => {
  const path = operation.path(chance)
  return chance.happens(0.5)
    ? { method: operation.method, path: chance.pick(ODD_PATHS)(path) }
    : { method: chance.pick(METHODS.filter((method) => method !== operation.method)), path }
}

const CREDENTIALS: readonly (string | null)[] = [
  null,
  '',
  'Bearer',
  'Bearer ',
  'Bearer no-such-key-0123456789',
  'Basic dXNlcjpwYXNz',
  'Token sandbox-primary-key',
]

/** A scoped client asks only for what it may not, or what no account has of its own: its account is not anna's. */
const scopedFor = ({ name, surface, method }: Operation): ClientName | null => {
  if (surface !== 'primary') return null
  if (name === 'listServiceVoices') return 'reader'
  return method === 'GET' || name === 'createServiceSpeech' ? 'maker' : 'reader'
}

const clientOf = (
  operation: Operation,
  { method, path }: Pick<Ask, 'method' | 'path'>,
  isOdd: boolean,
  chance: Chance,
): ClientName => {
  // The list of this client has nothing that another request of the run made.
  if (method === 'GET' && /^\/v1\/videos\/?(\?|$)/.test(path)) return 'bert'
  return (!isOdd && chance.happens(0.05) && scopedFor(operation)) || 'anna'
}

/** What is asked for by the request of this number: first each operation with each mutation, then by weight. */
const subjectOf = (surface: Surface, chance: Chance, number: number): { operation: Operation; mutation: Mutation } => {
  const operations = OPERATIONS.filter((one) => one.surface === surface)
  const drawn = chance.weighted(operations.map((one) => [one.weight, one] as const))
  const [, mutation] = MUTATIONS[Math.floor(number / operations.length)] ?? []
  if (!mutation) return { operation: drawn, mutation: chance.weighted(MUTATIONS) }
  return { operation: operations[number % operations.length] ?? drawn, mutation }
}

/** The request of this number: the same for the same seed, whatever came before. */
export const requestOf = (surface: Surface, seed: number, number: number): Case => {
  const chance = createChance(seed, surface.length, number)
  const { operation, mutation } = subjectOf(surface, chance, number)
  const isOdd = chance.happens(0.06)
  const target = isOdd
    ? oddPath(operation, chance)
    : { method: operation.method, path: `${operation.path(chance)}${queryOf(operation, chance)}` }
  const create = operation.groups === undefined ? {} : createOf(operation, chance, `r${seed}-${number}`, mutation)
  // No puppet is made under a path that only the service takes: its list would be another one from then on.
  const isHarmless = !isOdd || operation.name !== 'createPuppet'
  const hasBody = isHarmless && target.method !== 'GET' && target.method !== 'HEAD'
  const ask: Ask = {
    ...target,
    ...(hasBody && create),
    ...(chance.happens(0.04) && { authorization: chance.pick(CREDENTIALS) }),
  }
  return {
    operation: operation.name,
    client: clientOf(operation, target, isOdd, chance),
    ask,
    byBytes: operation.byBytes === true && !isOdd,
  }
}

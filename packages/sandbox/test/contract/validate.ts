import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Reply } from '../harness.ts'
import { dereferenced } from '../../../../test/fakes/dereferenced.ts'

type Json = Readonly<Record<string, unknown>>

const objectAt = (value: unknown, ...path: readonly string[]): Json => {
  let at: unknown = value
  for (const step of path)
    at =
      typeof at === 'object' && at !== null && step in at
        ? Object.entries(at).find(([k]) => k === step)?.[1]
        : undefined
  return typeof at === 'object' && at !== null ? { ...at } : {}
}

const pointer = (...steps: readonly string[]): string =>
  steps.map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')

/** `/v1/videos/{id}` fits `/v1/videos/clip_1`; a written-out path comes before a template. */
const pathFor = (paths: Json, path: string): string | undefined =>
  Object.keys(paths)
    .toSorted((a, b) => a.split('{').length - b.split('{').length)
    .find((template) => new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(path))

export interface Exchange {
  readonly method: string
  readonly path: string
  readonly sent: unknown
  readonly reply: Reply
}

/** Holds the exchanges of a test against a served OpenAPI document: throws at the first thing it does not describe. */
export const createValidator = (given: Json) => {
  const document = dereferenced(given)
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
  formats.default(ajv)
  ajv.addSchema(document, 'doc')
  const compiled = new Map<string, ValidateFunction>()
  const assertFits = (at: string, value: unknown, what: string): void => {
    const validate = compiled.get(at) ?? ajv.compile({ $ref: `doc#${at}` })
    compiled.set(at, validate)
    if (!validate(value)) throw new Error(`${what} is not as documented: ${ajv.errorsText(validate.errors)}`)
  }
  const paths = objectAt(document, 'paths')
  const contractHeaders = new Set(
    [
      ...JSON.stringify(document).matchAll(/"((?:X-|Service-|Retry-|Location|Content-Location)[A-Za-z-]*)":\{"desc/g),
    ].map((match) => match[1] ?? ''),
  )
  return ({ method, path, sent, reply }: Exchange): void => {
    const template = pathFor(paths, path)
    const operation = objectAt(paths, template ?? '', method.toLowerCase())
    if (template === undefined || Object.keys(operation).length === 0) return
    const status = String(reply.status)
    const what = `${method} ${template} ${status}`
    const response = objectAt(operation, 'responses', status)
    if (Object.keys(response).length === 0) throw new Error(`${what} is not documented: ${reply.text}`)
    const at = pointer('paths', template, method.toLowerCase(), 'responses', status)
    checkHeaders(reply, objectAt(response, 'headers'), contractHeaders, what, (name, value) =>
      assertFits(`${at}${pointer('headers', name, 'schema')}`, value, `${what}: ${name}`),
    )
    if (!('content' in response)) {
      if (reply.text !== '') throw new Error(`${what} has a body.`)
      return
    }
    assertFits(`${at}${pointer('content', 'application/json', 'schema')}`, JSON.parse(reply.text), what)
    if (reply.status < 300 && sent !== undefined) {
      const body = pointer(
        'paths',
        template,
        method.toLowerCase(),
        'requestBody',
        'content',
        'application/json',
        'schema',
      )
      assertFits(body, sent, `${what}: the request`)
    }
  }
}

const checkHeaders = (
  reply: Reply,
  documented: Json,
  known: ReadonlySet<string>,
  what: string,
  fits: (name: string, value: unknown) => void,
): void => {
  for (const name of known) {
    const value = reply.headers.get(name)
    if (value === null) continue
    if (!Object.hasOwn(documented, name)) throw new Error(`${what} has the undocumented header ${name}.`)
    fits(name, /^-?\d+$/.test(value) ? Number(value) : value)
  }
  for (const name of Object.keys(documented)) {
    if (objectAt(documented, name)['required'] === true && reply.headers.get(name) === null)
      throw new Error(`${what} lacks the header ${name}.`)
  }
}
export type Validator = ReturnType<typeof createValidator>

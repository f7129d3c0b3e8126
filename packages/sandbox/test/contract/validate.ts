import type { Reply } from '../harness.ts'
import {
  at,
  createFits,
  dereferenced,
  isPathOf,
  pointer,
  templatesOf,
  type Json,
} from '../../../../test/fakes/dereferenced.ts'

export interface Exchange {
  readonly method: string
  readonly path: string
  readonly sent: unknown
  readonly reply: Reply
}

/** Holds the exchanges of a test against a served OpenAPI document: throws at the first thing it does not describe. */
export const createValidator = (given: Json) => {
  const document = dereferenced(given)
  const fits = createFits(document)
  const assertFits = (place: string, value: unknown, what: string): void => {
    const fault = fits(place, value)
    if (fault !== null) throw new Error(`${what} is not as documented: ${fault}`)
  }
  const paths = at(document, 'paths')
  const templates = templatesOf(paths)
  const contractHeaders = new Set(
    [
      ...JSON.stringify(document).matchAll(/"((?:X-|Service-|Retry-|Location|Content-Location)[A-Za-z-]*)":\{"desc/g),
    ].map((match) => match[1] ?? ''),
  )
  return ({ method, path, sent, reply }: Exchange): void => {
    const template = templates.find((one) => isPathOf(one, path))
    const operation = at(paths, template ?? '', method.toLowerCase())
    if (template === undefined || Object.keys(operation).length === 0) return
    const status = String(reply.status)
    const what = `${method} ${template} ${status}`
    const response = at(operation, 'responses', status)
    if (Object.keys(response).length === 0) throw new Error(`${what} is not documented: ${reply.text}`)
    const place = pointer('paths', template, method.toLowerCase(), 'responses', status)
    checkHeaders(reply, at(response, 'headers'), contractHeaders, what, (name, value) =>
      assertFits(`${place}${pointer('headers', name, 'schema')}`, value, `${what}: ${name}`),
    )
    if (!('content' in response)) {
      if (reply.text !== '') throw new Error(`${what} has a body.`)
      return
    }
    assertFits(`${place}${pointer('content', 'application/json', 'schema')}`, JSON.parse(reply.text), what)
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
    if (at(documented, name)['required'] === true && reply.headers.get(name) === null)
      throw new Error(`${what} lacks the header ${name}.`)
  }
}
export type Validator = ReturnType<typeof createValidator>

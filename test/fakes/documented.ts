import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http'
import { INTERFACES } from '../../src/adapters/index.ts'
import { documentOf } from '../../src/routes/openapi/document.ts'
import { at, createFits, dereferenced, isPathOf, pointer, templatesOf, type Json } from './dereferenced.ts'

export interface Seen {
  method: string
  url: string
  status: number
  headers: OutgoingHttpHeaders
  text: string
}

/** What there is no operation for is refused, with one of these. */
const REFUSALS = [400, 401, 403, 404, 405, 406, 413, 415, 429, 500, 503]
/** Where what is not in the document may be served: callbacks, the files of the page, and the console. */
const ELSEWHERE = /^\/$|^\/+(hooks|docs\/(assets|guide)|console)(\/|$)/i
/** How what there is no operation for is refused, by where it was asked for. */
const DIALECTS = [
  { under: /^\/api\/v1(\/|$)/, type: 'application/json', schema: 'PrimaryError' },
  { under: /^\/v1(\/|$)/, type: 'application/json', schema: 'AlternateError' },
  { under: /^/, type: 'application/problem+json', schema: 'Problem' },
]

/** A browser's question, before the operation. */
const isPreflight = ({ method, status, headers }: Seen): boolean =>
  method === 'OPTIONS' && status === 204 && 'access-control-allow-methods' in headers

export const createDocumentCheck = (given: Json) => {
  const document = dereferenced(given)
  const fits = createFits(document)
  const paths = at(document, 'paths')
  const templates = templatesOf(paths)
  const templateOf = (path: string, method: string): string | undefined =>
    templates.find((template) => method in at(paths, template) && isPathOf(template, path))
  const responses = Object.values(paths).flatMap((methods) =>
    Object.values(at(methods)).flatMap((operation) => Object.values(at(operation, 'responses'))),
  )
  /** The headers that any answer has. */
  const known = [...new Set(responses.flatMap((response) => Object.keys(at(response, 'headers'))))]

  const headerFaults = (declared: Json, headers: OutgoingHttpHeaders): string[] =>
    known.flatMap((name) => {
      const value = headers[name.toLowerCase()]
      if (!(name in declared)) return value === undefined ? [] : [`undeclared header ${name}`]
      const { $ref } = at(declared, name)
      const component = String($ref).replace('#/components/headers/', '')
      const { required } = at(document, 'components', 'headers', component)
      if (value === undefined) return required === true ? [`no header ${name}`] : []
      const text = String(value)
      const fault = fits(
        pointer('components', 'headers', component, 'schema'),
        /^-?\d+$/.test(text) ? Number(text) : text,
      )
      return fault === null ? [] : [`header ${name}: ${fault}`]
    })

  const bodyFaults = (place: string[], response: Json, seen: Seen): string[] => {
    const content = Object.keys(at(response, 'content'))
    const type = (seen.headers['content-type'] ?? '').split(';', 1)[0] ?? ''
    if (seen.method === 'HEAD' || seen.status === 304) return seen.text === '' ? [] : ['a body where none may be']
    if (content.length === 0) return seen.text === '' || seen.status === 302 ? [] : ['an undeclared body']
    if (!content.includes(type)) return [`content type ${type || '(none)'}, not ${content.join(' or ')}`]
    const value: unknown = type.endsWith('/json') || type.endsWith('+json') ? JSON.parse(seen.text) : seen.text
    const fault = fits(pointer(...place, 'content', type, 'schema'), value)
    return fault === null ? [] : [`${fault}: ${seen.text.slice(0, 500)}`]
  }

  const unknownFaults = (path: string, seen: Seen): string[] => {
    if (!REFUSALS.includes(seen.status)) return ['no operation of the document, and yet it answers']
    if (seen.method === 'HEAD') return []
    const dialect = DIALECTS.find(({ under }) => under.test(path))
    if (!String(seen.headers['content-type']).startsWith(`${dialect?.type}`)) return [`no ${dialect?.schema}`]
    const fault = fits(pointer('components', 'schemas', `${dialect?.schema}`), JSON.parse(seen.text))
    return fault === null ? [] : [fault]
  }

  /** Everything about an answer that the document does not say. */
  return (seen: Seen): string[] => {
    const asked = (seen.url.split('?', 1)[0] ?? '').replace(/^https?:\/\/[^/]+/, '')
    // The console's way to the same operations.
    const path = asked.replace(/^\/console\/api(?=\/unified\/)/, '')
    if (ELSEWHERE.test(path) || isPreflight(seen)) return []
    const method = seen.method === 'HEAD' ? 'get' : seen.method.toLowerCase()
    const template = templateOf(path, method)
    const place = ['paths', template ?? '', method, 'responses', String(seen.status)]
    const response = at(document, ...place)
    const faults =
      template === undefined
        ? unknownFaults(path, seen)
        : Object.keys(response).length === 0
          ? ['undeclared status']
          : [...headerFaults(at(response, 'headers'), seen.headers), ...bodyFaults(place, response, seen)]
    return faults.map((fault) => `${seen.method} ${seen.url.slice(0, 200)} ${seen.status}: ${fault}`)
  }
}

let shared: ReturnType<typeof createDocumentCheck> | null = null
/** Against the document that the gateway serves; compiled once a process. */
export const undocumented = (seen: Seen): string[] => {
  shared ??= createDocumentCheck(documentOf('all', INTERFACES))
  return shared(seen)
}

type Chunk = string | Uint8Array
const isChunk = (value: unknown): value is Chunk => typeof value === 'string' || value instanceof Uint8Array

/** `listener`, with every whole answer shown to `see` as it leaves, whoever asked. */
export const watched =
  (listener: RequestListener, see: (seen: Seen) => void): RequestListener =>
  (req: IncomingMessage, res: ServerResponse) => {
    const { method = '', url = '' } = req
    const chunks: Buffer[] = []
    const keep = (chunk: unknown): void => void (isChunk(chunk) && chunks.push(Buffer.from(chunk)))
    const { write, end, writeHead } = res
    /** Node tells only what was set one by one. */
    const given: Record<string, string> = {}
    res.writeHead = (...args: unknown[]) => {
      const list = args.find((arg): arg is string[] => Array.isArray(arg)) ?? []
      for (let n = 0; n < list.length; n += 2) given[(list[n] ?? '').toLowerCase()] = list[n + 1] ?? ''
      return Reflect.apply(writeHead, res, args)
    }
    res.write = (...args: unknown[]) => {
      keep(args[0])
      return Reflect.apply(write, res, args)
    }
    res.end = (...args: unknown[]) => {
      keep(args[0])
      const ended = Reflect.apply(end, res, args)
      const text = Buffer.concat(chunks).toString()
      // node drops the body that is given for an answer to HEAD.
      const headers = { ...given, ...res.getHeaders() }
      see({ method, url, status: res.statusCode, headers, text: method === 'HEAD' ? '' : text })
      return ended
    }
    listener(req, res)
  }

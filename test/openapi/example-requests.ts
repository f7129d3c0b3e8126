import { dereferenced } from '../fakes/dereferenced.ts'
import { must } from '../fakes/must.ts'

/** One request that the document shows: what "try it" sends when the reader changes nothing. */
export interface ExampleRequest {
  id: string
  /** Of the example of the body; empty where there is none. */
  name: string
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  takesBody: boolean
  body: unknown
  /** The status that the document announces for the sandbox; null: it succeeds. */
  refusedWith: number | null
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  example?: unknown
}
interface Documented {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { examples: Record<string, { value: unknown }> } } }
  'x-sandbox-status'?: number
}

const requestsFor = (template: string, method: string, operation: Documented): ExampleRequest[] => {
  const given = (operation.parameters ?? []).filter(({ required, example }) => required || example !== undefined)
  const valueOf = ({ example }: Parameter): string => String(must(example))
  const of = (place: Parameter['in']) => given.filter((parameter) => parameter.in === place)
  const path = of('path').reduce(
    (filled, parameter) => filled.replace(`{${parameter.name}}`, encodeURIComponent(valueOf(parameter))),
    template,
  )
  const query = new URLSearchParams(of('query').map((parameter) => [parameter.name, valueOf(parameter)])).toString()
  const request = {
    id: operation.operationId,
    method,
    path: query === '' ? path : `${path}?${query}`,
    headers: Object.fromEntries(of('header').map((parameter) => [parameter.name, valueOf(parameter)])),
    takesBody: operation.requestBody !== undefined,
    refusedWith: operation['x-sandbox-status'] ?? null,
  }
  const bodies = Object.entries(operation.requestBody?.content['application/json'].examples ?? {})
  if (bodies.length === 0) return [{ ...request, name: '', body: undefined }]
  return bodies.map(([name, { value }]) => ({ ...request, name, body: value }))
}

/** Reading first, then writing, and last what takes away what others name. */
const turnOf = ({ method, id }: ExampleRequest): number =>
  method === 'get' ? 0 : method === 'delete' ? 3 : id.startsWith('revoke') ? 2 : 1

export const requestsOf = (document: Readonly<Record<string, unknown>>): ExampleRequest[] =>
  Object.entries(dereferenced(document)['paths'] as Record<string, Record<string, Documented>>)
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) => requestsFor(path, method, operation)),
    )
    .toSorted((a, b) => turnOf(a) - turnOf(b))

import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { Problem } from '../../core/errors.ts'
import { onlyMethods } from './problems.ts'

const METHODS = ['get', 'post', 'patch', 'delete'] as const
type Method = (typeof METHODS)[number]

/** Longer than any that there is. */
const MAX_WORDS = 16
const wordsIn = (path: string): string[] => path.split('/', MAX_WORDS + 1)
const isId = (word: string): boolean => word.startsWith('{')

/** Whether a path of ids takes this word for one: `/videos/{id}` that of `/videos/check`. */
const covers = (template: readonly string[], path: readonly string[]): boolean =>
  template.length === path.length && template.every((word, n) => isId(word) || word === path[n])

/** These paths, as OpenAPI spells them, by what is asked: a word is tried before an id, which would take it for one. */
const createLookup = <T extends { path: string }>(routes: readonly T[]) => {
  const sorted = routes
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map((route) => ({ route, words: wordsIn(route.path) }))
  const byCount = Map.groupBy(sorted, ({ words }) => words.length)
  return (path: string): { words: string[]; found: typeof sorted } => {
    const asked = wordsIn(path)
    const isIt = (word: string, n: number): boolean => (isId(word) ? asked[n] !== '' : word === asked[n])
    return { words: asked, found: byCount.get(asked.length)?.filter(({ words }) => words.every(isIt)) ?? [] }
  }
}

/** The operation's path, its ids as `{id}`; null: none has this path. */
export type RouteOf = (url: string) => string | null

/** So that a request is named by what was asked for, and not by every path that a caller can think of. */
export const createRouteOf = (paths: Iterable<string>): RouteOf => {
  const lookUp = createLookup([...paths].map((path) => ({ path })))
  return (url) => lookUp(url.split('?', 1)[0] ?? '').found[0]?.route.path ?? null
}

/** One after the other, as Express runs the handlers of a route. */
export const chain = (...handlers: readonly RequestHandler[]): RequestHandler => {
  const run = (n: number, req: Request, res: Response, done: NextFunction): void => {
    const handler = handlers[n]
    if (handler === undefined) return done()
    const next = (error?: unknown): void => (error === undefined ? run(n + 1, req, res, done) : done(error))
    try {
      const running: unknown = handler(req, res, next)
      if (running instanceof Promise) running.catch((error: unknown) => done(error ?? new Error('rejected')))
    } catch (error) {
      done(error ?? new Error('thrown'))
    }
  }
  return (req, res, done) => run(0, req, res, done)
}

interface Mounted {
  readonly method: Method
  /** As OpenAPI spells it, with the prefix. */
  readonly path: string
}

const decoded = (word: string): string => {
  try {
    return decodeURIComponent(word)
  } catch (cause) {
    throw new Problem('invalid_request', 'the gateway cannot read the request', { cause })
  }
}

/**
 * Serves these operations below `prefix`, each path with 405 and `Allow` for every other method. One table, and no
 * router of Express: that tries a pattern for each path, which cost more than the rest of a read.
 */
export const mount = <T extends Mounted>(
  operations: readonly T[],
  prefix: string,
  serve: (operation: T) => readonly RequestHandler[],
): RequestHandler => {
  const byPath = [...Map.groupBy(operations, ({ path }) => path.replace(prefix, ''))]
  const table = byPath.map(([path, here]) => {
    const words = wordsIn(path)
    const ids = words.flatMap((word, n) => (isId(word) ? [[word.slice(1, -1), n] as const] : []))
    const own = new Map(here.map((operation) => [operation.method, chain(...serve(operation))]))
    const covering = byPath.filter(([other]) => covers(wordsIn(other), words)).flatMap(([, operations]) => operations)
    const methods = METHODS.filter((method) => covering.some((one) => one.method === method))
    const allowed = methods.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
    return { path, ids, own, only: onlyMethods(...allowed) }
  })
  const lookUp = createLookup(table)
  return (req, res, next) => {
    const { words, found } = lookUp(req.path)
    const asked = req.method === 'HEAD' ? 'get' : req.method.toLowerCase()
    const method = METHODS.find((one) => one === asked)
    const serving = method && found.find(({ route }) => route.own.has(method))
    if (!serving) return found[0] ? found[0].route.only(req, res, next) : next()
    res.locals.route = req.baseUrl + serving.route.path
    req.params = Object.fromEntries(serving.route.ids.map(([name, n]) => [name, decoded(words[n] ?? '')]))
    return serving.route.own.get(method)?.(req, res, next)
  }
}

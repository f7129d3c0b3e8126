import { Router, json, type ErrorRequestHandler, type RequestHandler, type Response } from 'express'
import { z } from 'zod'
import { iso } from './clock.ts'
import { isVirtual } from './clock.ts'
import { Fault } from './faults.ts'
import { issueKey, SCOPES } from './keys.ts'
import { SCENARIOS } from './jobs.ts'
import type { Service, Services } from './services.ts'
import { Interface } from './state.ts'
import { VARIANTS } from './variants.ts'
import { ledgerView, type World } from './world.ts'

const NewKey = z.strictObject({
  interface: Interface,
  /** Default: an account of its own. */
  account: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .optional(),
  scopes: z.array(z.enum(SCOPES)).optional(),
})

const MAX_ADVANCE_MS = 10 * 366 * 86_400_000
const Advance = z.strictObject({ advance_ms: z.int().min(0).max(MAX_ADVANCE_MS) })

const refuse = (res: Response, status: number, message: string, error = 'invalid_request'): void =>
  void res.status(status).json({ error, message })

/** Answers 400 and `undefined` when the body does not fit. */
const read = <T>(res: Response, schema: z.ZodType<T>, body: unknown): T | undefined => {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  refuse(res, 400, z.prettifyError(result.error))
  return undefined
}

/** The sandbox's own routes, on both ports, without a key (docs/sandbox.md). */
export const controlRoutes = (world: World, from: Interface, services: Services): Router =>
  Router()
    .use(json({ limit: 65_536 }))
    .use(listRoutes(world, services))
    .use('/faults', faultRoutes(world, from, services))
    .use('/keys', keyRoutes(world))
    .use('/clock', clockRoutes(world))
    .use(((_cause, _req, res, _next) =>
      refuse(res, 400, 'The body is not readable JSON.')) satisfies ErrorRequestHandler)

const listRoutes = (world: World, services: Services): Router =>
  Router()
    .get('/scenarios', (_req, res) => {
      const data = Object.entries(SCENARIOS).map(([name, effect]) => ({ input: `[[${name}]]`, effect }))
      res.json({ data })
    })
    .get('/variants', (_req, res) => {
      const data = Object.entries(VARIANTS).map(([name, { effect }]) => ({ name, effect }))
      res.json({ data, current: world.variant })
    })
    .get('/ledger', (_req, res) => void res.json(ledgerView(world)))
    .get('/openapi-primary.json', (_req, res) => void res.json(services.primary.openapi))
    .get('/openapi-alternate.json', (_req, res) => void res.json(services.alternate.openapi))

const faultRoutes = (world: World, from: Interface, services: Services): Router => {
  const operations = { primary: namesOf(services.primary), alternate: namesOf(services.alternate) }
  return Router()
    .get('/', (_req, res) => void res.json({ data: world.faults.list(), operations }))
    .delete('/', (_req, res) => {
      world.faults.clear()
      res.status(204).end()
    })
    .post('/', (req, res) => {
      const given = read(res, Fault, req.body)
      if (!given) return
      const fault = { ...given, interface: given.interface ?? from }
      const names = operations[fault.interface]
      if (fault.operation !== '*' && !names.includes(fault.operation)) {
        return refuse(res, 400, `operation must be * or one of: ${names.join(', ')}.`)
      }
      if (!world.faults.add(fault)) return refuse(res, 400, 'Too many faults are waiting: DELETE /sandbox/faults.')
      res.status(201).json(fault)
    })
}

const namesOf = ({ operations }: Service): string[] => operations.map(({ name }) => name)

const keyRoutes = (world: World): Router =>
  Router()
    .get('/', (_req, res) => {
      const data = world.state.keys.values().map(({ hash: _, ...shown }) => shown)
      res.json({ data })
    })
    .post('/', (req, res) => {
      const wanted = read(res, NewKey, req.body)
      if (!wanted) return
      const scopes = wanted.scopes ?? (wanted.interface === 'primary' ? SCOPES : [])
      const account = wanted.account ?? world.newId('acct')
      const { record, key } = issueKey(world.state, world.newId, { interface: wanted.interface, account, scopes })
      const { id, interface: of } = record
      res.status(201).json({ id, key, interface: of, account, scopes })
    })
    .delete('/:id', (req, res) => {
      const key = world.state.keys.values().find(({ id }) => id === req.params.id)
      if (!key) return refuse(res, 404, 'No key has this id.', 'not_found')
      world.state.keys.put(key.hash, { ...key, active: false })
      res.status(204).end()
    })

const clockRoutes = (world: World): Router =>
  Router()
    .get('/', (_req, res) => void res.json(clockOf(world)))
    .post('/', advancing(world))

const clockOf = ({ clock, speed }: World) => ({ now: iso(clock.now()), virtual: isVirtual(clock), speed })

const advancing =
  (world: World): RequestHandler =>
  async (req, res) => {
    const { clock, state } = world
    if (!isVirtual(clock))
      return refuse(res, 409, 'The clock is the real one: start with --clock virtual.', 'real_clock')
    const wanted = read(res, Advance, req.body)
    if (!wanted) return
    await clock.advance(wanted.advance_ms)
    state.facts.put('clock', { value: String(clock.now()) })
    res.json(clockOf(world))
  }

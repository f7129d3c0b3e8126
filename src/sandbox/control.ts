import { Router, json, type ErrorRequestHandler, type Response } from 'express'
import { z } from 'zod'
import { Fault } from './faults.ts'
import { issueKey, SCOPES } from './keys.ts'
import { SCENARIOS } from './scenarios.ts'
import { Interface } from './state.ts'
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

const refuse = (res: Response, status: number, message: string): void =>
  void res.status(status).json({ error: 'invalid_request', message })

/** Answers 400 and `undefined` when the body does not fit. */
const read = <T>(res: Response, schema: z.ZodType<T>, body: unknown): T | undefined => {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  refuse(res, 400, z.prettifyError(result.error))
  return undefined
}

/** The sandbox's own routes, on both ports, without a key: faults, ledger, keys, scenarios (docs: 7-sandbox). */
export const controlRoutes = (
  world: World,
  from: Interface,
  operations: Readonly<Record<Interface, readonly string[]>>,
): Router => {
  const router = Router().use(json({ limit: 65_536 }))
  router.get('/scenarios', (_req, res) => {
    const data = Object.entries(SCENARIOS).map(([name, effect]) => ({ input: `[[${name}]]`, effect }))
    res.json({ data })
  })
  router.get('/ledger', (_req, res) => void res.json(ledgerView(world)))
  router.get('/faults', (_req, res) => void res.json({ data: world.faults.list(), operations }))
  router.delete('/faults', (_req, res) => {
    world.faults.clear()
    res.status(204).end()
  })
  router.post('/faults', (req, res) => {
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
  router.post('/keys', (req, res) => {
    const wanted = read(res, NewKey, req.body)
    if (!wanted) return
    const scopes = wanted.scopes ?? (wanted.interface === 'primary' ? SCOPES : [])
    const account = wanted.account ?? world.newId('acct')
    const { record, key } = issueKey(world.state, world.newId, { interface: wanted.interface, account, scopes })
    const { id, interface: of } = record
    res.status(201).json({ id, key, interface: of, account, scopes })
  })
  return router.use(((_cause, _req, res, _next) =>
    refuse(res, 400, 'The body is not readable JSON.')) satisfies ErrorRequestHandler)
}

import type { Request, Response, Router } from 'express'
import type { Deps } from '../../../deps.ts'
import { optionalJsonBody } from '../../middleware/body.ts'
import { actorOf, needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { noQuery, parseOr400, parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { MigrationQuery, SplitBody, StepBody } from './input.ts'

/** How a move to another backend stands, and what an operator does to its splits, with the scope `admin`. */
export const migrationRoutes = ({ routing: { migration }, clock }: Pick<Deps, 'routing' | 'clock'>): Router => {
  const status = async (req: Request, res: Response): Promise<void> => {
    const { since } = parseQuery(MigrationQuery, req)
    res.json(await migration.status(since(clock.now())))
  }
  const step = async (req: Request, res: Response): Promise<void> => {
    const { rule = null, force = false } = parseOr400(StepBody, req.body)
    res.json(await migration.step(rule, actorOf(res), force))
  }
  const by =
    (change: Deps['routing']['migration']['rollback']) =>
    async (req: Request, res: Response): Promise<void> => {
      const { rule = null } = parseOr400(SplitBody, req.body)
      res.json(await change(rule, actorOf(res)))
    }

  const router = createRouter()
  const admin = needs('admin')
  const changes = { step, rollback: by(migration.rollback), resume: by(migration.resume) }
  router.route('/migration').get(admin, status).all(onlyMethods('GET', 'HEAD'))
  for (const [name, change] of Object.entries(changes))
    router.route(`/admin/migration/${name}`).post(admin, optionalJsonBody, noQuery, change).all(onlyMethods('POST'))
  return router
}

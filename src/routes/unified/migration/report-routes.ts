import { once } from 'node:events'
import type { Request, Response, Router } from 'express'
import type { MigrationReportView, ReportProgress } from '../../../core/api/migration.ts'
import { fieldProblem, noBackend, Problem } from '../../../core/errors.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { Backend, Backends } from '../../../engine/index.ts'
import type { Migration } from '../../../migration/index.ts'
import { needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { MigrationReportQuery } from './report-query.ts'

interface ReportRoutesDeps {
  migration: Pick<Migration, 'report'>
  backends: Backends
  clock: Clock
  /** Aborted when the gateway stops or another configuration takes over. */
  ending: AbortSignal
}

const NDJSON = 'application/x-ndjson'
const TYPES = ['application/json', NDJSON]
const RETRY_MS = 5_000
/** Progress is told in steps of this: a reader sees a bar, and not a line a page. */
const STEP = 0.01

const backendOr400 = (param: 'from' | 'to', name: string, backends: Backends): Backend => {
  const backend = backends.get(name)
  if (!backend) throw fieldProblem('invalid_request', param, noBackend(name, backends.keys()))
  return backend
}

/** The report of what a move would lose: as JSON, or, where that is asked for, with its progress line by line. */
export const migrationReportRoutes = ({ migration, backends, clock, ending }: ReportRoutesDeps): Router => {
  let isBusy = false

  const report = async (req: Request, res: Response): Promise<void> => {
    const type = req.accepts(TYPES)
    if (type === false)
      throw new Problem('not_acceptable', `the answer is ${TYPES.join(' or ')}: accept one of these types`)
    const { from, to, since } = parseQuery(MigrationReportQuery, req)
    const wish = { from: backendOr400('from', from, backends), to: backendOr400('to', to, backends) }
    if (from === to) throw fieldProblem('invalid_request', 'to', 'to must not be the same backend as from')
    if (isBusy) {
      const message = 'another report is running: retry when it has ended'
      throw new Problem('rate_limited', message, { retryAtMs: clock.now() + RETRY_MS })
    }
    isBusy = true
    const hungUp = new AbortController()
    res.once('close', () => hungUp.abort())
    const signal = AbortSignal.any([hungUp.signal, ending])
    try {
      await answer(res, type === NDJSON, (onProgress) =>
        migration.report({ ...wish, sinceMs: since(clock.now()), signal, onProgress }),
      )
    } catch (error) {
      if (hungUp.signal.aborted) return
      throw ending.aborted ? new Problem('shutting_down', 'the gateway is stopping') : error
    } finally {
      isBusy = false
    }
  }

  const router = createRouter()
  router.route('/migration/report').get(needs('admin'), report).all(onlyMethods('GET', 'HEAD'))
  return router
}

type Make = (onProgress: (progress: number, videos: number) => void) => Promise<MigrationReportView>

const answer = async (res: Response, isLines: boolean, make: Make): Promise<void> => {
  if (!isLines) return void res.json(await make(() => undefined))
  res.status(200)
  // By node's own: express would add a charset.
  res.setHeader('content-type', NDJSON)
  // What nginx listens to: lines are not to be gathered up.
  res.setHeader('x-accel-buffering', 'no')
  let told = -1
  const made = await make((progress, videos) => {
    // A reader that does not read gets no more of it: only the report itself matters.
    if (progress - told < STEP || res.writableNeedDrain) return
    told = progress
    res.write(`${JSON.stringify({ object: 'progress', progress, videos } satisfies ReportProgress)}\n`)
  })
  if (!res.write(`${JSON.stringify(made)}\n`)) await Promise.race([once(res, 'drain'), once(res, 'close')])
  res.end()
}

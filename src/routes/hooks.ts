import type { IncomingMessage } from 'node:http'
import express, { type Router } from 'express'
import { Problem } from '../core/errors.ts'
import { type Log, logFailure } from '../core/log.ts'
import type { Videos } from '../engine/index.ts'
import { onlyMethods, createRouter } from './middleware/problems.ts'

interface HookRoutesDeps {
  videos: Pick<Videos, 'hinted'>
  /** Verifies without reading the store. */
  callbackTokens: { verify(backend: string, token: string): { videoId: string; attempt: number } | null }
  log: Log
}

/** A body that is no JSON hints even so. */
const jsonOf = (body: unknown): unknown => {
  try {
    return Buffer.isBuffer(body) ? JSON.parse(body.toString()) : null
  } catch {
    return null
  }
}

/** As an operation's path is written; it is in no document. */
export const CALLBACK_PATH = '/hooks/{backend}/{token}'

const MAX_CALLBACK_BYTES = 65_536

/** Of a compressed one nobody could say how large it is: it is not read. */
const isPlain = (req: IncomingMessage): boolean => req.headers['content-encoding'] === undefined

const readBody = express.raw({ limit: MAX_CALLBACK_BYTES, type: isPlain, inflate: false })

/**
 * Callbacks of the alternate backend. They are unsigned and of unknown shape, so they only say that a poll may be worth
 * it. Answered immediately; the poll follows later, within the budget.
 */
export const hookRoutes = ({ videos, callbackTokens, log }: HookRoutesDeps): Router => {
  const subjectOf = ({ backend, token }: { backend: string; token: string }) => {
    const subject = callbackTokens.verify(backend, token)
    if (!subject) throw new Problem('not_found', 'there is nothing here')
    return subject
  }
  const router = createRouter()
  router
    .route('/hooks/:backend/:token')
    .post(
      (req, _res, next) => {
        // Before a byte of the body is read.
        subjectOf(req.params)
        next()
      },
      readBody,
      (req, res) => {
        const { videoId, attempt } = subjectOf(req.params)
        res.status(204).end()
        videos
          .hinted(videoId, attempt, jsonOf(req.body))
          .catch((error: unknown) =>
            logFailure(
              log,
              { video_id: videoId, err: error },
              'a callback is not written yet; the backstop poll stays',
            ),
          )
      },
    )
    .all(onlyMethods('POST'))
  return router
}

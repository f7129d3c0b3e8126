import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { type NextFunction, type RequestHandler, type Response, Router } from 'express'
import { entryOf } from '../http/operation.ts'
import { isOver } from '../jobs.ts'
import type { Interface } from '../state.ts'
import type { Decisions } from '../undecided.ts'
import type { World } from '../world.ts'
import { filmOf, filmSeconds } from './film.ts'
import { previewWav } from './sound.ts'

/** The people of the sandbox: the primary's seeded puppets and the alternate's stock. Drawings, so nobody's face. */
export const PORTRAITS = ['Ada', 'Ben', 'Cleo', 'Dov', 'Emi', 'Felix'].map((name) => ({ id: name.toLowerCase(), name }))

export const portraitPath = (id: string): string => `/media/portraits/${id}.png`

/** The PNG of a portrait; `null` for an unknown id. */
export const portraitPng = (id: string): Buffer | null =>
  PORTRAITS.some((one) => one.id === id) ? readFileSync(new URL(`./assets/${id}.png`, import.meta.url)) : null

export const videoPath = (jobId: string): string => `/media/videos/${jobId}.mp4`

/** Signed videos, and the open portraits and voice samples, of one interface's server. */
export const mediaRoutes = (world: World, from: Interface, isVoice: (id: string) => boolean): Router =>
  Router()
    .get('/media/videos/:file', noted('downloadVideo'), signedLink(world), signedVideo(world, from))
    .get('/media/portraits/:file', noted('downloadPortrait'), (req, res) => {
      bytes(world, res, 'image/png', portraitPng(stem(req.params['file'], '.png')))
    })
    .get('/previews/:file', noted('downloadPreview'), (req, res) => {
      const voice = stem(req.params['file'], '.wav')
      bytes(world, res, 'audio/wav', isVoice(voice) ? previewWav(voice) : null)
    })

const stem = (file: unknown, ending: string): string =>
  typeof file === 'string' && file.endsWith(ending) ? file.slice(0, -ending.length) : ''

/** The ledger's line of a media request: its status is known when the answer has gone. */
export const noted =
  (name: string): RequestHandler =>
  (req, res, next) => {
    const entry = entryOf(req)
    entry.operation = name
    res.on('finish', () => (entry.status = res.statusCode))
    next()
  }

/** How a link, an upload or a download is refused (undecided.ts, `files`). */
export const refuse = (
  { decisions: { files } }: World,
  res: Response,
  status: number,
  code: keyof Decisions['files']['codes'],
  message: string,
): void => void res.status(status).json(files.error(files.codes[code], message))

const bytes = (world: World, res: Response, type: string, data: Buffer | null): void => {
  if (data) res.type(type).send(data)
  else refuse(world, res, 404, 'notFound', 'No such file.')
}

/** 403 for an unsigned, tampered or expired URL. */
export const signedLink =
  (world: World): RequestHandler =>
  (req, res, next) => {
    const verdict = world.links.check(req.path, req.query['expires'], req.query['signature'], world.clock.now())
    if (verdict === 'expired') return refuse(world, res, 403, 'linkExpired', 'The link has expired: ask for a new one.')
    if (verdict === 'invalid') return refuse(world, res, 403, 'linkInvalid', 'The link is not signed by this sandbox.')
    next()
  }

const signedVideo =
  (world: World, from: Interface): RequestHandler =>
  (req, res, next) => {
    const id = stem(req.params['file'], '.mp4')
    const job = world.state.jobs.get(id)
    if (!job || job.interface !== from || !isOver(job, world.clock.now())) {
      return refuse(world, res, 404, 'notFound', 'No such file.')
    }
    entryOf(req).job_id = id
    const seconds = filmSeconds(job.speechSeconds)
    const path = world.blobs.made(`film-${job.resolution}-${seconds}`, () => filmOf(job.resolution, seconds))
    return sendFile(world, res, next, path, { 'Content-Type': 'video/mp4' })
  }

/** Sends a file of the sandbox's own, or a part of it; 416 for a range that it does not have. */
export const sendFile = (
  world: World,
  res: Response,
  next: NextFunction,
  path: string,
  headers: Readonly<Record<string, string>>,
): void => {
  const sent = { 'Cache-Control': 'private, no-store', 'X-Sandbox': 'true', ...headers }
  res.sendFile(basename(path), { root: dirname(path), headers: sent, cacheControl: false }, (cause) => {
    // A player that closes the connection halfway is no error.
    if (!cause || res.headersSent) return
    if ('status' in cause && cause.status === 416) refuse(world, res, 416, 'rangeNotSatisfiable', 'No such range.')
    else next(cause)
  })
}

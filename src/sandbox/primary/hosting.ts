import { Router, type Request, type RequestHandler, type Response } from 'express'
import { mediaTypeOf } from '../http/body.ts'
import { entryOf } from '../http/operation.ts'
import { WAV_HEAD_BYTES, wavSeconds } from '../media/index.ts'
import { noted, refuse, sendFile, signedLink } from '../media/routes.ts'
import type { Audio } from '../state.ts'
import type { World } from '../world.ts'
import { audioPath, putPath } from './audio.ts'

/**
 * The signed PUT and the signed read of hosted audio (primary, "Hosted audio upload"). What a wrong PUT is answered is
 * not shown: see `files` in undecided.ts.
 */
export const hostingRoutes = (world: World): Router =>
  Router()
    .put(putPath(':id'), noted('uploadAudio'), signedLink(world), receiving(world))
    .get(audioPath(':id'), noted('downloadAudio'), signedLink(world), serving(world))

const audioOf = (world: World, req: Request, res: Response): Audio | null => {
  const audio = world.state.audio.get(String(req.params['id']))
  if (audio) return audio
  refuse(world, res, 404, 'notFound', 'No such file.')
  return null
}

const receiving =
  (world: World): RequestHandler =>
  async (req, res) => {
    const audio = audioOf(world, req, res)
    if (!audio) return
    entryOf(req).key_id = audio.keyId
    if (mediaTypeOf(req) !== audio.mimeType)
      return refuse(world, res, 415, 'wrongType', `Reserved for ${audio.mimeType}.`)
    const length = req.headers['content-length']
    if (length !== undefined && Number(length) !== audio.sizeBytes) return wrongSize(world, res, audio, Number(length))
    const stored = await world.blobs.receive(audio.id, req, audio.sizeBytes).catch(() => 'broken' as const)
    // The caller hung up: there is nobody to answer.
    if (stored === 'broken') return
    if (stored !== 'stored') return wrongSize(world, res, audio, stored === 'too-long' ? Number.POSITIVE_INFINITY : 0)
    const seconds = wavSeconds(await world.blobs.head(audio.id, WAV_HEAD_BYTES), audio.sizeBytes)
    // As it is now: another PUT of the same file may have ended meanwhile, or its time be over.
    const current = world.state.audio.get(audio.id)
    if (current) world.state.audio.put(audio.id, { ...current, uploadedAtMs: world.clock.now(), seconds })
    res.status(200).json(world.decisions.files.uploaded(audio.sizeBytes))
  }

const wrongSize = (world: World, res: Response, { sizeBytes }: Audio, given: number): void =>
  given > sizeBytes
    ? refuse(world, res, 413, 'tooLarge', `Exactly ${sizeBytes} bytes were reserved.`)
    : refuse(world, res, 400, 'sizeMismatch', `Exactly ${sizeBytes} bytes were reserved.`)

const serving =
  (world: World): RequestHandler =>
  (req, res, next) => {
    const audio = audioOf(world, req, res)
    if (!audio) return
    if (audio.uploadedAtMs === null) return refuse(world, res, 404, 'notFound', 'The upload is not finished.')
    sendFile(world, res, next, world.blobs.path(audio.id), { 'Content-Type': audio.mimeType })
  }

import type { Request, Response, Router } from 'express'
import type { Clock } from '../../../core/time/clock.ts'
import { fieldProblem, Problem } from '../../../core/errors.ts'
import type { VideoRecord } from '../../../core/video.ts'
import type { VideoView } from '../../../core/api/videos.ts'
import type { Videos } from '../../../engine/index.ts'
import { jsonBodyOf } from '../../parse.ts'
import { onlyMethods, postBesideIds } from '../../middleware/problems.ts'
import type { Frame } from '../frame.ts'
import { collapse, keyOf, readAudioVideo, readTextVideo } from './fields.ts'
import { jobAnswer } from './job.ts'

/** "Video create request body" ("Limits"). */
const VIDEO_BODY_BYTES = 65_536
const JOB_ID = /^api_video_[A-Za-z0-9_-]+$/

/** createVideoFromText, createVideoFromAudio and getVideoJob. */
export const primaryVideos = (
  router: Router,
  frame: Frame,
  { videos, clock }: { videos: Pick<Videos, 'render'>; clock: Clock },
): void => {
  const answer = (req: Request, res: Response, video: VideoRecord, view: VideoView, isCreate: boolean): void => {
    const job = jobAnswer(view, {
      verbatim: frame.verbatimOf(video),
      videoUrl: frame.linkOf(video, view),
      origin: frame.originOf(req),
      nowMs: clock.wall(),
      isCreate,
    })
    res.status(job.status).set(job.headers).json(job.body)
  }

  const createFromText = async (req: Request, res: Response): Promise<void> => {
    const groups = ['image_url', 'text', 'voice_id', 'idempotency_key'] as const
    const { given, key, unknown } = collapse(req.body, groups, ['language', 'expressiveness', 'webhook_url'])
    const idempotencyKey = keyOf(req, key)
    const { webhook_url: webhookUrl, ...input } = readTextVideo(given)
    const asked = { operation: 'POST /api/v1/videos/text', input, webhookUrl, key: idempotencyKey, unknown }
    const { video, view } = await frame.create(res, asked)
    answer(req, res, video, view, true)
  }

  const createFromAudio = async (req: Request, res: Response): Promise<void> => {
    const groups = ['image_url', 'audio_url', 'idempotency_key'] as const
    const { given, key, unknown } = collapse(req.body, groups, ['expressiveness', 'webhook_url'])
    const idempotencyKey = keyOf(req, key)
    const { webhook_url: webhookUrl, ...input } = readAudioVideo(given)
    const asked = { operation: 'POST /api/v1/videos/audio', input, webhookUrl, key: idempotencyKey, unknown }
    const { video, view } = await frame.create(res, asked)
    answer(req, res, video, view, true)
  }

  const get = async (req: Request<{ jobId: string }>, res: Response): Promise<void> => {
    const { jobId } = req.params
    const video = await frame.find(res, jobId)
    if (video) return answer(req, res, video, await videos.render(video), false)
    if (!JOB_ID.test(jobId))
      throw fieldProblem('invalid_request', 'jobId', 'jobId must match ^api_video_[A-Za-z0-9_-]+$')
    throw new Problem('video_not_found', 'there is no such video job of yours', { videoId: jobId })
  }

  const body = jsonBodyOf(VIDEO_BODY_BYTES, ['application/json'])
  const creates = frame.guarded('videos:create')
  router.route('/videos/text').post(creates, body, createFromText).all(postBesideIds)
  router.route('/videos/audio').post(creates, body, createFromAudio).all(postBesideIds)
  router.route('/videos/:jobId').get(frame.guarded('videos:read'), get).all(onlyMethods('GET', 'HEAD'))
}

import { EXAMPLE_IDS } from '../../../core/ids.ts'
import type { ProblemCode, ProblemExtras } from '../../../core/errors.ts'
import { publicIdOf } from './names.ts'

/** One coherent story, told by every example of the document of `/api/v1`. */

const ID = publicIdOf(EXAMPLE_IDS.video)
const STATUS_PATH = `/api/v1/videos/${ID}`
const LATER = '2026-11-20T12:00:12.000Z'

export const JOB = {
  id: ID,
  operation_id: ID,
  request_id: ID,
  status_url: STATUS_PATH,
  content_location: STATUS_PATH,
  status: 'queued',
  next_poll_at: LATER,
  nextPollAt: LATER,
}

const { next_poll_at: _at, nextPollAt: _nextAt, ...settled } = JOB
export const FINISHED = { ...settled, status: 'completed', video_url: 'https://cdn.example/7Hq2.mp4?signature=abc' }

export const VOICES = {
  object: 'list',
  data: [
    {
      id: 'sandbox-en-us-ava',
      object: 'voice',
      name: 'Ava',
      provider: 'sandbox',
      language: 'English (United States)',
      language_code: 'en-US',
      gender: 'Female',
      preview_url: '/previews/sandbox-en-us-ava.wav',
    },
  ],
}

export const PUPPET = {
  id: 'puppet_ada',
  object: 'puppet',
  name: 'Ada',
  imageUrl: 'https://example.com/ada.png',
  createdAt: '2026-11-20T12:00:00.000Z',
}

/** What problems know beside their code, for the examples of errors. */
export const EXTRAS: Partial<Record<ProblemCode, ProblemExtras>> = {
  video_not_found: { videoId: JOB.id },
  payload_too_large: { details: { max_body_bytes: 65_536 } },
  file_too_large: { details: { max_file_bytes: 52_428_800 } },
}

export const TIMED_OUT = { error: 'job_status_timeout', message: 'The lookup took too long', retryable: true }

import { PRIMARY_CODES, type PrimaryCode } from './codes.ts'

/** One coherent story, told by every example of the document of `/api/v1`. */

const ID = 'api_video_01M7WA9S7VF4P8S27TV0W2QQJ9'
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

const HINT = {
  retry_after_seconds: 12,
  retryAfter: 12,
  retryAfterSeconds: 12,
  next_poll_at: LATER,
  nextPollAt: LATER,
}
const OF_JOB = {
  id: ID,
  job_id: ID,
  jobId: ID,
  task_id: ID,
  taskId: ID,
  operation_id: ID,
  operationId: ID,
  request_id: ID,
  requestId: ID,
  status_url: STATUS_PATH,
  statusUrl: STATUS_PATH,
  content_location: STATUS_PATH,
  contentLocation: STATUS_PATH,
}
const BLOCKED = (code: string) => ({ retry_block_code: code, retryBlockCode: code })

/** What an error has beyond its code and message. */
const MORE: Partial<Record<PrimaryCode, Record<string, unknown>>> = {
  voice_not_found: BLOCKED('SERVICE_VOICE_NOT_FOUND'),
  job_not_found: { ...OF_JOB, ...BLOCKED('VIDEO_JOB_NOT_FOUND') },
  payload_too_large: BLOCKED('VIDEO_CREATE_PAYLOAD_TOO_LARGE'),
  file_too_large: BLOCKED('AUDIO_UPLOAD_FILE_TOO_LARGE'),
}
const LIMITS: Partial<Record<PrimaryCode, Record<string, number>>> = {
  payload_too_large: { max_body_bytes: 65_536 },
  file_too_large: { max_file_bytes: 52_428_800 },
}

export const exampleError = (code: PrimaryCode): Record<string, unknown> => {
  const { title: message, retryable } = PRIMARY_CODES[code]
  const blocked = { retry_blocked_reason: message, retryBlockedReason: message }
  const shared = { retryable, ...(retryable ? HINT : blocked), ...MORE[code] }
  return { error: code, message, ...shared, details: { ...shared, code, reason: message, ...LIMITS[code] } }
}

import { DIALECT } from '../../../src/adapters/alternate/index.ts'
import type { JobReport } from '../../../src/core/adapter.ts'
import type { Verbatim } from '../../../src/core/video.ts'
import type { AdapterKit } from '../../contract/adapter-kit.ts'
import { report } from '../../fakes/records.ts'
import { CONTEXT, fixture, NOW_MS, ORDERS } from '../harness.ts'
import { REFUSALS } from './alternate-refusals.ts'
import { create } from './uses.ts'
import { ENDINGS } from './words.ts'

const JOB = 'vid-77'
const ORDER = ORDERS.alternate
/** Of a job, beside what its report says in fields of its own. */
const MADE = { puppetId: 'pup_anna', voiceId: null, resolution: null, createdAtMs: NOW_MS }

const lineOf = (
  status: 'processing' | 'completed',
  given: Partial<JobReport> & { jobId: string },
  verbatim: Verbatim,
) => {
  const said = report({ status, backendStatus: status, verbatim, ...given })
  const { puppetId, createdAtMs } = said.made
  return { jobId: given.jobId, status, puppetId, createdAtMs, report: said }
}

export const alternate: AdapterKit = {
  dialect: DIALECT,
  credential: (key) => ({ authorization: `Bearer ${key}` }),
  defaults: { slots: null, requestsPerMinute: 10 },
  voiceRequired: false,
  jobId: JOB,
  order: ORDER,
  creates: [
    {
      order: ORDER,
      context: CONTEXT,
      request: {
        method: 'POST',
        path: '/v1/videos',
        headers: { 'content-type': 'application/json' },
        body:
          '{"script":"Hello","puppet_id":"pup_anna","voice_id":"voice_anna","resolution":"720p",' +
          '"webhook_url":"https://gateway.example/hooks/alternate/t"}',
      },
    },
    {
      order: { ...ORDER, puppetId: 'pup_bob', text: 'Good morning', voiceId: 'voice_bob', resolution: '1080p' },
      context: { ...CONTEXT, callbackUrl: 'https://gateway.example/hooks/alternate/u' },
      request: {
        method: 'POST',
        path: '/v1/videos',
        headers: { 'content-type': 'application/json' },
        body:
          '{"script":"Good morning","puppet_id":"pup_bob","voice_id":"voice_bob","resolution":"1080p",' +
          '"webhook_url":"https://gateway.example/hooks/alternate/u"}',
      },
    },
    {
      order: { ...ORDER, voiceId: null, resolution: null },
      context: { ...CONTEXT, callbackUrl: null },
      request: {
        method: 'POST',
        path: '/v1/videos',
        headers: { 'content-type': 'application/json' },
        body: '{"script":"Hello","puppet_id":"pup_anna"}',
      },
    },
  ],
  accepted: {
    answer: fixture('alternate', 'create-accepted'),
    outcome: {
      kind: 'accepted',
      jobId: JOB,
      report: report({
        jobId: JOB,
        status: 'processing',
        backendStatus: 'processing',
        durationEstimateSeconds: 12,
        made: { ...MADE, voiceId: 'voice_anna', resolution: '1080p' },
      }),
      credits: null,
      rate: { limit: 60, remaining: 59, resetAtMs: 1_795_168_860_000, dateMs: NOW_MS },
    },
  },
  jobs: [
    {
      answer: fixture('alternate', 'job-processing'),
      report: report({ jobId: JOB, status: 'processing', backendStatus: 'processing', made: MADE }),
    },
    {
      answer: fixture('alternate', 'job-completed'),
      report: report({
        jobId: JOB,
        status: 'completed',
        backendStatus: 'completed',
        link: { url: 'https://cdn.alternate.example/77.mp4?sig=abc', expiresAtMs: null },
        thumbnailUrl: 'https://cdn.alternate.example/77.png',
        durationSeconds: 11,
        made: { ...MADE, voiceId: 'voice_anna', resolution: '1080p' },
      }),
    },
    {
      answer: fixture('alternate', 'job-failed'),
      report: report({
        jobId: JOB,
        status: 'failed',
        backendStatus: 'failed',
        failure: { message: 'Rendering failed', retryable: false, code: 'render_failed' },
      }),
    },
  ],
  lost: fixture('alternate', 'job-not-found'),
  words: { processing: 'processing', ...ENDINGS },
  job: (status) => ({ id: JOB, status }),
  voices: {
    path: '/v1/voices',
    answer: fixture('alternate', 'voices'),
    // The language is a locale; its name is told by us.
    voices: () => [
      {
        id: 'voice_anna',
        name: 'Anna',
        provider: null,
        language: 'English (United Kingdom)',
        languageCode: 'en-GB',
        gender: 'female',
        previewUrl: 'https://cdn.alternate.example/anna.mp3',
      },
      {
        id: 'voice_x',
        name: 'X',
        provider: null,
        language: 'not a locale!',
        languageCode: 'not a locale!',
        gender: null,
        previewUrl: null,
      },
    ],
  },
  puppets: [
    {
      path: '/v1/puppets',
      answer: fixture('alternate', 'puppets'),
      page: {
        items: [
          {
            id: 'pup_anna',
            name: 'Anna',
            type: 'stock',
            imageUrl: 'https://cdn.alternate.example/anna.png',
            thumbnailUrl: 'https://cdn.alternate.example/anna.png',
            createdAtMs: null,
            verbatim: {
              id: 'pup_anna',
              name: 'Anna',
              type: 'stock',
              thumbnail_url: 'https://cdn.alternate.example/anna.png',
            },
          },
          {
            id: 'pup_mine',
            name: 'Mine',
            type: 'custom',
            imageUrl: null,
            thumbnailUrl: null,
            createdAtMs: null,
            verbatim: { id: 'pup_mine', name: 'Mine', type: 'custom', thumbnail_url: null },
          },
        ],
        nextCursor: '2',
      },
    },
    {
      path: '/v1/puppets?page=2',
      answer: {
        status: 200,
        headers: {},
        body: { data: [{ id: 'pup_bob' }], pagination: { page: 2, limit: 2, total: 3, total_pages: 2 } },
      },
      page: {
        items: [
          {
            id: 'pup_bob',
            name: null,
            type: 'custom',
            imageUrl: null,
            thumbnailUrl: null,
            createdAtMs: null,
            verbatim: { id: 'pup_bob' },
          },
        ],
        nextCursor: null,
      },
    },
  ],
  download: {
    path: '/v1/videos/vid-77/download',
    answer: fixture('alternate', 'download'),
    link: { url: 'https://cdn.alternate.example/77.mp4?sig=def', expiresAtMs: NOW_MS + 3_600_000 },
  },
  list: [
    {
      path: '/v1/videos?page=1&limit=100',
      answer: {
        status: 200,
        headers: { date: 'Fri, 20 Nov 2026 10:00:00 GMT' },
        body: {
          data: [{ id: JOB, status: 'processing', puppet_id: 'pup_anna', created_at: '2026-11-20T10:00:00Z' }],
          pagination: { page: 1, limit: 1, total: 2, total_pages: 2 },
        },
      },
      page: {
        items: [
          lineOf(
            'processing',
            { jobId: JOB, made: MADE },
            { puppet_id: 'pup_anna', created_at: '2026-11-20T10:00:00Z' },
          ),
        ],
        total: 2,
        totalPages: 2,
        dateMs: NOW_MS,
      },
    },
    {
      path: '/v1/videos?page=2&limit=100',
      answer: {
        status: 200,
        headers: {},
        body: {
          data: [{ id: 'vid-78', status: 'completed' }],
          pagination: { page: 2, limit: 1, total: 2, total_pages: 2 },
        },
      },
      page: {
        items: [lineOf('completed', { jobId: 'vid-78' }, {})],
        total: 2,
        totalPages: 2,
        dateMs: null,
      },
    },
  ],
  callback: { body: { event: 'video.completed', data: { id: JOB } }, jobId: JOB },
  refusals: REFUSALS,
  operations: {
    'POST /v1/videos': create(ORDER),
    'GET /v1/videos': (adapter) => adapter.list(1),
    'GET /v1/videos/:id': (adapter) => adapter.status('some-id'),
    'GET /v1/videos/:id/download': (adapter) => adapter.download('some-id'),
    'GET /v1/voices': (adapter) => adapter.voices(),
    'GET /v1/puppets': (adapter) => adapter.puppets(null),
  },
}

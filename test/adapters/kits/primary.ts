import { DIALECT } from '../../../src/adapters/primary/index.ts'
import type { AdapterKit } from '../../contract/adapter-kit.ts'
import { report } from '../../fakes/records.ts'
import { CONTEXT, fixture, NOW_MS, ORDERS } from '../harness.ts'
import { REFUSALS } from './primary-refusals.ts'
import { create, createPuppet, createSpeech, createUpload, deletePuppet, usage } from './uses.ts'
import { ENDINGS } from './words.ts'

const JOB = 'api_video_Abc-123_x'
const ORDER = ORDERS.primary
const AUDIO = { ...ORDER, text: null, audioUrl: 'https://files.example/a.wav?sig=1', voiceId: null, language: null }
const HEADERS = { 'content-type': 'application/json', 'idempotency-key': 'vid_1.1' }
const LINK = { url: 'https://cdn.primary.example/v/1.mp4?X-Signature=abc', expiresAtMs: null }

export const primary: AdapterKit = {
  dialect: DIALECT,
  credential: (key) => ({ authorization: `Bearer ${key}` }),
  defaults: { slots: 2, requestsPerMinute: 10 },
  voiceRequired: false,
  jobId: JOB,
  order: ORDER,
  creates: [
    {
      order: ORDER,
      context: CONTEXT,
      request: {
        method: 'POST',
        path: '/api/v1/videos/text',
        headers: HEADERS,
        body:
          '{"image_url":"https://img.example/me.png","text":"Hello","voice_id":"aurora-en_01",' +
          '"language":"en","expressiveness":0.5}',
      },
    },
    {
      order: {
        ...ORDER,
        imageUrl: 'https://img.example/you.png',
        text: 'Guten Tag',
        voiceId: 'aurora-de_02',
        language: 'de',
        expressiveness: 0,
      },
      context: { ...CONTEXT, idempotencyKey: 'vid_2.1' },
      request: {
        method: 'POST',
        path: '/api/v1/videos/text',
        headers: { ...HEADERS, 'idempotency-key': 'vid_2.1' },
        body:
          '{"image_url":"https://img.example/you.png","text":"Guten Tag","voice_id":"aurora-de_02",' +
          '"language":"de","expressiveness":0}',
      },
    },
    {
      order: { ...ORDER, voiceId: null, language: null, expressiveness: null },
      context: CONTEXT,
      request: {
        method: 'POST',
        path: '/api/v1/videos/text',
        headers: HEADERS,
        body: '{"image_url":"https://img.example/me.png","text":"Hello"}',
      },
    },
    {
      order: AUDIO,
      context: CONTEXT,
      request: {
        method: 'POST',
        path: '/api/v1/videos/audio',
        headers: HEADERS,
        body:
          '{"image_url":"https://img.example/me.png","audio_url":"https://files.example/a.wav?sig=1",' +
          '"expressiveness":0.5}',
      },
    },
    {
      order: {
        ...AUDIO,
        imageUrl: 'https://img.example/you.png',
        audioUrl: 'https://files.example/b.wav',
        expressiveness: 1,
      },
      context: CONTEXT,
      request: {
        method: 'POST',
        path: '/api/v1/videos/audio',
        headers: HEADERS,
        body:
          '{"image_url":"https://img.example/you.png","audio_url":"https://files.example/b.wav",' +
          '"expressiveness":1}',
      },
    },
  ],
  accepted: {
    answer: fixture('primary', 'create-accepted'),
    outcome: {
      kind: 'accepted',
      jobId: JOB,
      report: report({
        jobId: JOB,
        status: 'queued',
        backendStatus: 'queued',
        nextPollAtMs: NOW_MS + 12_000,
      }),
      credits: { charged: 1, remaining: 9 },
      rate: { limit: 10, remaining: 7, resetAtMs: 1_795_168_860_000, dateMs: NOW_MS },
    },
  },
  jobs: [
    {
      answer: fixture('primary', 'job-processing'),
      report: report({
        jobId: JOB,
        status: 'processing',
        backendStatus: 'processing',
        progress: 0.42,
        nextPollAtMs: NOW_MS + 5_000,
      }),
    },
    {
      answer: { status: 200, headers: {}, body: { id: JOB, status: 'processing', progress: 0.01 } },
      report: report({ jobId: JOB, status: 'processing', backendStatus: 'processing', progress: 0.01 }),
    },
    {
      answer: fixture('primary', 'job-completed'),
      report: report({ jobId: JOB, status: 'completed', backendStatus: 'completed', link: LINK }),
    },
    {
      answer: { status: 200, headers: {}, body: { id: JOB, status: 'completed', duration_seconds: 11 } },
      report: report({
        jobId: JOB,
        status: 'completed',
        backendStatus: 'completed',
        durationSeconds: 11,
      }),
    },
    {
      answer: fixture('primary', 'job-failed'),
      report: report({
        jobId: JOB,
        status: 'failed',
        backendStatus: 'failed',
        failure: { message: 'No face found in [url]', retryable: true, code: 'animation_failed' },
      }),
    },
  ],
  lost: fixture('primary', 'job-not-found'),
  words: { queued: 'queued', processing: 'processing', ...ENDINGS },
  job: (status) => ({ id: JOB, status }),
  voices: {
    path: '/api/v1/voices/service',
    answer: fixture('primary', 'voices'),
    voices: (base) => [
      {
        id: 'aurora-en_01',
        name: 'Maya',
        provider: 'aurora',
        language: 'English (United Kingdom)',
        languageCode: 'en-GB',
        gender: 'female',
        previewUrl: `${base}/api/v1/voices/service/aurora-en_01/preview`,
      },
      {
        id: 'aurora-de_02',
        name: null,
        provider: null,
        language: null,
        languageCode: null,
        gender: null,
        previewUrl: null,
      },
    ],
  },
  puppets: [
    {
      path: '/api/v1/puppets?limit=100',
      answer: fixture('primary', 'puppets'),
      page: {
        items: [
          {
            id: 'pup_1',
            name: 'Ada',
            type: 'custom',
            imageUrl: 'https://img.example/ada.png',
            thumbnailUrl: null,
            createdAtMs: 1_767_323_045_000,
            verbatim: {
              id: 'pup_1',
              name: 'Ada',
              imageUrl: 'https://img.example/ada.png',
              createdAt: '2026-01-02T03:04:05Z',
            },
          },
          {
            id: 'pup_2',
            name: null,
            type: 'custom',
            imageUrl: 'https://img.example/bob.png',
            thumbnailUrl: null,
            createdAtMs: null,
            verbatim: { id: 'pup_2', image_url: 'https://img.example/bob.png' },
          },
        ],
        nextCursor: 'pup_2',
      },
    },
    {
      path: '/api/v1/puppets?limit=100&cursor=pup_2',
      answer: { status: 200, headers: {}, body: { object: 'list', data: [{ id: 'pup_3' }], nextCursor: null } },
      page: {
        items: [
          {
            id: 'pup_3',
            name: null,
            type: 'custom',
            imageUrl: null,
            thumbnailUrl: null,
            createdAtMs: null,
            verbatim: { id: 'pup_3' },
          },
        ],
        nextCursor: null,
      },
    },
  ],
  download: { path: `/api/v1/videos/${JOB}`, answer: fixture('primary', 'job-completed'), link: LINK },
  list: [],
  callback: null,
  refusals: REFUSALS,
  operations: {
    'GET /api/v1/voices/service': (adapter) => adapter.voices(),
    'GET /api/v1/puppets': (adapter) => adapter.puppets(null),
    'POST /api/v1/puppets': createPuppet,
    'GET /api/v1/puppets/{puppetId}': (adapter) => adapter.puppet('some-id'),
    'DELETE /api/v1/puppets/{puppetId}': deletePuppet,
    'POST /api/v1/tts/service': createSpeech,
    'POST /api/v1/uploads/audio-url': createUpload,
    'GET /api/v1/usage': usage,
    'POST /api/v1/videos/text': create(ORDER),
    'POST /api/v1/videos/audio': create(AUDIO),
    'GET /api/v1/videos/{jobId}': (adapter) => adapter.status('some-id'),
  },
}

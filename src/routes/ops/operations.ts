import { z } from 'zod'
import { SURFACES } from '../../core/vocabulary.ts'
import { json, operations } from '../openapi/operation.ts'

export const DocumentQuery = z.strictObject({
  surface: z.enum(SURFACES).optional().describe('Only this surface, as a document of its own'),
})

export const GATEWAY_OPERATIONS = operations('Operations', {
  getHealth: {
    at: ['get', '/healthz'],
    summary: 'Is it alive?',
    scope: null,
    answers: { 200: json('The process answers.', 'Health', { status: 'ok' }) },
    problems: ['invalid_request', 'internal_error'],
  },
  getReadiness: {
    at: ['get', '/readyz'],
    summary: 'Can it take work?',
    description: 'The store can be written. A dead backend does not make the gateway unready.',
    scope: null,
    answers: { 200: json('It can.', 'Health', { status: 'ready' }) },
    problems: ['invalid_request', 'internal_error', 'store_unavailable', 'shutting_down'],
  },
  getOpenApi: {
    at: ['get', '/openapi.json'],
    summary: 'This document',
    description:
      'Of all that the gateway serves; with `surface` that of one surface alone, for its clients and generators.',
    scope: null,
    query: DocumentQuery,
    requestHeaders: ['If-None-Match'],
    answers: {
      200: { description: 'OpenAPI 3.1.', body: 'OpenApi', headers: { ETag: 'always' } },
      304: { description: 'As it was.', headers: { ETag: 'always' } },
    },
    problems: ['invalid_request', 'internal_error'],
  },
  getDocs: {
    at: ['get', '/docs'],
    summary: 'This document, for people',
    description:
      'Works offline: everything that it needs is served from here. `/docs?surface=primary` shows one surface, `all` all of them.',
    scope: null,
    requestHeaders: ['If-None-Match'],
    answers: {
      200: {
        description: 'A page.',
        raw: { mediaType: 'text/html', example: '<!doctype html>' },
        headers: { ETag: 'always' },
      },
      304: { description: 'As it was.', headers: { ETag: 'always' } },
    },
    problems: ['invalid_request', 'internal_error'],
  },
})

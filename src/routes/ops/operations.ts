import type { Operation } from '../openapi/operation.ts'

const tag = 'Operations'

export const GATEWAY_OPERATIONS: readonly Operation[] = [
  {
    id: 'getHealth',
    method: 'get',
    path: '/healthz',
    tag,
    summary: 'Is it alive?',
    scope: null,
    answers: { 200: { description: 'The process answers.', body: 'Health', example: { status: 'ok' } } },
    problems: ['invalid_request', 'internal_error'],
  },
  {
    id: 'getReadiness',
    method: 'get',
    path: '/readyz',
    tag,
    summary: 'Can it take work?',
    description: 'The store can be written. A dead backend does not make the gateway unready.',
    scope: null,
    answers: { 200: { description: 'It can.', body: 'Health', example: { status: 'ready' } } },
    problems: ['invalid_request', 'internal_error', 'store_unavailable', 'shutting_down'],
  },
  {
    id: 'getOpenApi',
    method: 'get',
    path: '/openapi.json',
    tag,
    summary: 'This document',
    scope: null,
    requestHeaders: ['If-None-Match'],
    answers: {
      200: { description: 'OpenAPI 3.1.', body: 'OpenApi', headers: { ETag: 'always' } },
      304: { description: 'As it was.', headers: { ETag: 'always' } },
    },
    problems: ['invalid_request', 'internal_error'],
  },
  {
    id: 'getDocs',
    method: 'get',
    path: '/docs',
    tag,
    summary: 'This document, for people',
    description: 'Works offline: everything that it needs is served from here.',
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
]

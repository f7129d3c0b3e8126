/** What a dashboard may rely on: every span and every attribute that the gateway writes. docs/tracing.md has the same. */
export const SPANS = {
  request: {
    kind: 'server',
    place: 'A child of the caller’s span, if it sent one',
    about: 'One request to the gateway, until its answer ended',
  },
  dispatch: {
    kind: 'internal',
    place: 'A child of the create’s request while it is answered; otherwise a separate trace, linked to that request',
    about:
      'One attempt to send a video to its backend: the wait for the rate limit, the exchange, and the write of the result',
  },
  poll: {
    kind: 'internal',
    place: 'A separate trace, linked to the create’s request',
    about: 'One poll of a running job; or of many jobs by the backend’s list, linked to the create of each',
  },
  delivery: {
    kind: 'client',
    place: 'A separate trace, linked to the create’s request',
    about: 'One attempt to deliver a webhook',
  },
  backend: { kind: 'client', place: 'A child of the span that needs it', about: 'One exchange with a backend' },
} as const satisfies Record<string, { kind: SpanKind; place: string; about: string }>

export type SpanKind = 'server' | 'internal' | 'client'
export type SpanName = keyof typeof SPANS

/** By the words that the code has for them. Those without `talkbridge.` are of OpenTelemetry's semantic conventions. */
export const ATTRIBUTES = {
  method: {
    key: 'http.request.method',
    on: ['request', 'delivery', 'backend'],
    about: '`_OTHER` for a method that the conventions do not know',
  },
  route: {
    key: 'http.route',
    on: ['request'],
    about: 'The path with its ids as `{id}`; absent if there is no such operation',
  },
  status: {
    key: 'http.response.status_code',
    on: ['request', 'delivery', 'backend'],
    about: 'Absent if no answer came',
  },
  error: {
    key: 'error.type',
    on: ['request', 'dispatch', 'poll', 'delivery', 'backend'],
    about: 'Why it failed: a status, a code, or a word such as `timeout`, `connection`, `aborted`',
  },
  host: { key: 'server.address', on: ['delivery', 'backend'], about: 'The host of the request' },
  port: { key: 'server.port', on: ['delivery', 'backend'], about: 'The port of the request' },
  requestId: {
    key: 'talkbridge.request.id',
    on: ['request'],
    about: '`X-Request-Id` of the answer, and of the log line',
  },
  client: { key: 'talkbridge.client', on: ['request', 'dispatch', 'poll', 'delivery'], about: 'The id of the client' },
  backend: {
    key: 'talkbridge.backend',
    on: ['dispatch', 'poll', 'backend'],
    about: 'The name of the backend in the configuration',
  },
  operation: {
    key: 'talkbridge.operation',
    on: ['backend'],
    about: '`createVideo`, `getVideo`, `listVideos` and so on',
  },
  video: { key: 'talkbridge.video.id', on: ['dispatch', 'poll', 'delivery'], about: 'The id of the video' },
  attempt: { key: 'talkbridge.attempt', on: ['dispatch', 'delivery'], about: 'Counts from 1' },
  outcome: { key: 'talkbridge.outcome', on: ['dispatch', 'poll', 'delivery'], about: 'The result, in one word' },
  jobs: { key: 'talkbridge.poll.jobs', on: ['poll'], about: 'How many jobs a poll by the list covered' },
  event: { key: 'talkbridge.event.id', on: ['delivery'], about: '`webhook-id`' },
  eventType: { key: 'talkbridge.event.type', on: ['delivery'], about: '`video.completed` and so on' },
  delivery: { key: 'talkbridge.delivery.id', on: ['delivery'], about: 'The id of the delivery' },
} as const satisfies Record<string, { key: string; on: readonly SpanName[]; about: string }>

export type Attributes = { [Name in keyof typeof ATTRIBUTES]?: string | number | null | undefined }

/** Few different ones, whatever callers send: what differs from request to request is in the attributes. */
export const titleOf = (name: SpanName, { method, route, operation }: Attributes): string => {
  switch (name) {
    case 'request':
      return [method ?? 'HTTP', route].filter(Boolean).join(' ')
    case 'backend':
      return `backend ${operation ?? ''}`.trim()
    case 'dispatch':
    case 'poll':
    case 'delivery':
      return name
  }
}

/** HTTP semantic conventions, `http.request.method`. */
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']
export const methodOf = (method: string): string => (METHODS.includes(method) ? method : '_OTHER')

import createClient from 'openapi-fetch'
import type { components, paths } from '../../client/src/schema.d.ts'
import { createSignal } from './signal.ts'

/** The objects of the OpenAPI document by name, such as `Schema<'Video'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

interface Problem {
  /** Of HTTP; 0: there was no answer. */
  status?: number
  code: string
  requestId?: string | null
  /** The field or parameter that it is about. */
  param?: string | null
}

/** What a request was answered with instead of what it asked for (RFC 9457), or `unreachable`: there was no answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  readonly param: string | null

  constructor(message: string, { status = 0, code, requestId = null, param = null }: Problem) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.param = param
  }
}

const textOr = (value: unknown, other: string): string => (typeof value === 'string' && value !== '' ? value : other)

/** The error in an answer. A proxy on the way answers as it likes. */
export const errorOf = async (response: Response): Promise<ApiError> => {
  const body: unknown = await response.json().catch(() => null)
  const { detail, title, code, param } = { ...(body as Record<string, unknown> | null) }
  return new ApiError(textOr(detail, textOr(title, `the gateway answered ${response.status}`)), {
    status: response.status,
    code: textOr(code, 'unknown'),
    requestId: response.headers.get('x-request-id'),
    param: typeof param === 'string' ? param : null,
  })
}

const UNREACHABLE = 'the gateway cannot be reached: check your connection. A live page retries automatically'

export const unreachable = (): ApiError => new ApiError(UNREACHABLE, { code: 'unreachable' })

/** What was thrown, as what is shown of it. */
export const errorFrom = (thrown: unknown): ApiError =>
  thrown instanceof ApiError ? thrown : new ApiError(String(thrown), { code: 'fault' })

/** The end of the session: the app shows the sign-in page. */
export const { tell: tellSignedOut, hear: whenSignedOut } = createSignal()

/** A form of another page can send no such header. */
export const OUR_HEADERS = { 'x-talkbridge-console': '1' }

/** The browser finishes a request that begins while the tab closes. */
let isLeaving = false
export const setLeaving = (is: boolean): void => void (isLeaving = is)

let answeredMs = Date.now()
/** When the API last answered something. */
export const lastAnswerMs = (): number => answeredMs

/**
 * The public API with the session in place of a key: `api.GET('/unified/v1/videos/{id}', { params: { path: { id } } })`.
 * Use it through `ask`. Every operation of the document is typed.
 */
export const api = createClient<paths>({
  baseUrl: '/console/api',
  headers: OUR_HEADERS,
  fetch: (request) => fetch(request, { keepalive: isLeaving }),
})
api.use({
  async onResponse({ response }) {
    if (response.ok) {
      answeredMs = Date.now()
      return
    }
    if (response.status === 401) tellSignedOut()
    throw await errorOf(response)
  },
  onError: ({ error }) => (error instanceof DOMException && error.name === 'AbortError' ? error : unreachable()),
})

/** An operation that operators have for all clients, and every client for itself. */
export const pathFor = <Path extends string>(
  isAdmin: boolean,
  path: Path,
): `/unified/v1/admin/${Path}` | `/unified/v1/${Path}` =>
  isAdmin ? `/unified/v1/admin/${path}` : `/unified/v1/${path}`

/** What an operation answered; `undefined` where that is nothing (204). Throws `ApiError`. */
export const ask = async <T>(asked: Promise<{ data?: T }>): Promise<T> => (await asked).data as T

/** Pages of a list: the items, and what gets the next page. */
export interface Page<T> {
  data: T[]
  has_more: boolean
  next_cursor: string | null
}

/** For a shell: nothing in it means anything. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A create as a command. The key is the shell's `$KEY`: the page never has it. Pure. */
export const createCommand = (body: object, origin: string): string =>
  [
    `curl -s ${quoted(`${origin}/unified/v1/videos`)}`,
    '-H "authorization: Bearer $KEY"',
    `-H 'content-type: application/json'`,
    `--data-raw ${quoted(JSON.stringify(body, null, 2))}`,
  ].join(' \\\n  ')

/** The request of a video, to be sent again. Pure; null for a job that was made elsewhere, and where it is gone. */
export const createBody = (video: Schema<'Video'>): Schema<'CreateVideo'> | null => {
  if (video.source === 'import') return null
  const asked = Object.entries(video.input).filter(([, value]) => value !== null)
  if (asked.length === 0) return null
  return {
    ...Object.fromEntries(asked),
    ...(video.routing.chosen_by === 'request' && { backend: video.backend }),
    ...(video.warnings.length > 0 && { unsupported: 'warn' as const }),
    ...(video.webhook_url !== null && { webhook_url: video.webhook_url }),
    ...(Object.keys(video.metadata).length > 0 && { metadata: video.metadata }),
  }
}

/** The create of a video as a command. Pure; null where there is none. */
export const curlOf = (video: Schema<'Video'>, origin: string): string | null => {
  const body = createBody(video)
  return body && createCommand(body, origin)
}

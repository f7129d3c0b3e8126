import type { RequestHandler, Router } from 'express'
import type { Dialect } from './http/answer.ts'
import type { Operation } from './http/call.ts'
import type { JsonDocument } from './openapi/document.ts'

/** One contract, as a server needs it. */
export interface Service {
  readonly dialect: Dialect
  readonly operations: readonly Operation[]
  readonly isVoice: (id: string) => boolean
  /** Beyond the operations: where signed uploads go. */
  readonly routes: RequestHandler | Router
  /** The OpenAPI document of the operations, as they are decided. */
  readonly openapi: JsonDocument
}

import { Router, type RequestHandler } from 'express'
import type { Callbacks } from './alternate/callbacks.ts'
import { catalogOperations, findVoice as findAlternateVoice } from './alternate/catalog.ts'
import { alternateDialect } from './alternate/dialect.ts'
import { videoOperations as alternateVideos } from './alternate/videos.ts'
import type { Dialect } from './http/answer.ts'
import type { Operation } from './http/call.ts'
import { alternateDocument } from './openapi/alternate.ts'
import type { JsonDocument } from './openapi/document.ts'
import { primaryDocument } from './openapi/primary.ts'
import { primaryDialect } from './primary/dialect.ts'
import { hostingRoutes } from './primary/hosting.ts'
import { createOnce } from './primary/idempotency.ts'
import { jobOperations } from './primary/jobs.ts'
import { puppetOperations } from './primary/puppets.ts'
import { speechOperations } from './primary/speech.ts'
import { uploadOperations } from './primary/uploads.ts'
import { usageOperations } from './primary/usage.ts'
import { videoOperations as primaryVideos } from './primary/videos.ts'
import { findVoice as findPrimaryVoice, voiceOperations } from './primary/voices.ts'
import type { Interface } from './state.ts'
import type { World } from './world.ts'

/** One contract, as a server needs it. */
export interface Service {
  readonly dialect: Dialect
  readonly operations: readonly Operation[]
  readonly isVoice: (id: string) => boolean
  /** Beyond the operations: where signed uploads go. */
  readonly routes: RequestHandler
  /** The OpenAPI document of the operations, as they are decided. */
  readonly openapi: JsonDocument
}
export type Services = Readonly<Record<Interface, Service>>

/** Both contracts: their operations, dialects and OpenAPI documents. */
export const servicesOf = (world: World, callbacks: Callbacks): Services => {
  const { decisions } = world
  const once = createOnce(world)
  const primary: Operation[] = [
    ...voiceOperations,
    ...puppetOperations(world, once),
    ...speechOperations(world),
    ...uploadOperations(world, once),
    ...usageOperations(world),
    ...primaryVideos(world, once),
    ...jobOperations(world),
  ]
  const alternate = [...alternateVideos(world, callbacks), ...catalogOperations]
  return {
    primary: {
      dialect: primaryDialect(decisions),
      operations: primary,
      isVoice: (id) => findPrimaryVoice(id) !== undefined,
      routes: hostingRoutes(world),
      openapi: primaryDocument(decisions, primary),
    },
    alternate: {
      dialect: alternateDialect(decisions),
      operations: alternate,
      isVoice: (id) => findAlternateVoice(id) !== undefined,
      routes: Router(),
      openapi: alternateDocument(decisions, alternate),
    },
  }
}

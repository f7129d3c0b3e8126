import { Router, type RequestHandler } from 'express'
import {
  type Callbacks,
  catalogOperations,
  findVoice as findAlternateVoice,
  alternateDialect,
  videoOperations as alternateVideos,
} from './alternate/videos.ts'
import type { Dialect, Operation } from './http/answer.ts'
import { alternateDocument } from './openapi/alternate.ts'
import type { JsonDocument } from './openapi/document.ts'
import { primaryDocument } from './openapi/primary.ts'
import { primaryDialect, createOnce } from './primary/dialect.ts'
import { hostingRoutes, speechOperations, uploadOperations } from './primary/audio.ts'
import { jobOperations, videoOperations as primaryVideos } from './primary/videos.ts'
import { puppetOperations, findVoice as findPrimaryVoice, voiceOperations } from './primary/catalog.ts'
import { usageOperations } from './primary/account.ts'
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

import type { Schema } from '../../api.ts'
import { may, type Session } from '../../session.ts'

/** An operator sees whose it is. */
export type Endpoint = Schema<'WebhookEndpoint'> & { client?: string }
export type EndpointDetail = Schema<'WebhookEndpointDetail'> & { client?: string }
export type Delivery = Schema<'Delivery'> & { client?: string }
export type DeliveryDetail = Schema<'DeliveryWithAttempts'> & { client?: string }
export type EventType = Endpoint['events'][number]

export const EVENT_TYPES = [
  ['video.queued', 'video.queued', 'The gateway accepted it'],
  ['video.processing', 'video.processing', 'The backend is making it'],
  ['video.progress', 'video.progress', 'It made progress; at most one event in five seconds'],
  ['video.completed', 'video.completed', 'It is done'],
  ['video.failed', 'video.failed', 'It failed'],
  ['video.canceled', 'video.canceled', 'You canceled it'],
  ['quota.warning', 'quota.warning', 'You used 80 or 100 % of a monthly limit'],
] as const satisfies readonly (readonly [EventType, string, string])[]
export const USUAL_EVENTS: readonly EventType[] = ['video.completed', 'video.failed', 'video.canceled']

/** Operators read everybody's endpoints; changing one is up to its own client. */
export const isOwn = (session: Session, { client }: { client?: string }): boolean =>
  client === undefined || client === session.client
export const mayChange = (session: Session, of: { client?: string }): boolean =>
  isOwn(session, of) && may(session, 'webhooks:write')

const REASONS: Readonly<Record<NonNullable<Endpoint['disabled_reason']>, string>> = {
  client: 'its client disabled it',
  gone: 'it answered 410',
  failures: '100 attempts failed in a row',
  failing: 'all attempts failed for 120 hours',
}
export const whyDisabled = ({ disabled_reason: reason }: Endpoint): string => (reason === null ? '' : REASONS[reason])

export const nameOf = ({ description, url }: Endpoint): string => description ?? url

export const endpointPath = (id: string): string => `/console/webhooks/${id}`
export const deliveryPath = (id: string): string => `/console/webhooks/deliveries/${id}`
export const DELIVERIES = '/console/webhooks/deliveries'

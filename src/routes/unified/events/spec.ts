import { COMPLETED, exampleEvent, listOfOne } from '../../openapi/examples.ts'
import { DELIVERY, EVENT } from '../../openapi/webhook-examples.ts'
import { json, operations } from '../../openapi/operation.ts'
import { StreamEventsQuery } from '../queries.ts'
import { ListDeliveriesQuery, ListEventsQuery } from '../webhooks/input.ts'

export const EVENT_OPERATIONS = operations('Webhooks', {
  streamEvents: {
    at: ['get', '/unified/v1/events/stream'],
    summary: 'Follow all your videos',
    description:
      'Server-sent events: all that happens to your videos, webhook or not, in order; `data:` is the body that a webhook has, and `id:` begins with its `webhook-id` and a dot. From now on, or after `Last-Event-ID`, each event once. A comment every 15 seconds keeps the line open. Where events after that id are kept no more (`retention_days`), the first event is `stream.gap`, without an id, and the oldest that is kept comes next.',
    scope: 'webhooks:read',
    query: StreamEventsQuery,
    requestHeaders: ['Last-Event-ID'],
    answers: {
      200: {
        description: 'Events, until you hang up.',
        raw: {
          mediaType: 'text/event-stream',
          example: `retry: 3000\n\nid: evt_6f2c1d0b9a8e7f6a5b4c3d2e1f.q2h0xGkLrJmZ8w4Tz1VbN5sYc7dx\nevent: video.completed\ndata: {"type":"video.completed","timestamp":"2026-11-20T10:00:00.000Z","data":{"id":"${COMPLETED.id}","object":"video","status":"completed"}}\n\n: heartbeat\n`,
        },
      },
    },
    problems: ['invalid_cursor'],
  },
  listEvents: {
    at: ['get', '/unified/v1/events'],
    summary: 'List events',
    description: 'Of all your videos and endpoints, newest first, whether anybody was sent them or not. Kept 30 days.',
    scope: 'webhooks:read',
    query: ListEventsQuery,
    answers: { 200: json('A page.', 'EventList', listOfOne(EVENT)) },
    problems: ['invalid_cursor'],
  },
  getEvent: {
    at: ['get', '/unified/v1/events/{id}'],
    summary: 'Read an event',
    scope: 'webhooks:read',
    answers: { 200: json('What was sent.', 'Event', { ...EVENT, data: exampleEvent('video.completed').data }) },
    problems: ['event_not_found'],
  },
  redeliverEvent: {
    at: ['post', '/unified/v1/events/{id}/redeliver'],
    summary: 'Send an event once more',
    description:
      'Under the same id, to the targets that it was owed to and the endpoints that want it now, those that are disabled aside; streams of events tell it once more. A retry that is pending is canceled: this one starts anew. Each delivery counts towards the 20,000 that you may have sent once more in an hour: beyond it 429.',
    scope: 'webhooks:write',
    answers: {
      202: json('It will be sent.', 'Redelivery', {
        object: 'redelivery',
        event_id: EVENT.id,
        deliveries: [DELIVERY.id],
      }),
    },
    problems: ['event_not_found'],
  },
  listDeliveries: {
    at: ['get', '/unified/v1/deliveries'],
    summary: 'List deliveries',
    description: 'One for each event and target, newest first.',
    scope: 'webhooks:read',
    query: ListDeliveriesQuery,
    answers: { 200: json('A page.', 'DeliveryList', listOfOne(DELIVERY)) },
    problems: ['invalid_cursor'],
  },
  getDelivery: {
    at: ['get', '/unified/v1/deliveries/{id}'],
    summary: 'Read a delivery',
    description: 'With its attempts, and what was answered to them.',
    scope: 'webhooks:read',
    answers: {
      200: json('As it is now.', 'DeliveryWithAttempts', {
        ...DELIVERY,
        attempts: [
          {
            at: '2026-11-20T12:00:41.120Z',
            duration_ms: 38,
            status: 204,
            error: null,
            response_body: '',
            next_attempt_at: null,
          },
        ],
      }),
    },
    problems: ['delivery_not_found'],
  },
})

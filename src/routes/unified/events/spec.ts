import { COMPLETED, exampleEvent, listOfOne } from '../../openapi/examples.ts'
import { ATTEMPT, DELIVERY, EVENT, SENT_REQUEST } from '../../openapi/webhook-examples.ts'
import { json, operations } from '../../openapi/operation.ts'
import { StreamEventsQuery } from '../queries.ts'
import { ListDeliveriesQuery, ListEventsQuery } from '../webhooks/input.ts'

export const EVENT_OPERATIONS = operations('Webhooks', {
  streamEvents: {
    at: ['get', '/unified/v1/events/stream'],
    summary: 'Follow all your videos',
    description:
      'A stream of server-sent events: every event of your videos, in order, with or without a webhook. `data:` is the body of the webhook. `id:` begins with its `webhook-id` and a dot. The stream starts now, or after `Last-Event-ID`, and sends each event one time. A comment every 15 seconds keeps the connection open.\n\nThe gateway keeps events for `retention_days`. If some after your `Last-Event-ID` may be gone, the first event is `stream.gap`, without an id. Then comes the oldest event that is kept.',
    scope: 'webhooks:read',
    query: StreamEventsQuery,
    requestHeaders: ['Last-Event-ID'],
    answers: {
      200: {
        description: 'Events, until you close the connection.',
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
    description:
      'Lists the events of all your videos and endpoints, newest first, also those that were sent to nobody. The gateway keeps them for 30 days.',
    scope: 'webhooks:read',
    query: ListEventsQuery,
    answers: { 200: json('A page.', 'EventList', listOfOne(EVENT)) },
    problems: ['invalid_cursor'],
  },
  getEvent: {
    at: ['get', '/unified/v1/events/{id}'],
    summary: 'Read an event',
    scope: 'webhooks:read',
    answers: {
      200: json('The event, with the data that was sent.', 'Event', {
        ...EVENT,
        data: exampleEvent('video.completed').data,
      }),
    },
    problems: ['event_not_found'],
  },
  redeliverEvent: {
    at: ['post', '/unified/v1/events/{id}/redeliver'],
    summary: 'Resend an event',
    description:
      'Sends the event again under the same id: to its first targets, and to the endpoints that subscribe to it now. Disabled endpoints get nothing. Streams repeat the event too. A retry that waits is canceled, because this delivery starts again. You may resend 20,000 deliveries an hour; more get 429.',
    scope: 'webhooks:write',
    answers: {
      202: json('The event will be sent.', 'Redelivery', {
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
    description: 'Lists one delivery for each event and target, newest first.',
    scope: 'webhooks:read',
    query: ListDeliveriesQuery,
    answers: { 200: json('A page.', 'DeliveryList', listOfOne(DELIVERY)) },
    problems: ['invalid_cursor'],
  },
  getDelivery: {
    at: ['get', '/unified/v1/deliveries/{id}'],
    summary: 'Read a delivery',
    description: 'Shows its attempts, what the gateway sent, and what the receiver answered.',
    scope: 'webhooks:read',
    answers: {
      200: json('As it is now.', 'DeliveryWithAttempts', {
        ...DELIVERY,
        request: SENT_REQUEST,
        attempts: [ATTEMPT],
      }),
    },
    problems: ['delivery_not_found'],
  },
})

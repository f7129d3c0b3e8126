import { ATTEMPT, DELIVERY, ENDPOINT, EVENT, SENT_REQUEST } from '../../openapi/webhook-examples.ts'
import { COMPLETED, listOfOne } from '../../openapi/examples.ts'
import { json, operations } from '../../openapi/operation.ts'
import { StreamEventsQuery } from '../queries.ts'
import { AdminDeliveriesQuery, AdminEndpointsQuery, AdminEventsQuery } from './queries.ts'

const whose = { client: 'acme' }

export const ADMIN_READ_OPERATIONS = operations('Administration', {
  listAdminEvents: {
    at: ['get', '/unified/v1/admin/events'],
    summary: 'List the events of all clients',
    description: 'Lists the events of all clients, or of one `client`, newest first. Each is as its client sees it.',
    scope: 'admin',
    query: AdminEventsQuery,
    answers: { 200: json('A page.', 'AdminEventList', listOfOne({ ...EVENT, ...whose })) },
    problems: ['invalid_cursor'],
  },
  streamAdminEvents: {
    at: ['get', '/unified/v1/admin/events/stream'],
    summary: 'Follow the videos of all clients',
    description:
      'Works like `GET /events/stream`, for all clients: `client` in `data:` names the owner. Events of one video come in order. Events of different videos come almost in order.',
    scope: 'admin',
    query: StreamEventsQuery,
    requestHeaders: ['Last-Event-ID'],
    answers: {
      200: {
        description: 'Events, until you close the connection.',
        raw: {
          mediaType: 'text/event-stream',
          example: `retry: 3000\n\nid: ${EVENT.id}.q2h0xGkLrJmZ8w4Tz1VbN5sYc7dx\nevent: video.completed\ndata: {"client":"acme","type":"video.completed","timestamp":"2026-11-20T10:00:00.000Z","data":{"id":"${COMPLETED.id}","object":"video","status":"completed"}}\n\n: heartbeat\n`,
        },
      },
    },
    problems: ['invalid_cursor'],
  },
  redeliverAdminEvent: {
    at: ['post', '/unified/v1/admin/events/{id}/redeliver'],
    summary: 'Resend an event of any client',
    description:
      "Works like redeliverEvent, to the targets of the event's client. It counts towards what that client may resend in an hour. The audit log records it.",
    scope: 'admin',
    answers: {
      202: json('The event will be sent.', 'Redelivery', {
        object: 'redelivery',
        event_id: EVENT.id,
        deliveries: [DELIVERY.id],
      }),
    },
    problems: ['event_not_found'],
  },
  listAdminDeliveries: {
    at: ['get', '/unified/v1/admin/deliveries'],
    summary: 'List the deliveries of all clients',
    description:
      'Lists the deliveries of all clients, or of one `client`, newest first. `status=failed` shows what did not arrive.',
    scope: 'admin',
    query: AdminDeliveriesQuery,
    answers: { 200: json('A page.', 'AdminDeliveryList', listOfOne({ ...DELIVERY, ...whose })) },
    problems: ['invalid_cursor'],
  },
  getAdminDelivery: {
    at: ['get', '/unified/v1/admin/deliveries/{id}'],
    summary: 'Read a delivery of any client',
    description: 'Shows its attempts, and what the receiver answered.',
    scope: 'admin',
    answers: {
      200: json('As it is now.', 'AdminDeliveryWithAttempts', {
        ...DELIVERY,
        ...whose,
        request: SENT_REQUEST,
        attempts: [ATTEMPT],
      }),
    },
    problems: ['delivery_not_found'],
  },
  listAdminEndpoints: {
    at: ['get', '/unified/v1/admin/endpoints'],
    summary: 'List the webhook endpoints of all clients',
    description: 'Lists the endpoints of all clients, or of one `client`, newest first. No answer shows a secret.',
    scope: 'admin',
    query: AdminEndpointsQuery,
    answers: { 200: json('A page.', 'AdminEndpointList', listOfOne({ ...ENDPOINT, ...whose })) },
    problems: ['invalid_cursor'],
  },
  getAdminEndpoint: {
    at: ['get', '/unified/v1/admin/endpoints/{id}'],
    summary: 'Read a webhook endpoint of any client',
    description: 'Shows the endpoint, with the number of deliveries that wait. No answer shows a secret.',
    scope: 'admin',
    answers: { 200: json('As it is now.', 'AdminEndpointDetail', { ...ENDPOINT, ...whose, pending: 0 }) },
    problems: ['endpoint_not_found'],
  },
})

import { invalidOption } from './error.ts'
import {
  apiPromise,
  keyed,
  listing,
  newIdempotencyKey,
  type ApiPromise,
  type KeyedOptions,
  type Listing,
  type Raw,
} from './raw.ts'
import type { components } from './schema.d.ts'
import { addHeaders, send, type CallOptions, type Connection } from './send.ts'
import type { QueryOf, Schema, StreamEvent, Upload } from './types.ts'
import type { StreamFilter, Videos } from './videos.ts'

type Answered<Name extends keyof components['schemas']> = ApiPromise<Schema<Name>>

export interface Voices {
  list(query?: QueryOf<'listVoices'>, options?: CallOptions): Listing<Schema<'Voice'>>
}

export interface Puppets {
  create(puppet: Schema<'CreatePuppet'>, options?: KeyedOptions): Answered<'Puppet'>
  list(query?: QueryOf<'listPuppets'>, options?: CallOptions): Listing<Schema<'Puppet'>>
  get(id: string, options?: CallOptions): Answered<'Puppet'>
  /** Only one that you made through this gateway: another is `not_owner`. */
  delete(id: string, options?: CallOptions): ApiPromise<undefined>
}

export interface SendOptions extends KeyedOptions {
  /** Such as `audio/mpeg`. Default: the type of the `Blob`. */
  contentType?: Schema<'CreateUpload'>['content_type'] | undefined
  /** Refuse the upload if no video could be made with it now. */
  requireVideoReadiness?: boolean | undefined
}

export interface Uploads {
  /** Reserves an upload. You then PUT the file to its `upload_url`, with its `headers`. */
  create(upload: Schema<'CreateUpload'>, options?: KeyedOptions): ApiPromise<Upload>
  /** Reserves an upload and sends the file, at most 52,428,800 bytes: give the `id` to `videos.create` as `upload_id`. */
  send(file: Blob | Uint8Array | ArrayBuffer, options?: SendOptions): Promise<Upload>
}

export interface WebhookEndpoints {
  /** Its `secret` signs the events. Keep it: later answers do not show it. */
  create(body: Schema<'CreateWebhookEndpoint'>, options?: CallOptions): Answered<'WebhookEndpointWithSecret'>
  list(query?: QueryOf<'listWebhookEndpoints'>, options?: CallOptions): Listing<Schema<'WebhookEndpoint'>>
  get(id: string, options?: CallOptions): Answered<'WebhookEndpointDetail'>
  update(id: string, changes: Schema<'UpdateWebhookEndpoint'>, options?: CallOptions): Answered<'WebhookEndpoint'>
  delete(id: string, options?: CallOptions): ApiPromise<undefined>
  rotateSecret(id: string, body?: Schema<'RotateSecret'>, options?: CallOptions): Answered<'WebhookEndpointWithSecret'>
  /** Sends one event to it now. */
  test(id: string, options?: CallOptions): Answered<'WebhookTest'>
  /** Sends past events to it again. */
  replay(id: string, events: Schema<'ReplayEvents'>, options?: CallOptions): Answered<'Replay'>
}

export interface Events {
  list(query?: QueryOf<'listEvents'>, options?: CallOptions): Listing<Schema<'Event'>>
  get(id: string, options?: CallOptions): Answered<'Event'>
  /** Sends it again, to its first targets and to the endpoints that subscribe to it now. */
  redeliver(id: string, options?: CallOptions): Answered<'Redelivery'>
  /** Every event of all your videos, without end. */
  stream(filter?: StreamFilter, options?: CallOptions): AsyncIterable<StreamEvent>
}

export interface Resources {
  voices: Voices
  puppets: Puppets
  uploads: Uploads
  webhookEndpoints: WebhookEndpoints
  events: Events
}

export const createResources = (connection: Connection, raw: Raw, videos: Videos): Resources => {
  const { GET, POST, PATCH, DELETE } = raw
  const of = (id: string, options?: CallOptions) => ({ ...options, params: { path: { id } } })
  const create: Uploads['create'] = (body, options) =>
    apiPromise(() => POST('/unified/v1/uploads', { ...keyed(options), body }))
  return {
    voices: {
      list: (query, options) =>
        listing(query, (query) => apiPromise(() => GET('/unified/v1/voices', { ...options, params: { query } }))),
    },
    puppets: {
      create: (body, options) => apiPromise(() => POST('/unified/v1/puppets', { ...keyed(options), body })),
      list: (query, options) =>
        listing(query, (query) => apiPromise(() => GET('/unified/v1/puppets', { ...options, params: { query } }))),
      get: (id, options) => apiPromise(() => GET('/unified/v1/puppets/{id}', of(id, options))),
      delete: (id, options) => apiPromise(() => DELETE('/unified/v1/puppets/{id}', of(id, options))),
    },
    uploads: {
      create,
      async send(
        file,
        { contentType, requireVideoReadiness = false, idempotencyKey = newIdempotencyKey(), ...options } = {},
      ) {
        const body = file instanceof Blob ? file : new Blob([file as Uint8Array<ArrayBuffer>])
        const type = contentType ?? body.type
        if (type === '') throw invalidOption('contentType: give the type of the audio, such as audio/mpeg')
        // The gateway refuses what is none of its types.
        const content_type = type as Schema<'CreateUpload'>['content_type']
        const wanted = { content_type, size_bytes: body.size, require_video_readiness: requireVideoReadiness }
        const upload = await create(wanted, { ...options, idempotencyKey })
        await send(connection, {
          // Signed: it needs no key, and the storage is another host.
          url: upload.upload_url,
          method: upload.method,
          headers: addHeaders(new Headers(), upload.headers),
          options,
          body,
          isOfStorage: true,
          isRepeatable: true,
          redirect: 'follow',
        })
        return upload
      },
    },
    webhookEndpoints: {
      create: (body, options) => apiPromise(() => POST('/unified/v1/webhook_endpoints', { ...options, body })),
      list: (query, options) =>
        listing(query, (query) =>
          apiPromise(() => GET('/unified/v1/webhook_endpoints', { ...options, params: { query } })),
        ),
      get: (id, options) => apiPromise(() => GET('/unified/v1/webhook_endpoints/{id}', of(id, options))),
      update: (id, body, options) =>
        apiPromise(() => PATCH('/unified/v1/webhook_endpoints/{id}', { ...of(id, options), body })),
      delete: (id, options) => apiPromise(() => DELETE('/unified/v1/webhook_endpoints/{id}', of(id, options))),
      rotateSecret: (id, body = {}, options) =>
        apiPromise(() => POST('/unified/v1/webhook_endpoints/{id}/rotate_secret', { ...of(id, options), body })),
      test: (id, options) => apiPromise(() => POST('/unified/v1/webhook_endpoints/{id}/test', of(id, options))),
      replay: (id, body, options) =>
        apiPromise(() => POST('/unified/v1/webhook_endpoints/{id}/replay', { ...of(id, options), body })),
    },
    events: {
      list: (query, options) =>
        listing(query, (query) => apiPromise(() => GET('/unified/v1/events', { ...options, params: { query } }))),
      get: (id, options) => apiPromise(() => GET('/unified/v1/events/{id}', of(id, options))),
      redeliver: (id, options) => apiPromise(() => POST('/unified/v1/events/{id}/redeliver', of(id, options))),
      stream: videos.stream,
    },
  }
}

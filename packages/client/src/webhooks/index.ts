export { expressHandler, fetchHandler, type NodeRequest, type NodeResponse, type ReceiverOptions } from './handlers.ts'
export { verify, type RawBody, type Secrets, type WebhookHeaders } from './verify.ts'

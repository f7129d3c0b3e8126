import type { HostedUpload } from '../core/adapter.ts'
import type { Clock } from '../core/time/clock.ts'
import type { NewId } from '../core/ids.ts'
import type { Store } from '../core/store/index.ts'
import { unsignedUrl, type UploadLookup, type UploadRecord } from '../core/media.ts'
import { keyOf, type Keyed } from './keyed.ts'
import { pick, type Caller } from './pick.ts'

interface UploadsDeps {
  store: Pick<Store, 'made' | 'uploadOf'>
  clock: Clock
  newId: NewId
  keyed: Keyed
  defaultBackend: string
}

export interface CreateUpload {
  /** Method and path, for the scope of its key. */
  operation: string
  contentType: string
  sizeBytes: number
  requireVideoReadiness: boolean
}

interface CreatedUpload {
  upload: UploadRecord
  /** Signed now. */
  hosted: HostedUpload
  replayed: boolean
}

/** Places for a client's own audio. The file goes straight from the client to the backend's storage. */
export const createUploads = ({ store, clock, newId, keyed, defaultBackend }: UploadsDeps) => ({
  /** Reserves a place, or finds the one that this key reserved and has it signed anew. */
  async create(
    { client, visible }: Caller,
    request: CreateUpload,
    idempotencyKey: string | null,
  ): Promise<CreatedUpload> {
    const { operation, contentType, sizeBytes, requireVideoReadiness } = request
    const key = keyOf(client, operation, idempotencyKey, { contentType, sizeBytes, requireVideoReadiness })
    const route = () => pick({ capability: 'uploads', what: 'host audio', pin: null }, visible, defaultBackend)
    const attempt = await keyed.begin(key, visible, route, () => newId('upl'))
    const { backend, replayed } = attempt
    const { adapter, id: account } = backend.account
    // Said only where it is wanted: to some it may be one more thing to refuse.
    const asked = { contentType, sizeBytes, requireVideoReadiness: requireVideoReadiness || null }
    const hosted = await keyed.send(attempt, (outboundKey) => adapter.createUpload(asked, outboundKey))
    const id = attempt.resource ?? newId('upl')
    const known = replayed ? await store.uploadOf(client, id) : null
    const upload: UploadRecord = {
      id,
      client,
      account,
      backend: backend.name,
      contentType,
      sizeBytes,
      audioUrl: hosted.audioUrl,
      createdAtMs: known?.createdAtMs ?? clock.now(),
    }
    await store.made({ kind: 'upload', record: upload }, key)
    return { upload, hosted, replayed }
  },
})

/** How a create finds the upload that it names: by indexed reads alone. */
export const createUploadLookup = (store: Pick<Store, 'uploadOf' | 'uploadAt'>): UploadLookup => ({
  byId: (client, id) => store.uploadOf(client, id),
  async byUrl(client, audioUrl) {
    const upload = await store.uploadAt(client, unsignedUrl(audioUrl))
    if (!upload) return { kind: 'unknown' }
    return upload.client === client ? { kind: 'own', upload } : { kind: 'foreign' }
  },
})

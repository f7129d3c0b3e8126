import { createHash } from 'node:crypto'
import type { RecordedRequest, Script, ScriptedBackend } from '../fakes/backend.ts'

const JSON_OF = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>
const refusal = (status: number, error: string): Script => ({ status, body: { error, message: 'no' } })

export interface ResourceService {
  puppets: Map<string, { id: string; imageUrl: unknown; name: unknown }>
  /** Places that were reserved, by id. */
  uploads: Map<string, unknown>
  /** Requests of a method whose path starts so. */
  asked(method: string, path: string): RecordedRequest[]
}

/**
 * Makes a scripted backend keep what the primary interface keeps beside videos: keys are honoured (contract,
 * "Idempotency-Key"), and every answer about an upload is signed anew.
 */
export const serveResources = (backend: ScriptedBackend): ResourceService => {
  const puppets: ResourceService['puppets'] = new Map()
  const uploads: ResourceService['uploads'] = new Map()
  const keys = new Map<string, { fingerprint: string; id: string }>()
  let signatures = 0
  let count = 0

  /** What a key made, what it makes now, or a conflict. */
  const once = ({ method, path, headers, body }: RecordedRequest, make: () => string): string | null => {
    const place = `${method} ${path} ${headers['idempotency-key']}`
    const fingerprint = createHash('sha256').update(body).digest('hex')
    const known = keys.get(place)
    if (known) return known.fingerprint === fingerprint ? known.id : null
    const id = make()
    keys.set(place, { fingerprint, id })
    return id
  }

  const createPuppet = (request: RecordedRequest): Script => {
    const { imageUrl, name } = JSON_OF(request.body)
    const before = puppets.size
    const id = once(request, () => {
      count += 1
      const made = `pup_${count}`
      puppets.set(made, { id: made, imageUrl, name })
      return made
    })
    return id === null
      ? refusal(409, 'idempotency_key_conflict')
      : { status: puppets.size > before ? 201 : 200, body: puppets.get(id) }
  }

  const createUpload = (request: RecordedRequest): Script => {
    const id = once(request, () => {
      const made = `a_${uploads.size + 1}`
      uploads.set(made, JSON_OF(request.body))
      return made
    })
    if (id === null) return refusal(409, 'idempotency_key_conflict')
    signatures += 1
    const url = `https://storage.example/${id}.wav`
    return {
      body: {
        upload_url: `${url}?put=${signatures}`,
        read_url: `${url}?read=${signatures}`,
        expires_at: '2036-01-01T00:00:00Z',
      },
    }
  }

  /** A key is forgotten with what it made. */
  const drop = (id: string): Script => {
    for (const [place, made] of keys) if (made.id === id) keys.delete(place)
    return puppets.delete(id) ? { status: 204 } : refusal(404, 'not_found')
  }

  backend.answer((request) => {
    const { method, path } = request
    const puppetId = /^\/api\/v1\/puppets\/([^/?]+)$/.exec(path)?.[1]
    const puppet = puppetId === undefined ? undefined : puppets.get(decodeURIComponent(puppetId))
    switch (`${method} ${path.split('?', 1)[0]}`) {
      case 'GET /api/v1/puppets':
        return { body: { data: [...puppets.values()] } }
      case 'POST /api/v1/puppets':
        return createPuppet(request)
      case `GET /api/v1/puppets/${puppetId}`:
        return puppet ? { body: puppet } : refusal(404, 'not_found')
      case `DELETE /api/v1/puppets/${puppetId}`:
        return drop(puppet?.id ?? '')
      case 'POST /api/v1/uploads/audio-url':
        return createUpload(request)
      case 'POST /api/v1/tts/service':
        return { body: { audio_url: 'https://storage.example/speech.wav?read=1', duration_seconds: 2.5 } }
      case 'GET /api/v1/usage':
        return { body: { credits_remaining: 9, credits_included: 10, video_generation: { can_create: true } } }
      default:
        return refusal(404, 'not_found')
    }
  })
  return {
    puppets,
    uploads,
    asked: (method, path) =>
      backend.requests.filter((request) => request.method === method && request.path.startsWith(path)),
  }
}

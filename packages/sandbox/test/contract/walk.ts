import { expect } from 'vitest'
import type { SandboxOptions } from '../../src/index.ts'
import { IMAGE, type Ask, type Harness, type Reply } from '../harness.ts'
import type { Contract } from './parse.ts'
import { stageNow, type Service } from './stage.ts'
import { createValidator, type Validator } from './validate.ts'

/** A service whose every contract answer is held against the OpenAPI documents of its stage. */
export interface Walk extends Service, Pick<Harness, 'create'> {
  /** Reserves and PUTs a small WAV; answers its read URL. */
  uploaded(key?: string): Promise<string>
  /** Creates a text video that has ended. */
  ended(body?: Record<string, unknown>): Promise<Reply>
}

/** The documents depend on the decisions only: compiled once for each variant. */
const validators = new Map<string, Validator>()

const validatorOf = async (url: string, variant: string): Promise<Validator> => {
  const place = `${variant} ${url.replace(/^.*:\d+/, '')}`
  const known = validators.get(place)
  if (known) return known
  const document: unknown = await (await fetch(url)).json()
  const made = createValidator(typeof document === 'object' && document !== null ? { ...document } : {})
  validators.set(place, made)
  return made
}

export const walk = async (options: Partial<SandboxOptions> = {}): Promise<Walk> => {
  const service = await stageNow()(options)
  const variant = options.variant ?? 'standard'
  const checked = async (name: Contract): Promise<Harness['primary']> => {
    const validate = await validatorOf(service.documents[name], variant)
    return async (path: string, asked: Ask = {}) => {
      const reply = await service[name](path, asked)
      const method = asked.method ?? (asked.body === undefined ? 'GET' : 'POST')
      // A body written as text is meant to be odd: only its answer is held against the document.
      const sent = typeof asked.body === 'string' ? undefined : asked.body
      validate({ method, path: path.split('?')[0] ?? '', sent, reply })
      return reply
    }
  }
  const primary = await checked('primary')
  const alternate = await checked('alternate')
  const create: Harness['create'] = (body = {}, headers = {}) =>
    primary('/api/v1/videos/text', { body: { image_url: IMAGE, text: 'Hello there', ...body }, headers })
  return {
    ...service,
    primary,
    alternate,
    create,
    uploaded: async (key) => {
      const asked = key === undefined ? {} : { key }
      const body = { mime_type: 'audio/wav', content_length: WAV.length }
      const reserved = await primary('/api/v1/uploads/audio-url', { body, ...asked })
      expect(reserved.status, reserved.text).toBe(200)
      await putAudio(String(reserved.body['upload_url']), WAV)
      return String(reserved.body['read_url'])
    },
    ended: async (body) => {
      const made = await create(body)
      await service.clock.advance(HOUR_MS)
      return primary(String(made.body['status_url']))
    },
  }
}

export const HOUR_MS = 3_600_000

/** One second of silence. */
export const WAV: Buffer = (() => {
  const file = Buffer.alloc(44 + 32_000)
  file.write('RIFF', 0)
  file.writeUInt32LE(36 + 32_000, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(16_000, 24)
  file.writeUInt32LE(32_000, 28)
  file.writeUInt16LE(2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36)
  file.writeUInt32LE(32_000, 40)
  return file
})()

export const putAudio = (url: string, data: Buffer, type = 'audio/wav'): Promise<Response> =>
  fetch(url, { method: 'PUT', body: new Uint8Array(data), headers: { 'content-type': type } })

/** Asserts status and error code together, so that a failure shows both. */
export const expectError = (reply: Reply, status: number, error: string): void =>
  expect([reply.status, reply.body['error']]).toEqual([status, error])

/** The object at `path` of a body; empty when there is none. */
export const at = (value: unknown, ...path: readonly (string | number)[]): Record<string, unknown> => {
  let inner: unknown = value
  for (const step of path) inner = Object.entries(Object(inner)).find(([name]) => name === String(step))?.[1]
  return { ...Object(inner) }
}

/** The body's (or object's) list under `name`. */
export const listAt = (value: Record<string, unknown>, name: string): Record<string, unknown>[] => {
  const list = value[name]
  return Array.isArray(list) ? list.map((item) => ({ ...item })) : []
}

import { z } from 'zod'
import { AUDIO_TYPES, MAX_AUDIO_BYTES } from '../../../core/api/resources.ts'
import type { JsonSchema } from '../../openapi/json-schema.ts'
import { DocumentedAs } from '../../parse.ts'
import { GROUPS } from './names.ts'

/** What is sent to `/api/v1`: the alias groups of the primary contract, one name of each required group. */

interface Group {
  /** The first is the name that the others are aliases of. */
  names: readonly string[]
  required?: true
  schema: JsonSchema
}

const STRING = { type: 'string' }
const URL_OF = (description: string): JsonSchema => ({ type: 'string', format: 'uri', description })

const IMAGE: Group = {
  names: GROUPS.image_url,
  required: true,
  schema: URL_OF('HTTPS URL of the portrait'),
}
const KEY: Group = {
  names: GROUPS.idempotency_key,
  schema: { type: 'string', minLength: 1, maxLength: 200, description: 'Instead of the header Idempotency-Key' },
}
const EXPRESSIVENESS: Group = {
  names: ['expressiveness'],
  schema: { type: 'number', description: 'Scale of the motion' },
}
/** The one field that the contract does not have. */
const WEBHOOK: Group = {
  names: ['webhook_url'],
  schema: URL_OF("The gateway's own addition: where the signed events of this video go (Standard Webhooks)"),
}

const schemaOf = ({ names, schema }: Group): [string, JsonSchema][] => {
  const [first] = names
  return names.map((name) => {
    const alias = { ...schema, description: `Alias of \`${first}\`: equal if both are given` }
    return [name, name === first ? schema : alias]
  })
}

/** A closed object of these groups. */
const aliased = (groups: readonly Group[]): z.ZodType => {
  const required = groups.filter((group) => group.required).map(({ names }) => names)
  const single = required.filter(({ length }) => length === 1).flat()
  const choices = required.filter(({ length }) => length > 1)
  return DocumentedAs(z.unknown(), {
    type: 'object',
    properties: Object.fromEntries(groups.flatMap(schemaOf)),
    ...(single.length > 0 && { required: single }),
    additionalProperties: false,
    ...(choices.length > 0 && {
      allOf: choices.map((names) => ({ anyOf: names.map((name) => ({ required: [name] })) })),
    }),
  })
}

export const PRIMARY_BODIES = {
  PrimaryTextVideo: aliased([
    IMAGE,
    { names: GROUPS.text, required: true, schema: { ...STRING, description: 'What is said' } },
    {
      names: GROUPS.voice_id,
      schema: { ...STRING, description: 'Id of a voice; else the service default voice' },
    },
    { names: ['language'], schema: STRING },
    EXPRESSIVENESS,
    KEY,
    WEBHOOK,
  ]),
  PrimaryAudioVideo: aliased([
    IMAGE,
    {
      names: GROUPS.audio_url,
      required: true,
      schema: URL_OF('HTTPS URL of audio that was uploaded through createHostedAudioUploadUrl with the same key'),
    },
    EXPRESSIVENESS,
    KEY,
    WEBHOOK,
  ]),
  PrimaryNewPuppet: aliased([
    { names: ['imageUrl'], required: true, schema: URL_OF('A reachable public portrait image') },
    { names: ['name'], schema: { ...STRING, description: 'Display name' } },
  ]),
  PrimarySpeechText: aliased([
    { names: ['voice_id'], required: true, schema: { ...STRING, description: 'Id of a voice' } },
    { names: ['text'], required: true, schema: STRING },
    { names: ['speed'], schema: { type: 'number', description: 'Multiplier' } },
  ]),
  PrimaryAudioUpload: aliased([
    {
      names: GROUPS.mime_type,
      required: true,
      schema: { type: 'string', enum: AUDIO_TYPES },
    },
    {
      names: GROUPS.content_length,
      required: true,
      schema: { type: 'integer', minimum: 1, maximum: MAX_AUDIO_BYTES, description: 'Size in bytes' },
    },
    KEY,
    {
      names: ['require_video_readiness', 'requireVideoReadiness', 'video_readiness_required', 'videoReadinessRequired'],
      schema: {
        type: 'boolean',
        description: 'Refuse with 402 or 429 if no video could be created now, before anything is reserved',
      },
    },
  ]),
} as const satisfies Record<string, z.ZodType>

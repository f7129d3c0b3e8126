import { z } from 'zod'
import { AUDIO_TYPES, MAX_AUDIO_BYTES } from '../../../core/api/videos.ts'
import type { JsonSchema } from '../../openapi/components.ts'
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
  schema: URL_OF('The HTTPS URL of the portrait'),
}
const KEY: Group = {
  names: GROUPS.idempotency_key,
  schema: { type: 'string', minLength: 1, maxLength: 200, description: 'Replaces the header `Idempotency-Key`' },
}
const EXPRESSIVENESS: Group = {
  names: ['expressiveness'],
  schema: { type: 'number', description: 'The scale of the motion' },
}
/** The one field that the contract does not have. */
const WEBHOOK: Group = {
  names: ['webhook_url'],
  schema: URL_OF('Added by the gateway: where to send the signed events of this video (Standard Webhooks)'),
}

const schemaOf = ({ names, schema }: Group): [string, JsonSchema][] => {
  const [first] = names
  return names.map((name) => {
    const alias = { ...schema, description: `Another name for \`${first}\`. If you give both, they must be equal` }
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
    { names: GROUPS.text, required: true, schema: { ...STRING, description: 'The text to speak' } },
    {
      names: GROUPS.voice_id,
      schema: { ...STRING, description: 'The id of a voice. Default: the default voice of the service' },
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
      schema: URL_OF('The HTTPS URL of audio that you uploaded through createHostedAudioUploadUrl with the same key'),
    },
    EXPRESSIVENESS,
    KEY,
    WEBHOOK,
  ]),
  PrimaryNewPuppet: aliased([
    { names: ['imageUrl'], required: true, schema: URL_OF('The public URL of a portrait') },
    { names: ['name'], schema: { ...STRING, description: 'Display name' } },
  ]),
  PrimarySpeechText: aliased([
    { names: ['voice_id'], required: true, schema: { ...STRING, description: 'The id of a voice' } },
    { names: ['text'], required: true, schema: STRING },
    { names: ['speed'], schema: { type: 'number', description: 'A multiplier of the speed' } },
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
      schema: { type: 'integer', minimum: 1, maximum: MAX_AUDIO_BYTES, description: 'The size in bytes' },
    },
    KEY,
    {
      names: ['require_video_readiness', 'requireVideoReadiness', 'video_readiness_required', 'videoReadinessRequired'],
      schema: {
        type: 'boolean',
        description: 'True: you get 402 or 429 if no video can be created now, and nothing is reserved',
      },
    },
  ]),
} as const satisfies Record<string, z.ZodType>

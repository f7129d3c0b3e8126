import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { isObject, type JsonObject } from './http.ts'
import type { Interface } from './state.ts'
import type { Decisions } from './undecided.ts'

const kindOf = (value: unknown): string => {
  if (value === null || value === undefined) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/**
 * The closed schema of a body that the contract does not show, read off the decision's own answers: so a variant
 * documents itself. A field that only some samples have is optional; `null` beside another type makes it nullable. A
 * sample may be a reference to a schema.
 */
const byExample = (...samples: readonly unknown[]): JsonObject => {
  const kinds = [...new Set(samples.map(kindOf))].toSorted()
  const [kind, ...others] = kinds
  if (others.length > 0) return { anyOf: kinds.map((one) => byExample(...samples.filter((s) => kindOf(s) === one))) }
  if (kind === 'array') return { type: 'array', items: byExample(...samples.flatMap((list) => list)) }
  return kind === 'object' ? objectByExample(...samples.filter(isObject)) : { type: kind }
}

const objectByExample = (...samples: readonly JsonObject[]): JsonObject => {
  const reference = samples.find((sample) => '$ref' in sample)
  if (reference) return reference
  const names = [...new Set(samples.flatMap(Object.keys))]
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => [name, byExample(...samples.filter((s) => Object.hasOwn(s, name)).map((s) => s[name]))]),
    ),
    required: names.filter((name) => samples.every((sample) => Object.hasOwn(sample, name))),
    additionalProperties: false,
  }
}

/** `base` with what `more` adds to it, however deep; lists are joined. */
const merged = (base: unknown, more: unknown): unknown => {
  if (Array.isArray(base) && Array.isArray(more)) return [...base, ...more]
  if (!isObject(base) || !isObject(more)) return more
  const added = Object.entries(more).map(([name, value]) => [name, name in base ? merged(base[name], value) : value])
  return { ...base, ...Object.fromEntries(added) }
}

/** The document of a contract, with its gaps filled. */
const documentOf = (contract: Interface, schemas: JsonObject, paths: JsonObject = {}): unknown => {
  const text = readFileSync(new URL(`./contracts/${contract}.openapi.yaml`, import.meta.url), 'utf8')
  const { 'x-parts': _parts, ...document } = parse(text, { merge: true, maxAliasCount: -1 })
  return merged(document, {
    info: {
      title: `Sandbox of the ${contract} interface`,
      description: 'A local stand-in. What the contract does not show is decided by the sandbox (docs/sandbox.md).',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This sandbox' }],
    paths,
    components: { schemas },
  })
}

const AT = '2026-01-01T00:00:00.000Z'
const URL_SAMPLE = 'https://example.com/x'
const PUPPET = { id: 'puppet_x', name: 'X', imageUrl: URL_SAMPLE, createdAt: AT }
const SPEECH = { id: 'aud_x', audioUrl: URL_SAMPLE, voiceId: 'x', characters: 1, sizeBytes: 1 }
const UPLOAD = {
  id: 'aud_x',
  uploaded: false,
  mimeType: 'audio/wav',
  sizeBytes: 1,
  uploadUrl: URL_SAMPLE,
  uploadExpiresAt: AT,
  readUrl: URL_SAMPLE,
  readExpiresAt: AT,
}
const USAGE = { balance: 10, included: 10, purchased: 0, usedThisMonth: 0, month: '2026-01', checkoutAvailable: false }
const GENERATION = { $ref: '#/components/schemas/VideoGeneration' }

/** `GET /openapi.json` (primary, "Versioning"). */
export const primaryDocument = ({ primary }: Decisions): unknown => {
  const { speed, expressiveness, creditPacks: packs } = primary
  const puppet = primary.puppet(PUPPET)
  const { properties: whyItFailed } = objectByExample(primary.failedFields(true), primary.failedFields(false))
  const readiness = { video_generation: GENERATION, videoGeneration: GENERATION }
  return documentOf('primary', {
    PuppetId: { pattern: primary.puppetIdPattern },
    SpeechText: { maxLength: primary.speechMaxChars },
    Speed: { minimum: speed.min, maximum: speed.max },
    Language: { maxLength: primary.languageMaxChars },
    Expressiveness: { minimum: expressiveness.min, maximum: expressiveness.max },
    Puppet: byExample(puppet),
    PuppetPage: byExample(primary.puppetPage([puppet], 'puppet_x'), primary.puppetPage([puppet], null)),
    Speech: byExample(primary.speech({ ...SPEECH, durationSeconds: 1, expiresAt: AT })),
    Upload: byExample(primary.upload(UPLOAD), primary.upload({ ...UPLOAD, uploaded: true })),
    Usage: byExample(primary.usage({ ...USAGE, packs, readiness })),
    VideoJob: merged(byExample(primary.jobExtras(AT)), {
      properties: merged(whyItFailed, { status: { enum: [primary.failedStatus] } }),
    }),
  })
}

/** `GET /sandbox/openapi-alternate.json`. */
export const alternateDocument = ({ alternate }: Decisions): unknown => {
  const video = { id: 'x', puppetId: 'x', endedAt: AT }
  const created = { $ref: '#/components/responses/CreatedVideo' }
  return documentOf(
    'alternate',
    {
      WebhookUrl: { maxLength: alternate.webhookUrlMaxChars },
      VideoError: byExample(alternate.videoError(true), alternate.videoError(false)),
      Callback: byExample(
        alternate.callback({ ...video, completed: true, downloadUrl: URL_SAMPLE }),
        alternate.callback({ ...video, completed: false, downloadUrl: null }),
      ),
      Error: byExample(alternate.error('code', 'message')),
    },
    { '/v1/videos': { post: { responses: { [alternate.createdStatus]: created } } } },
  )
}

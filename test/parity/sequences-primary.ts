import type { Replies } from './actor.ts'
import type { Chance } from './chance.ts'
import type { Ask } from './exchange.ts'
import { following, get, post, shared, type Script, type Sequence } from './script.ts'
import { IMAGES, PRIMARY_VOICES, STRANGE_IMAGE } from './inputs.ts'
import { WAV } from './wav.ts'
import type { ClientName } from './vocabulary.ts'

const TEXT = '/api/v1/videos/text'

const bodyOf = (chance: Chance, serial: string, more: object = {}): Record<string, unknown> => ({
  image_url: chance.pick(IMAGES),
  text: `${serial} ${chance.pick(['Hello there.', 'Grüße.', 'A longer text, of some sentences. And another one.'])}`,
  ...(chance.happens(0.5) && { voice_id: chance.pick(PRIMARY_VOICES) }),
  ...more,
})

const create = ({ actor }: Script, body: object, key?: string, client: ClientName = 'anna'): Promise<Replies> =>
  actor.ask(client, post(TEXT, body, key), { operation: 'createVideoFromText' })

const jobOf = (made: Replies) => following(made, ['status_url'], get)
const POLL = { operation: 'getVideoJob' }
const pollToEnd = ({ actor }: Script, made: Replies, client: ClientName = 'anna'): Promise<Replies> =>
  actor.pollToEnd(client, jobOf(made), POLL)

/** Create, look at once, poll to the end, replay. */
const wholeLife = async (script: Script): Promise<void> => {
  const { actor, chance, serial } = script
  const body = bodyOf(chance, serial)
  const key = chance.happens(0.7) ? serial : undefined
  const made = await create(script, body, key)
  await actor.ask('anna', jobOf(made), POLL)
  await pollToEnd(script, made)
  if (key !== undefined) await create(script, body, key)
}

/**
 * The file itself. A sandbox that cannot render learns so from the first that is asked for, and tells other lengths from
 * then on: nothing comes after it.
 */
const download = async (script: Script): Promise<void> => {
  const { actor, chance, serial } = script
  const ended = await pollToEnd(script, await create(script, bodyOf(chance, serial)))
  await actor.ask('anna', following(ended, ['video_url'], get), { operation: 'downloadVideo', byBytes: true })
}

/** The magic endings: failures of both kinds, replayed. */
const failing = async (script: Script): Promise<void> => {
  const { chance, serial } = script
  const ending = chance.pick(['[[fail]]', '[[fail-retryable]]'])
  const body = bodyOf(chance, serial, { text: `${serial} ${ending}` })
  const made = await create(script, body, serial)
  await pollToEnd(script, made)
  await create(script, body, serial)
}

/** Status reads that fail on the service for a while. */
const unreadable = async (script: Script): Promise<void> => {
  const { actor, chance, serial } = script
  const trouble = chance.pick(['[[status-502]]', '[[status-504]]'])
  const made = await create(script, bodyOf(chance, serial, { text: `${serial} ${trouble}` }))
  for (let read = 0; read < 3; read += 1) await actor.ask('anna', jobOf(made), { operation: 'readTroubled' })
  await pollToEnd(script, made)
}

const TROUBLES = ['[[unavailable]]', '[[asset-error]]', '[[quota-exceeded]]', '[[no-credits]]', '[[slots-full]]']

/** Refusals that say something of the account; what comes next waits until they say nothing any more. */
const refused = async (script: Script): Promise<void> => {
  const { actor, chance, serial } = script
  const trouble = chance.pick(TROUBLES)
  const operation = `refused${trouble}`
  const body = bodyOf(chance, serial, { text: `${serial} ${trouble}` })
  const made = await actor.ask('anna', post(TEXT, body, serial), { operation })
  await actor.pass(5_000)
  await actor.ask('anna', jobOf(made), { operation: 'readRefused' })
  await actor.pass(180_000)
}

/** An audio video whose audio cannot be checked, as long as it is asked for. */
const unchecked = async ({ actor, chance }: Script): Promise<void> => {
  const audio_url = 'https://example.com/[[audio-check-unavailable]].wav'
  const body = { image_url: chance.pick(IMAGES), audio_url }
  await actor.ask('anna', post('/api/v1/videos/audio', body), { operation: 'refused[[audio-check-unavailable]]' })
}

/** The same key again: same input, other spelling, other input, in the body, beside another. */
const keys = async (script: Script): Promise<void> => {
  const { actor, chance, serial } = script
  const { text, image_url, ...rest } = bodyOf(chance, serial)
  await create(script, { text, image_url, ...rest }, serial)
  await create(script, { script: text, avatarUrl: image_url, ...rest }, serial)
  await create(script, { prompt: text, photo: image_url, ...rest, idempotency_key: serial })
  await create(script, { prompt: text, photo: image_url, ...rest, idempotencyKey: serial }, serial)
  await create(script, { text: `${String(text)} Or not.`, image_url, ...rest }, serial)
  await create(script, { text, image_url, ...rest, idempotencyKey: `${serial}-b` }, serial)
  const audio = { audio_url: 'https://example.com/a.wav', image_url }
  // Another endpoint: a key of its own.
  await actor.ask('anna', post('/api/v1/videos/audio', audio, serial), { operation: 'createVideoFromAudio' })
}

/** Two clients with one key, and each other's videos. */
const strangers = async (script: Script): Promise<void> => {
  const { actor, chance, serial } = script
  const body = bodyOf(chance, serial)
  const hers = await create(script, body, serial, 'anna')
  const his = await create(script, body, serial, 'bert')
  await actor.ask('bert', jobOf(hers), POLL)
  await actor.ask('anna', jobOf(his), POLL)
  await create(script, bodyOf(chance, `${serial} another`), serial, 'bert')
  await pollToEnd(script, his, 'bert')
  await actor.ask('anna', jobOf(his), POLL)
}

const PUPPETS = '/api/v1/puppets'
const puppetOf = (made: Replies, method = 'GET') =>
  following(made, ['id'], (id): Ask => ({ method, path: `${PUPPETS}/${id}` }))

/** The life of a puppet: made, replayed, read, listed page by page, deleted twice. */
const puppets = async ({ actor, chance, serial }: Script): Promise<void> => {
  const body = { imageUrl: chance.pick(IMAGES), ...(chance.happens(0.7) && { name: `Of ${serial}` }) }
  const creating = { operation: 'createPuppet' }
  const made = await actor.ask('anna', post(PUPPETS, body, serial), creating)
  await actor.ask('anna', post(PUPPETS, body, serial), creating)
  await actor.ask('anna', post(PUPPETS, { ...body, name: 'Another' }, serial), creating)
  await actor.ask('anna', puppetOf(made), { operation: 'getPuppet' })
  const limit = chance.pick([1, 2, 3, 5, 100])
  let page = await actor.ask('anna', get(`${PUPPETS}?limit=${limit}`), { operation: 'listPuppets' })
  for (let turned = 0; turned < 2; turned += 1) {
    const next = following(page, ['nextCursor'], (cursor) => get(`${PUPPETS}?limit=${limit}&cursor=${cursor}`))
    page = await actor.ask('anna', next, { operation: 'listPuppets' })
  }
  await actor.ask('anna', puppetOf(made, 'DELETE'), { operation: 'deletePuppet' })
  await actor.ask('anna', puppetOf(made, 'DELETE'), { operation: 'deletePuppet' })
  await actor.ask('anna', puppetOf(made), { operation: 'getPuppet' })
  const again = await actor.ask('anna', post(PUPPETS, body, serial), creating)
  await actor.ask('anna', puppetOf(again, 'DELETE'), { operation: 'deletePuppet' })
}

const UPLOADS = '/api/v1/uploads/audio-url'
const AUDIO_VIDEO = '/api/v1/videos/audio'

const put =
  (type: string, body: Uint8Array) =>
  (path: string): Ask => ({
    method: 'PUT',
    path,
    headers: [['Content-Type', type]],
    authorization: null,
    body,
  })

/** Reserve, replay, use too early, upload, use, replay with another signature, poll. */
const uploads = async (script: Script): Promise<void> => {
  const { actor, chance, serial } = script
  const type = chance.pick(['audio/wav', 'audio/x-wav'])
  const body = { mime_type: type, content_length: WAV.length }
  const reserving = { operation: 'createHostedAudioUploadUrl' }
  const reserved = await actor.ask('anna', post(UPLOADS, body, serial), reserving)
  const again = await actor.ask('anna', post(UPLOADS, { mimeType: type, fileSize: WAV.length }, serial), reserving)
  await actor.ask('anna', post(UPLOADS, { ...body, content_length: WAV.length - 1 }, serial), reserving)
  const image = chance.pick(IMAGES)
  const video = (from: Replies, key?: string) =>
    following(from, ['read_url'], (url) => post(AUDIO_VIDEO, { image_url: image, audio_url: url }, key))
  const creating = { operation: 'createVideoFromAudio' }
  await actor.ask('anna', video(reserved), creating)
  await actor.ask('anna', following(reserved, ['upload_url'], put(type, WAV)), { operation: 'uploadAudio' })
  const made = await actor.ask('anna', video(reserved, serial), creating)
  await actor.ask('anna', video(again, serial), creating)
  await actor.ask('bert', video(reserved), creating)
  await pollToEnd(script, made)
  await actor.ask('anna', post(UPLOADS, body, serial), reserving)
}

/** Speech, which may be the audio of a video. */
const speech = async (script: Script): Promise<void> => {
  const { actor, chance, serial } = script
  const body = { voice_id: chance.pick(PRIMARY_VOICES), text: serial }
  const spoken = await actor.ask('anna', post('/api/v1/tts/service', body), {
    operation: 'createServiceSpeech',
    byBytes: true,
  })
  await actor.ask('anna', following(spoken, ['audio_url'], get), { operation: 'downloadAudio', byBytes: true })
  const video = following(spoken, ['audio_url'], (url) =>
    post(AUDIO_VIDEO, { image_url: chance.pick(IMAGES.slice(0, 1)), audio_url: url }),
  )
  const made = await actor.ask('anna', video, { operation: 'createVideoFromAudio' })
  await pollToEnd(script, made)
}

/** The preview of each voice that the list names. */
const previews = async ({ actor, chance }: Script): Promise<void> => {
  const voices = await actor.ask('anna', get('/api/v1/voices/service'), {
    operation: 'listServiceVoices',
    byBytes: true,
  })
  for (const at of [0, 1, 2]) {
    const place = ['data', String(at * 3 + chance.below(3)), 'preview_url']
    await actor.ask('anna', following(voices, place, get), { operation: 'preview', byBytes: true })
  }
}

/** One of each that is declared and rarely drawn. */
const corners = async ({ actor, chance, serial }: Script): Promise<void> => {
  const body = bodyOf(chance, serial)
  const operation = 'createVideoFromText'
  const create = post(TEXT, body)
  for (const charset of ['iso-8859-1', 'utf8', 'US-ASCII'])
    await actor.ask(
      'anna',
      { ...create, headers: [['Content-Type', `application/json; charset=${charset}`]] },
      { operation },
    )
  await actor.ask('anna', post(TEXT, { ...body, image_url: STRANGE_IMAGE }), { operation })
  await actor.ask('anna', post(TEXT, { ...body, expressiveness: 9 }), { operation })
}

const usage = get('/api/v1/usage')

/** Slots: the third video of two, and what then is told of them. */
const slots = async (script: Script): Promise<void> => {
  const { actor, chance, serial } = script
  const first = await create(script, bodyOf(chance, `${serial} 1`))
  await create(script, bodyOf(chance, `${serial} 2`))
  await actor.ask('anna', usage, { operation: 'getDeveloperApiUsage' })
  await actor.ask('anna', post(TEXT, bodyOf(chance, `${serial} 3`)), { operation: 'createBeyondSlots' })
  const reserving = { mime_type: 'audio/wav', content_length: 10, require_video_readiness: true }
  await actor.ask('anna', post(UPLOADS, reserving), { operation: 'createHostedAudioUploadUrl' })
  await pollToEnd(script, first)
}

/** Credits: ten, and then none. */
const credits = async (script: Script): Promise<void> => {
  const { actor, chance, serial } = script
  for (let count = 0; count < 5; count += 1) {
    await create(script, bodyOf(chance, `${serial} ${count} a`))
    await create(script, bodyOf(chance, `${serial} ${count} b`))
    await actor.pass(120_000)
  }
  await create(script, bodyOf(chance, `${serial} last`))
  await actor.ask('anna', usage, { operation: 'getDeveloperApiUsage' })
}

/** The rate: as many as a minute has, then one more, then the next minute. */
const rate = async ({ actor, chance }: Script): Promise<void> => {
  const asks = [get('/api/v1/voices/service'), get('/api/v1/videos/api_video_unknown'), post(TEXT, {})]
  const operation = 'useUpRate'
  for (let count = 0; count < 12; count += 1) await actor.ask('anna', chance.pick(asks), { operation })
  await actor.ask('bert', chance.pick(asks), { operation })
  await actor.newWindow()
  await actor.ask('anna', chance.pick(asks), { operation })
}

/** An app that shows the voices and the puppets on each page, for ten minutes. */
const pageLoads = async ({ actor }: Script): Promise<void> => {
  for (let minute = 0; minute < 11; minute += 1) {
    for (let load = 0; load < 5; load += 1) {
      await actor.ask('anna', get('/api/v1/voices/service'), { operation: 'listServiceVoices' })
      await actor.ask('anna', get(PUPPETS), { operation: 'listPuppets' })
    }
    await actor.newWindow()
  }
}

/** Reads of a video long after its end: their links have ended since the first one. */
const lateReads = async (script: Script): Promise<void> => {
  const { actor, chance, serial } = script
  const made = await create(script, bodyOf(chance, serial))
  await pollToEnd(script, made)
  for (const laterMs of [75_000, 15_000, 600_000]) {
    await actor.pass(laterMs)
    const read = await actor.ask('anna', jobOf(made), POLL)
    await actor.ask('anna', following(read, ['video_url'], get), { operation: 'downloadVideo', byBytes: true })
  }
}

/** What is wrong with a create is said at once, also while it would have to wait for a slot. */
const wrongWhileFull = async (script: Script): Promise<void> => {
  const { actor, chance, serial } = script
  await actor.ask('anna', get('/api/v1/voices/service'), { operation: 'listServiceVoices' })
  for (const n of [1, 2])
    await create(script, bodyOf(chance, `${serial} ${n}`, { text: `${serial} ${'and so on '.repeat(90)}` }))
  const body = bodyOf(chance, serial, { voice_id: 'nobody' })
  await actor.ask('anna', post(TEXT, body), { operation: 'createVideoFromText' })
  await actor.ask('anna', post(TEXT, { image_url: IMAGES[0], text: '' }), { operation: 'createVideoFromText' })
}

const real = (name: string, play: Sequence['play']): Sequence => ({ ...alone(name, 1, play), isReal: true })

const alone = (name: string, weight: number, play: Sequence['play'], keepsRate = true): Sequence => ({
  ...shared(name, weight, play),
  isAlone: true,
  isLimited: true,
  keepsRate,
})

export const PRIMARY_SEQUENCES: readonly Sequence[] = [
  shared('whole life', 26, wholeLife),
  { ...shared('download', 2, download), isAlone: true },
  shared('failing', 10, failing),
  shared('unreadable', 5, unreadable),
  // What is refused for ever waits for ever, and nothing else of its stage would be sent at once.
  { ...shared('refused', 8, refused), isAlone: true },
  shared('keys', 14, keys),
  shared('strangers', 12, strangers),
  shared('puppets', 14, puppets),
  shared('uploads', 12, uploads),
  shared('speech', 5, speech),
  shared('previews', 3, previews),
  shared('corners', 1, corners),
  { ...shared('unchecked', 1, unchecked), isAlone: true },
  alone('slots', 2, slots),
  alone('credits', 1, credits),
  alone('rate', 3, rate, false),
  real('page loads', pageLoads),
  real('late reads', lateReads),
  real('wrong while full', wrongWhileFull),
]

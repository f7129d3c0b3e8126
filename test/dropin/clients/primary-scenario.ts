/**
 * What a customer of the primary interface does in a day, told by one base URL and one key. The answer is what the
 * customer saw, in words that hold wherever the service runs: whoever stands there must give the same.
 */
import { isMp4 } from './alternate-scenario.ts'
import { PrimaryClient, PrimaryError, type PrimaryJob } from './primary-client.ts'

export interface PrimaryStage {
  baseUrl: string
  apiKey: string
  sleep: (waitMs: number) => Promise<void>
}

const IMAGE = 'https://example.com/anna.png'

/** How a call was refused; `done` where it was not. */
export const refusal = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call
    return 'done'
  } catch (error) {
    if (!(error instanceof PrimaryError)) throw error
    return [error.status, error.code, error.blockCode].filter((word) => word !== null).join(' ')
  }
}

const isWav = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 4) === 'RIFF'

/** The job that a conflict points at, by the headers of the contract ("POST /api/v1/videos/text"). */
const pointsAt = async (call: Promise<unknown>, job: PrimaryJob, baseUrl: string): Promise<boolean> => {
  const error: unknown = await call.catch((thrown: unknown) => thrown)
  if (!(error instanceof PrimaryError)) return false
  const { headers } = error
  return (
    headers.get('location') === new URL(job.statusUrl, baseUrl).href &&
    headers.get('content-location') === headers.get('location') &&
    headers.get('service-operation-id') === job.id &&
    headers.get('x-service-request-id') === job.id
  )
}

/** One film from a text: created, replayed while it is made and after, polled by `status_url`, downloaded. */
export const filmFromText = async (
  stage: PrimaryStage,
  input: { image: string; voice?: string } = { image: IMAGE },
) => {
  const client = new PrimaryClient(stage)
  const body = { image_url: input.image, text: 'Hello there.', voiceId: input.voice }
  // Two of its processes at once: one of them makes the film, and both have it.
  const create = () => client.createFromText(body, 'film-1')
  const [created, replayed] = await Promise.all([create(), create()])
  const otherNames = { portraitUrl: input.image, script: body.text, voice: input.voice, idempotency_key: 'film-1' }
  const renamed = await client.createFromText(otherNames)
  const ended = await client.finish(created)
  const late = await create()
  const conflict = () => client.createFromText({ ...body, text: 'Another text.' }, 'film-1')
  return {
    created: created.httpStatus,
    ended: ended.status,
    again: (await client.job(created.id)).status,
    film: ended.videoUrl !== null && isMp4(await client.download(ended.videoUrl)),
    replays: [replayed, renamed, late].map(({ id }) => id === created.id),
    lateReplay: [late.httpStatus, late.status, late.videoUrl !== null, late.retryAfterSec],
    charged: [created, replayed, late].map(({ creditsRequired }) => creditsRequired),
    conflict: await refusal(conflict()),
    conflictPointsAtTheJob: await pointsAt(conflict(), created, stage.baseUrl),
  }
}

/** A film that fails. The contract shows no word for it: it is neither going on nor completed. */
export const failedFilm = async (stage: PrimaryStage) => {
  const client = new PrimaryClient(stage)
  const ended = await client.finish(await client.createFromText({ photo: IMAGE, prompt: '[[fail]] please' }, 'failing'))
  const replay = await client.createFromText({ photo: IMAGE, prompt: '[[fail]] please' }, 'failing')
  return {
    ended: ended.status === 'completed',
    hint: ended.retryAfterSec,
    film: ended.videoUrl,
    replay: [replay.httpStatus, replay.id === ended.id],
  }
}

/** Speech as a hosted file; the customer's own audio; a film from it, whatever signature its URL carries. */
const filmFromAudio = async (stage: PrimaryStage) => {
  const client = new PrimaryClient(stage)
  const [voice] = await client.voices()
  if (voice === undefined) throw new Error('there is no voice')
  const speech = await client.download(await client.speech({ voice_id: voice.id, text: 'Good morning.', speed: 1 }))
  const pending = await client.reserveUpload('audio/wav', speech.length, 'upload-pending')
  const early = await refusal(client.createFromAudio({ image: IMAGE, audio: pending.readUrl }, 'early'))
  const audioUrl = await client.uploadAudio(Buffer.from(speech), 'audio/wav', 'upload-1')
  const job = await client.createFromAudio({ image: IMAGE, audio_url: audioUrl }, 'film-2')
  const again = await client.reserveUpload('audio/wav', speech.length, 'upload-1')
  const resigned = await client.createFromAudio({ image: IMAGE, audioUrl: again.readUrl }, 'film-2')
  const ended = await client.finish(job)
  return {
    speech: isWav(speech),
    early,
    conflict: await refusal(client.reserveUpload('audio/mpeg', 5_000, 'upload-1')),
    resignedIsTheSame: resigned.id === job.id,
    ended: ended.status,
    film: ended.videoUrl !== null && isMp4(await client.download(ended.videoUrl)),
  }
}

/** Whatever is temporarily unavailable, the customer waits as told and has what it asked for. */
export const patience = async (stage: PrimaryStage) => {
  const client = new PrimaryClient(stage)
  const usage = await client.usage()
  const ended = await client.finish(await client.createFromText({ image: IMAGE, text: 'Hello' }, 'patient'))
  return { usage: Object.keys(usage).length > 0, ended: ended.status }
}

/** The catalogue, the library of puppets, and the account. */
const library = async (stage: PrimaryStage) => {
  const client = new PrimaryClient(stage)
  const voices = await client.voices()
  const [voice] = voices
  const made: { id: string; replayed: boolean }[] = []
  for (const n of [1, 2, 3, 3]) made.push(await client.createPuppet({ imageUrl: IMAGE, name: `P${n}` }, `puppet-${n}`))
  const ids = new Set(made.map(({ id }) => id))
  const all = await client.allPuppets(2)
  const [first = ''] = ids
  const read = await client.puppet(first)
  const conflict = await refusal(client.createPuppet({ imageUrl: IMAGE, name: 'Another' }, 'puppet-1'))
  await client.deletePuppet(first)
  return {
    voices: voices.length,
    preview: voice !== undefined && (await client.preview(voice)).length > 1_000,
    replayed: made.map(({ replayed }) => replayed),
    listed: [...ids].every((id) => all.includes(id)) && all.length === new Set(all).size,
    read: read === first,
    conflict,
    deleted: [(await refusal(client.puppet(first))).slice(0, 3), (await client.allPuppets(100)).includes(first)],
    usage: Object.keys(await client.usage()).length > 0,
  }
}

const NO_JOB = 'api_video_01JZZZZZZZZZZZZZZZZZZZZZZZ'

/** What the service refuses, by the contract's "Error codes seen" and "Status code meanings". */
const refusals = async (stage: PrimaryStage) => {
  const client = new PrimaryClient(stage)
  const stranger = new PrimaryClient({ ...stage, apiKey: 'not-a-key' })
  const missing: unknown = await client.job(NO_JOB).catch((error: unknown) => error)
  if (!(missing instanceof PrimaryError)) throw new Error('a job that is not there was answered')
  const image = { image: IMAGE }
  return {
    missing: await refusal(client.job(NO_JOB)),
    missingNamesTheJob: missing.jobId === NO_JOB && missing.headers.get('x-service-operation-id') === NO_JOB,
    missingPath: missing.statusUrl === `/api/v1/videos/${NO_JOB}`,
    malformed: (await refusal(client.job('vid 1'))).slice(0, 3),
    stranger: (await refusal(stranger.usage())).slice(0, 3),
    noImage: await refusal(client.createFromText({ text: 'Hello' })),
    twoTexts: await refusal(client.createFromText({ ...image, text: 'Hello', script: 'Good bye' })),
    noVoice: await refusal(client.createFromText({ ...image, text: 'Hello', voice: 'sandbox-xx-nobody' })),
    noPicture: await refusal(client.createFromText({ image: 'https://example.com/page.html', text: 'Hello' })),
    twoKeys: (await refusal(client.createFromText({ ...image, text: 'Hi', idempotencyKey: 'one' }, 'two'))).slice(0, 3),
    tooLong: await refusal(client.createFromText({ ...image, text: 'a'.repeat(65_536) })),
    tooLarge: await refusal(client.reserveUpload('audio/wav', 52_428_801, 'too-large')),
    notHosted: await refusal(client.createFromAudio({ ...image, audio: 'https://example.com/own.wav' })),
  }
}

/** What went wrong in a part is what the customer saw of it. */
const seen = <T>(part: Promise<T>): Promise<T | string> => part.catch((error: unknown) => String(error))

/** All of it, by five processes of the customer at once. */
export const primaryDay = async (stage: PrimaryStage) => {
  const [ofText, failed, ofAudio, shelves, refused] = await Promise.all([
    seen(filmFromText(stage)),
    seen(failedFilm(stage)),
    seen(filmFromAudio(stage)),
    seen(library(stage)),
    seen(refusals(stage)),
  ])
  return { filmFromText: ofText, failedFilm: failed, filmFromAudio: ofAudio, library: shelves, refusals: refused }
}

/**
 * What a customer of the alternate interface does in a day, told by one base URL, one key and where its webhooks arrive.
 * The answer is what the customer saw, in words that hold wherever the service runs.
 */
import { AlternateClient, AlternateError, type CreateVideo, type listenForWebhooks } from './alternate-client.ts'

export interface AlternateStage {
  baseUrl: string
  apiKey: string
  sleep: (waitMs: number) => Promise<void>
  receiver: Awaited<ReturnType<typeof listenForWebhooks>>
}

/** The status of a refusal, as the contract shows no codes; `done` where there was none. */
export const refusal = async (call: Promise<unknown>): Promise<number | string> => {
  try {
    await call
    return 'done'
  } catch (error) {
    if (!(error instanceof AlternateError)) throw error
    return error.status
  }
}

export const isMp4 = (bytes: Buffer): boolean => bytes.toString('latin1', 4, 8) === 'ftyp'

/** What the contract shows of a completed video beside its id, status and puppet. */
const TOLD = ['voice_id', 'resolution', 'duration_sec', 'thumbnail_url', 'created_at', 'completed_at']

/** One film: announced at `webhook_url`, read, downloaded by both of its links. */
export const film = async (stage: AlternateStage, input: Pick<CreateVideo, 'puppet_id' | 'voice_id'>) => {
  const client = new AlternateClient(stage)
  const created = await client.create({ ...input, script: 'Good morning.', webhook_url: stage.receiver.url })
  await stage.receiver.named(created.id)
  const ended = await client.finish(created.id)
  const shown = ended.body['download_url']
  return {
    created: created.status,
    ended: ended.status,
    told: TOLD.filter((field) => ended.body[field] !== null),
    sameFields: ['puppet_id', 'voice_id', 'resolution', 'created_at'].map(
      (field) => ended.body[field] === created.body[field],
    ),
    film: isMp4(await client.download(await client.downloadLink(created.id))),
    filmOfTheDetail: typeof shown === 'string' && isMp4(await client.download(shown)),
  }
}

/** Five more, one of which fails, and every way to list them. */
export const list = async (stage: AlternateStage, puppetId: string) => {
  const client = new AlternateClient(stage)
  const before = (await client.all()).map(({ id }) => id)
  const scripts = ['One.', 'Two. [[fail]]', 'Three.', 'Four.', 'Five.']
  const made: string[] = []
  for (const script of scripts) made.push((await client.create({ script, puppet_id: puppetId, resolution: '720p' })).id)
  await Promise.all(made.map((id) => client.finish(id)))
  const all = (await client.all({ limit: 2 })).map(({ id }) => id)
  const [failed, completed, processing] = await Promise.all(
    (['failed', 'completed', 'processing'] as const).map((status) => client.all({ status, limit: 3 })),
  )
  return {
    added: all.length - before.length,
    allThere: made.every((id) => all.includes(id)),
    failed: failed?.map(({ id }) => made.indexOf(id)),
    others: completed?.length === all.length - 1 && processing?.length === 0,
    beyond: (await client.list({ page: 1_000, limit: 100 })).videos.length,
    error: Boolean((await client.video(made[1] ?? '')).body['error']),
    downloadOfTheFailed: await refusal(client.downloadLink(made[1] ?? '')),
    rate: client.rate !== null && client.rate.limit > 0,
  }
}

const catalogue = async (stage: AlternateStage) => {
  const client = new AlternateClient(stage)
  const [voices, puppets] = await Promise.all([client.voices(), client.puppets()])
  const [voice] = voices
  return {
    voices: voices.length,
    puppets: puppets.length,
    preview: voice !== undefined && (await client.download(voice.previewUrl)).length > 1_000,
  }
}

/** What the service refuses. The contract shows no codes, so only HTTP's statuses are compared. */
const refusals = async (stage: AlternateStage, puppetId: string) => {
  const client = new AlternateClient(stage)
  const stranger = new AlternateClient({ ...stage, apiKey: 'not-a-key' })
  const puppet = { puppet_id: puppetId }
  return {
    stranger: await refusal(stranger.list()),
    missing: await refusal(client.video('nothing')),
    missingLink: await refusal(client.downloadLink('nothing')),
    noPuppet: await refusal(client.create({ script: 'Hello.', puppet_id: 'nobody' })),
    noVoice: await refusal(client.create({ script: 'Hello.', ...puppet, voice_id: 'nobody' })),
    blank: await refusal(client.create({ script: '', ...puppet })),
    longest: await refusal(client.create({ script: 'a'.repeat(5_000), ...puppet })),
    tooLong: await refusal(client.create({ script: 'a'.repeat(5_001), ...puppet })),
    noSuchPage: await refusal(client.list({ page: 0 })),
    noSuchLimit: await refusal(client.list({ limit: 101 })),
  }
}

/** The link to a video that has not ended. It never ends: any other may have ended by then. */
export const earlyLink = async (stage: AlternateStage, puppetId: string) => {
  const client = new AlternateClient(stage)
  const { id } = await client.create({ script: '[[stuck]]', puppet_id: puppetId })
  return refusal(client.downloadLink(id))
}

/** What went wrong in a part is what the customer saw of it. */
const seen = <T>(part: Promise<T>): Promise<T | string> => part.catch((error: unknown) => String(error))

/** All of it, one after the other, with the puppet and the voice that the customer has used for years. */
export const alternateDay = async (stage: AlternateStage, puppetId: string, voiceId?: string) => ({
  film: await seen(film(stage, { puppet_id: puppetId, ...(voiceId !== undefined && { voice_id: voiceId }) })),
  list: await seen(list(stage, puppetId)),
  catalogue: await seen(catalogue(stage)),
  refusals: await seen(refusals(stage, puppetId)),
  earlyLink: await seen(earlyLink(stage, puppetId)),
})

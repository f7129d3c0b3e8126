/**
 * Two customers' apps, each written against one contract. What an app saw of each step is its trace: words that hold
 * wherever the service runs, so that the traces of two places can be compared.
 */
import { AlternateClient } from './alternate-client.ts'
import { isMp4, refusal as alternateRefusal, type AlternateStage } from './alternate-scenario.ts'
import { PrimaryClient } from './primary-client.ts'
import { refusal as primaryRefusal, type PrimaryStage } from './primary-scenario.ts'

/** One visit of its user. Each step is what the app saw, or the refusal that it showed to its user. */
export type Trace = Readonly<Record<string, unknown>>

type Refusal = (call: Promise<unknown>) => Promise<unknown>

const seen = async (step: Promise<unknown>, refusal: Refusal): Promise<unknown> => step.catch(() => refusal(step))

const traced = async (steps: Readonly<Record<string, () => Promise<unknown>>>, refusal: Refusal): Promise<Trace> => {
  const trace: Record<string, unknown> = {}
  for (const [name, step] of Object.entries(steps)) trace[name] = await seen(step(), refusal)
  return trace
}

interface PrimaryAppStage extends PrimaryStage {
  /** For how long it asks a service that is away, in milliseconds. */
  inVainMs: number
}

/** Saved settings stay only if the lists name them; films from text and from own audio, polled as the service says. */
export const primaryApp = (stage: PrimaryAppStage, saved: { image: string; voice: string }) => {
  const jobs: string[] = []
  let latest = ''
  let visits = 0

  const stepsOf = (client: PrimaryClient) => {
    const savedVoice = async () => (await client.voices()).find(({ id }) => id === saved.voice)
    const finished = async (created: Awaited<ReturnType<PrimaryClient['job']>>) => {
      jobs.push(created.id)
      const ended = await client.finish(created)
      return {
        created: created.status,
        ended: ended.status,
        file: ended.videoUrl !== null && isMp4(await client.download(ended.videoUrl)),
      }
    }
    return {
      settings: async () => ({ voice: (await savedVoice()) !== undefined }),
      async sample() {
        const voice = await savedVoice()
        return voice !== undefined && (await client.preview(voice)).length > 1_000
      },
      async fromText() {
        const asked = { image_url: saved.image, text: 'Hello there.', voiceId: saved.voice }
        const created = await client.createFromText(asked, `t${visits}`)
        latest = created.id
        return finished(created)
      },
      async fromAudio() {
        const speech = await client.download(
          await client.speech({ voice_id: saved.voice, text: 'Good morning.', speed: 1 }),
        )
        const audioUrl = await client.uploadAudio(Buffer.from(speech), 'audio/wav', `u${visits}`)
        return finished(await client.createFromAudio({ image: saved.image, audio_url: audioUrl }, `a${visits}`))
      },
      history: async () => Promise.all(jobs.map(async (id) => (await client.job(id)).status)),
    }
  }
  const steps = stepsOf(new PrimaryClient(stage))
  const inVain = stepsOf(new PrimaryClient({ ...stage, patienceMs: stage.inVainMs }))

  return {
    /** The latest film from text. */
    latest: () => latest,
    visit(): Promise<Trace> {
      visits += 1
      return traced(steps, primaryRefusal)
    },
    /** A visit while the service is away. */
    visitInVain(): Promise<Trace> {
      visits += 1
      const { settings, history, fromText } = inVain
      return traced({ settings, history, fromText }, primaryRefusal)
    },
  }
}

/** Waits for its callback, then reads; keeps a table of its videos, and compares it with the list of the service. */
export const alternateApp = (stage: AlternateStage, saved: { puppet: string; voice: string }) => {
  const client = new AlternateClient(stage)
  const table = new Map<string, string>()

  const settings = async () => {
    const [voices, puppets] = [await client.voices(), await client.puppets()]
    return { voice: voices.some(({ id }) => id === saved.voice), puppet: puppets.some(({ id }) => id === saved.puppet) }
  }
  const film = async () => {
    const asked = { script: 'Good morning.', puppet_id: saved.puppet, voice_id: saved.voice }
    const created = await client.create({ ...asked, webhook_url: stage.receiver.url })
    table.set(created.id, created.status)
    await stage.receiver.named(created.id)
    const ended = await client.finish(created.id)
    table.set(ended.id, ended.status)
    return {
      created: created.status,
      ended: ended.status,
      file: isMp4(await client.download(await client.downloadLink(created.id))),
    }
  }
  /** Rows of the table that the list lacks or shows otherwise, and rows that the table lacks. */
  const sync = async () => {
    const listed = new Map((await client.all({ limit: 2 })).map(({ id, status }) => [id, status]))
    return {
      lost: [...table].filter(([id, status]) => listed.get(id) !== status).length,
      strange: [...listed.keys()].filter((id) => !table.has(id)).length,
    }
  }
  const history = async () => Promise.all([...table.keys()].map(async (id) => (await client.video(id)).status))

  return {
    latest: () => [...table.keys()].at(-1) ?? '',
    visit: (): Promise<Trace> => traced({ settings, film, sync, history }, alternateRefusal),
    /** A visit while the service is away. */
    visitInVain: (): Promise<Trace> => traced({ settings, sync, history, film }, alternateRefusal),
  }
}

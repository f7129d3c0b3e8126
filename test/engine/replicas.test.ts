import { expect, onTestFinished, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import type { Store } from '../../src/core/store/index.ts'
import type { VideoRecord } from '../../src/core/video.ts'
import { createLocalWake } from '../../src/stores/index.ts'
import { must } from '../fakes/must.ts'
import { seededRandom } from '../fakes/random.ts'
import { HOUR, INPUT, listQuery, MINUTE, SECOND } from '../fakes/records.ts'
import { openSqlite } from '../stores/sqlite-file.ts'
import { chanceBackend, type ChanceJob } from './chance-backend.ts'
import { assemble, passOf, restOf } from './harness.ts'

type Made = ReturnType<typeof assemble>
interface Process extends Made {
  /** From then on it hears and writes nothing, as one that was killed. */
  kill(): void
  isDead(): boolean
}

const CREATES = 16
/** More than any doubt lasts. */
const LONG_MS = 4 * HOUR

/** A store whose process may die at any verb, before it or after. */
const mortal = (store: Store, isDead: () => boolean): Store => {
  const dead = () => new Problem('store_unavailable', 'this process was killed')
  return new Proxy(store, {
    get(target, name: keyof Store) {
      const verb = target[name] as (...args: unknown[]) => Promise<unknown>
      return async (...args: unknown[]) => {
        if (isDead()) throw dead()
        const value = await verb(...args)
        if (isDead()) throw dead()
        return value
      }
    },
  })
}

interface Seen {
  videos: VideoRecord[]
  jobs: ChanceJob[]
  /** What clients that were heard were told: a video, or an error. */
  told: Map<string, string | null>
}

/** What nobody may ever see, whatever happened. */
const faultsOf = ({ videos, jobs, told }: Seen): string[] => {
  const byText = new Map(videos.map((video) => [video.input.text, video]))
  const ofVideos = videos.flatMap((video) => {
    const job = jobs.find(({ jobId }) => jobId === video.backendJobId)
    return [
      ...(video.phase === 'ended' ? [] : [`${video.input.text} is ${video.phase} for ever`]),
      ...(job === undefined || job.text === video.input.text ? [] : [`${video.input.text} has the job of ${job.text}`]),
    ]
  })
  const ofJobs = jobs.flatMap(({ text, jobId }) => {
    const video = byText.get(text)
    if (!video) return [`${text} was paid, and there is no video of it`]
    if (jobs.some((other) => other.text === text && other.jobId !== jobId)) return [`${text} was paid twice`]
    return video.backendJobId === jobId || video.error?.code === 'create_outcome_unknown'
      ? []
      : [`${text} was paid, and is ${video.status} ${video.error?.code}`]
  })
  const ofClients = [...told].flatMap(([text, id]) =>
    (byText.get(text)?.id ?? null) === id ? [] : [`${text} was told to be ${id}, and is not`],
  )
  return [...ofVideos, ...ofJobs, ...ofClients]
}

test.each([
  ['primary', 1],
  ['alternate', 3],
] as const)(
  'two processes, of which one or the other is killed, before a bad backend: nothing is paid twice, lost or mistaken (%s, seed %i)',
  async (kind, seed) => {
    const random = seededRandom(seed)
    const current = await openSqlite()
    const { clock, store } = current
    const { adapter, jobs } = chanceBackend(kind, clock, random)
    const all: Process[] = []
    onTestFinished(async () => {
      for (const { videos } of all) videos.halt()
      await current.destroy()
    })
    const start = async (): Promise<Process> => {
      let dead = false
      const handle = all.length === 0 ? store : await current.second()
      const made = assemble(
        mortal(handle, () => dead),
        createLocalWake(clock),
        clock,
        adapter,
        {
          interface: kind,
          callbackUrl: 'https://gateway.example/hook',
          seed: 1_000 * seed + all.length,
          account: {
            slots: 4,
            requestsPerMinute: 60,
            evidence: { exclusive: true, resendWhenAbsent: true, absentAfterMs: 5 * MINUTE },
          },
        },
      )
      const kill = (): void => {
        dead = true
        made.videos.halt()
      }
      const begun = { ...made, kill, isDead: () => dead }
      all.push(begun)
      made.videos.start()
      return begun
    }
    const pass = (ms: number): Promise<void> =>
      passOf(clock, ms, () => restOf(() => all.reduce((sum, { busy }) => sum + busy(), 0)))
    const videosNow = (): Promise<VideoRecord[]> => store.list('acme', listQuery({ limit: 100 }))

    const told: Seen['told'] = new Map()
    const serving = [await start(), await start()]
    for (let n = 0; n < CREATES; n += 1) {
      const by = must(serving[n % 2])
      const text = `text ${n}`
      const portrait = kind === 'primary' ? {} : { image_url: null, puppet_id: 'pup_1', voice_id: null }
      const tell = (id: string | null): void => void (by.isDead() || told.set(text, id))
      void by.create({ input: { ...INPUT, text, ...portrait } }, `order ${n}`).then(
        ({ video }) => tell(video.id),
        () => tell(null),
      )
      await pass(Math.round(random() * 25 * SECOND))
      // A callback that comes late, about a create in doubt.
      const called = jobs[Math.floor(random() * jobs.length)]
      const video = (await videosNow()).find(({ input }) => input.text === called?.text)
      if (kind === 'alternate' && called && video && random() < 0.2)
        await must(serving[n % 2]).videos.hinted(video.id, video.attempt, called.jobId)
      if (n % 4 === 3) {
        const which = Math.floor(random() * 2)
        must(serving[which]).kill()
        serving[which] = await start()
      }
    }
    const untilMs = clock.now() + LONG_MS
    const isOver = async (): Promise<boolean> => (await videosNow()).every(({ phase }) => phase === 'ended')
    while (clock.now() < untilMs && !(await isOver())) await pass(5 * MINUTE)
    expect(jobs.length).toBeGreaterThan(CREATES / 4)
    expect(faultsOf({ videos: await videosNow(), jobs, told })).toEqual([])
  },
)

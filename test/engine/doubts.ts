import { expect } from 'vitest'
import type { VideoInput, VideoRecord } from '../../src/core/video.ts'
import type { Account, CreateRequest } from '../../src/engine/index.ts'
import { listingAdapter, type ListingAdapter } from '../fakes/listing.ts'
import { doubt, INPUT, SECOND } from '../fakes/records.ts'
import { openEngine, type Engine, type EngineOptions } from './harness.ts'

export const HOOK = 'https://gateway.example/hooks/main/token'
export const PORTRAIT: VideoInput = { ...INPUT, image_url: null, puppet_id: 'pup_1', voice_id: null }

export interface DoubtStage {
  engine: Engine
  adapter: ListingAdapter
  create(given?: Partial<VideoInput>, key?: string | null): Promise<VideoRecord>
  /** A create whose answer never came. */
  lose(given?: Partial<VideoInput>, key?: string | null): Promise<VideoRecord>
  record(id: string): Promise<VideoRecord>
  /** The details of its history that speak of the doubt. */
  history(id: string): Promise<(string | null)[]>
  /** Ended, as unknown, with a history that says why. */
  expectUnknown(id: string, why: string): Promise<void>
}

const EVIDENCE: Account['evidence'] = { exclusive: true, resendWhenAbsent: false, absentAfterMs: 300 * SECOND }

/** An engine before an alternate backend whose jobs the test makes and loses. */
export const openDoubts = async (
  evidence: Partial<Account['evidence']>,
  options: Omit<EngineOptions, 'account'> & { account?: Partial<Account> } = {},
): Promise<DoubtStage> => {
  const adapters: ListingAdapter[] = []
  const engine = await openEngine({
    interface: 'alternate',
    ...options,
    adapter: (now) => {
      const made = listingAdapter(now)
      adapters.push(made)
      return made
    },
    account: { slots: null, evidence: { ...EVIDENCE, ...evidence }, ...options.account },
  })
  const [adapter] = adapters
  if (!adapter) throw new Error('the engine made no adapter')
  engine.videos.start()
  await engine.rest()
  const record = (id: string): Promise<VideoRecord> => engine.record(id)
  const history = async (id: string): Promise<(string | null)[]> =>
    (await engine.videos.timeline(id)).filter(({ type }) => type === 'doubt').map(({ detail }) => detail)
  const create: DoubtStage['create'] = async (given = {}, key = null) => {
    const request: Partial<CreateRequest> = { input: { ...PORTRAIT, ...given } }
    return (await engine.create(request, key)).video
  }
  return {
    engine,
    adapter,
    record,
    history,
    create,
    async lose(given, key) {
      adapter.creates.push(doubt())
      const video = await create(given, key)
      expect(video).toMatchObject({ phase: 'doubtful', status: 'queued', backendJobId: null })
      return video
    },
    async expectUnknown(id, why) {
      expect(await record(id)).toMatchObject({ status: 'failed', error: { code: 'create_outcome_unknown' } })
      expect((await history(id)).at(-1)).toBe(why)
    },
  }
}

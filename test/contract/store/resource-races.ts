import { expect } from 'vitest'
import type { AdminStore, OverviewStore } from '../../../src/core/store/admin.ts'
import type { AllEventsStore } from '../../../src/core/store/webhooks.ts'
import type { MetadataStore, ResourceStore } from '../../../src/core/store/videos.ts'
import type { Store } from '../../../src/core/store/index.ts'
import { must } from '../../fakes/must.ts'
import { ACCOUNT, ended, idemKey, puppet, puppetRecord, T0, uploadRecord } from '../../fakes/records.ts'
import { ADMIN_RACES } from './admin.ts'
import { LINE_RACES } from './lines.ts'
import { METADATA_RACES } from './metadata.ts'
import { DOUBT_RACES } from './doubts.ts'
import { OVERVIEW_RACES } from './overview.ts'
import { LEASE_MS, numbered, openWaiting, saving } from './helpers.ts'
import type { Rivals } from './races.ts'

type Race = (rivals: Rivals) => Promise<void>

const KEY = idemKey({ operation: 'POST /uploads' })
const INTENT = { account: ACCOUNT, backend: 'main', resource: 'upl_1' }
const URL = 'https://cdn.example/a.wav'
const ROUNDS = 12

const begin = (store: Store) => store.begin(KEY, INTENT, LEASE_MS)

/** The same upload, signed for the nth time. */
const signed = (n: number) =>
  ({ kind: 'upload', record: uploadRecord({ audioUrl: `${URL}?sig=${n}`, sizeBytes: n }) }) as const

/** Looks from one handle, all the while that the other writes the rounds; `look` answers what is wrong, or nothing. */
export const beside = async (
  { store, other }: Rivals,
  write: (store: Store, round: number) => Promise<unknown>,
  look: (reader: Store) => Promise<unknown>,
): Promise<void> => {
  const state = { isOver: false }
  const written = (async () => {
    for (let round = 1; round <= ROUNDS; round += 1) await write(store, round)
  })().finally(() => {
    state.isOver = true
  })
  const wrong: unknown[] = []
  while (!state.isOver) {
    wrong.push(await look(other))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await written
  expect(wrong.filter((one) => one !== undefined)).toEqual([])
}

/** Every verb of the port's part about what is no video, from two handles at once. */
export const RESOURCE_RACES: Record<
  | keyof ResourceStore
  | keyof AdminStore
  | keyof AllEventsStore
  | keyof MetadataStore
  | keyof OverviewStore
  | 'latestAttempts'
  | 'search'
  | 'countFound'
  | 'webhookStates',
  Race
> = {
  ...ADMIN_RACES,
  ...LINE_RACES,
  ...METADATA_RACES,
  ...DOUBT_RACES,
  ...OVERVIEW_RACES,
  begin: async ({ each }) => {
    const kinds = (await each(30, (one) => begin(one))).map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual(['begun', ...Array<string>(29).fill('running')])
  },

  made: async ({ store, each }) => {
    await begin(store)
    await each(20, (one, n) => one.made(signed(n + 1), KEY))
    // One upload, whole, whichever was told last; and its key leads to it.
    const kept = must(await store.uploadOf('acme', 'upl_1'))
    expect(kept.audioUrl).toBe(`${URL}?sig=${kept.sizeBytes}`)
    expect(await begin(store)).toMatchObject({ kind: 'done', intent: INTENT })
  },

  unmade: async ({ store, each }) => {
    // One gives its key back while others ask for it: it is one other’s, or free to the next; never two’s.
    for (const outcome of ['free', 'doubt'] as const) {
      const first = await begin(store)
      if (first.kind !== 'begun') throw new Error(first.kind)
      const told = await each(20, (one, n) =>
        n === 7 ? one.unmade(KEY, first.lease, outcome).then(() => null) : begin(one),
      )
      const won = [...told, await begin(store)].flatMap((one) => (one?.kind === 'begun' ? [one] : []))
      expect(won.map(({ again }) => again)).toEqual([outcome === 'doubt'])
      await store.unmade(KEY, must(won[0]).lease, 'free')
    }
  },

  forgetPuppet: async ({ store, each }) => {
    await each(20, (one, n) =>
      n % 4 < 2
        ? one.made({ kind: 'puppet', record: puppetRecord({ client: `c${n % 2}` }) }, null)
        : one.forgetPuppet(ACCOUNT, 'pup_1'),
    )
    const kept = await store.puppetMade(ACCOUNT, 'pup_1')
    if (kept) expect(kept.client).toMatch(/^c[01]$/)
    await store.forgetPuppet(ACCOUNT, 'pup_1')
    expect(await store.puppetMade(ACCOUNT, 'pup_1')).toBeNull()
  },

  countRequests: async ({ store, each }) => {
    await each(40, (one, n) => one.countRequests('2026-11', { acme: 1, [`c${n % 2}`]: 2 }))
    expect((await store.monthOf('acme', T0)).requests).toBe(40)
    expect((await store.monthOf('c1', T0)).requests).toBe(40)
  },

  purgeResources: async ({ store, each }) => {
    for (let n = 1; n <= 20; n += 1) {
      await store.made({ kind: 'upload', record: uploadRecord({ id: `upl_${n}` }) }, null)
    }
    const removed = await each(10, (one) => one.purgeResources(T0 + 1, 7))
    expect(removed.reduce((sum, one) => sum + one, 0)).toBe(20)
  },

  intentOf: (rivals) =>
    beside(
      rivals,
      async (store, round) => {
        const begun = await begin(store)
        if (begun.kind === 'begun') await store.unmade(KEY, begun.lease, round % 2 ? 'doubt' : 'free')
      },
      async (reader) => {
        const intent = await reader.intentOf(KEY)
        return intent === null || JSON.stringify(intent) === JSON.stringify(INTENT) ? undefined : intent
      },
    ),

  puppetMade: (rivals) =>
    beside(
      rivals,
      async (store, round) => {
        const record = puppetRecord({ client: `c${round}`, puppet: puppet('pup_1', { name: `c${round}` }) })
        await store.made({ kind: 'puppet', record }, null)
        await store.forgetPuppet(ACCOUNT, 'pup_1')
      },
      async (reader) => {
        const made = await reader.puppetMade(ACCOUNT, 'pup_1')
        return made === null || made.client === made.puppet.name ? undefined : made
      },
    ),

  uploadOf: (rivals) =>
    beside(
      rivals,
      (store, round) => store.made(signed(round), null),
      async (reader) => {
        const upload = await reader.uploadOf('acme', 'upl_1')
        return upload === null || upload.audioUrl === `${URL}?sig=${upload.sizeBytes}` ? undefined : upload
      },
    ),

  uploadAt: (rivals) =>
    beside(
      rivals,
      (store, round) => store.made(signed(round), null),
      async (reader) => {
        const upload = await reader.uploadAt('acme', URL)
        return upload === null || upload.audioUrl === `${URL}?sig=${upload.sizeBytes}` ? undefined : upload
      },
    ),

  // Each video is in one status, with its credit, at every moment.
  monthOf: async (rivals) => {
    let counted = 0
    await beside(
      rivals,
      async (store, round) => {
        await openWaiting(store, { id: numbered(round) })
        await store.change(numbered(round), saving({ status: 'processing', credits: { charged: 1, remaining: null } }))
        await store.change(numbered(round), () => ({
          kind: 'save',
          video: ended({ id: numbered(round), backendJobId: null, credits: { charged: 1, remaining: null } }),
          events: [],
          notes: [],
        }))
      },
      async (reader) => {
        const { videos, creditsCharged } = await reader.monthOf('acme', T0)
        const before = counted
        counted = Object.values(videos).reduce((sum, n) => sum + n, 0)
        const isWhole = counted >= before && creditsCharged === videos.processing + videos.completed
        return isWhole ? undefined : { videos, creditsCharged, before }
      },
    )
    expect(await rivals.other.monthOf('acme', T0)).toMatchObject({
      videos: { queued: 0, processing: 0, completed: ROUNDS },
      creditsCharged: ROUNDS,
    })
  },
}

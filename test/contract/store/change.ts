import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/store/videos.ts'
import type { VideoRecord } from '../../../src/core/video.ts'
import { draft, event, idemKey, note, TARGET } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { numbered, openWaiting, ROOMY, saving, dueIds } from './helpers.ts'

/** One more of everything that a write may carry. */
const oneMore = (seen: VideoRecord, nowMs: number): Change => {
  const sequence = seen.sequence + 1
  return {
    kind: 'save',
    video: { ...seen, sequence },
    events: [{ event: event(seen.id, sequence), targets: [TARGET] }],
    notes: [note(`step ${sequence}`, nowMs)],
  }
}

export const changeContract = (current: Current): void => {
  describe('change', () => {
    test('writes the record, its events, their deliveries and its notes together', async () => {
      const { store, clock } = current()
      await openWaiting(store)
      const changed = await store.change('vid_1', oneMore)
      expect(changed.video).toMatchObject({ version: 2, sequence: 1 })
      expect(await store.video('vid_1')).toEqual(changed.video)
      expect(await store.timeline('vid_1')).toEqual([note('step 1', clock.now())])
      const deliveries = await store.deliveriesOf('vid_1')
      expect(deliveries.map(({ id }) => id)).toEqual(changed.deliveries)
      expect(deliveries).toMatchObject([{ event: event('vid_1', 1), status: 'pending', attempts: 0 }])
    })

    test('notes stay in their order, however many one write has', async () => {
      const { store } = current()
      await openWaiting(store)
      for (const count of [3, 5]) {
        const notes = Array.from({ length: count }, (_, n) => note(`${n} of ${count}`))
        await store.change('vid_1', (seen) => ({ kind: 'save', video: seen, events: [], notes }))
      }
      expect((await store.timeline('vid_1')).map(({ type }) => type)).toEqual(
        [3, 5].flatMap((count) => Array.from({ length: count }, (_, n) => `${n} of ${count}`)),
      )
    })

    test('decides on the record as it is, at the store’s time', async () => {
      const { store, clock } = current()
      const opened = await openWaiting(store)
      clock.jump(1_234)
      const seen: [VideoRecord, number][] = []
      await store.change('vid_1', (video, nowMs) => {
        seen.push([video, nowMs])
        return { kind: 'keep' }
      })
      expect(seen).toEqual([[opened, clock.now()]])
    })

    test('decides on a known record only as long as it is the latest', async () => {
      const { store } = current()
      const first = await openWaiting(store)
      const second = (await store.change('vid_1', oneMore, first)).video
      expect(second).toMatchObject({ version: 2, sequence: 1 })
      // It was written since: the change is decided again, on what is there.
      expect((await store.change('vid_1', oneMore, first)).video).toMatchObject({ version: 3, sequence: 2 })
      const kept = await store.change('vid_1', () => ({ kind: 'keep' }), second)
      expect(kept.video).toMatchObject({ version: 3, sequence: 2 })
      expect((await store.timeline('vid_1')).map(({ type }) => type)).toEqual(['step 1', 'step 2'])
      await store.change('vid_1', () => ({ kind: 'discard' }))
      expect(await store.change('vid_1', oneMore, second)).toMatchObject({ video: null })
    })

    test('the store numbers the versions, whatever the record says', async () => {
      const { store } = current()
      await openWaiting(store)
      expect((await store.change('vid_1', saving({ version: 40 }))).video?.version).toBe(2)
      expect((await store.video('vid_1'))?.version).toBe(2)
    })

    test('keep writes nothing', async () => {
      const { store } = current()
      const opened = await openWaiting(store)
      expect(await store.change('vid_1', () => ({ kind: 'keep' }))).toEqual({
        video: opened,
        deliveries: [],
        jobTaken: null,
      })
      expect(await store.video('vid_1')).toEqual(opened)
    })

    test('of an unknown video asks nothing and answers null', async () => {
      const { store } = current()
      const unreachable = (): Change => {
        throw new Error('asked about a video that is not there')
      }
      expect(await store.change('vid_none', unreachable)).toEqual({ video: null, deliveries: [], jobTaken: null })
    })

    test('discard forgets the video with all that is its own, and frees its key', async () => {
      const { store } = current()
      const opening = draft(
        { id: numbered(1), sequence: 1 },
        { events: [{ event: event(numbered(1), 1), targets: [TARGET] }] },
      )
      await store.open(opening, idemKey(), ROOMY, null)
      await store.change(numbered(1), oneMore)
      expect(await store.change(numbered(1), () => ({ kind: 'discard' }))).toEqual({
        video: null,
        deliveries: [],
        jobTaken: null,
      })
      expect(await store.video(numbered(1))).toBeNull()
      expect(await store.timeline(numbered(1))).toEqual([])
      expect(await store.deliveriesOf(numbered(1))).toEqual([])
      expect(await dueIds(store)).toEqual([])
      expect(await store.keyed(idemKey())).toBeNull()
      const again = await store.open(draft({ id: numbered(2) }), idemKey({ fingerprint: 'f2' }), ROOMY, null)
      expect(again.kind).toBe('opened')
    })

    test('a change whose decision throws rejects with it and writes nothing', async () => {
      const { store } = current()
      const opened = await openWaiting(store)
      const decide = (): Change => {
        throw new Error('no idea')
      }
      await expect(store.change('vid_1', decide)).rejects.toThrow('no idea')
      expect(await store.video('vid_1')).toEqual(opened)
    })

    test('two at once both land', async () => {
      const { store, second } = current()
      const other = await second()
      await openWaiting(store)
      await Promise.all([
        store.change('vid_1', (seen) => saving({ metadata: { ...seen.metadata, a: '1' } })(seen)),
        other.change('vid_1', (seen) => saving({ metadata: { ...seen.metadata, b: '2' } })(seen)),
      ])
      expect(await store.video('vid_1')).toMatchObject({ version: 3, metadata: { a: '1', b: '2' } })
    })

    test('40 at once all land, in some order, and no event twice', async () => {
      const { store, second } = current()
      const handles = [store, await second()]
      await openWaiting(store)
      const changes = await Promise.all(
        Array.from({ length: 40 }, (_, n) => (handles[n % 2] ?? store).change('vid_1', oneMore)),
      )
      const numbers = Array.from({ length: 40 }, (_, n) => n + 1)
      expect(await store.video('vid_1')).toMatchObject({ version: 41, sequence: 40 })
      expect((await store.deliveriesOf('vid_1')).map((one) => one.event.sequence)).toEqual(numbers)
      expect((await store.timeline('vid_1')).map(({ type }) => type)).toEqual(numbers.map((n) => `step ${n}`))
      expect(new Set(changes.flatMap(({ deliveries }) => deliveries)).size).toBe(40)
    })

    test('is decided again when another write came between', async () => {
      const { store, second } = current()
      const other = await second()
      await openWaiting(store)
      const decidedOn = new Map<string, number[]>()
      const versions = (name: string) => (seen: VideoRecord) => {
        decidedOn.set(name, [...(decidedOn.get(name) ?? []), seen.version])
        return saving({ metadata: { ...seen.metadata, [name]: String(seen.version) } })(seen)
      }
      await Promise.all([store.change('vid_1', versions('a')), other.change('vid_1', versions('b'))])
      // Whoever was written last had seen the first one's write.
      expect(new Set([decidedOn.get('a')?.at(-1), decidedOn.get('b')?.at(-1)])).toEqual(new Set([1, 2]))
      expect(Object.values((await store.video('vid_1'))?.metadata ?? {}).toSorted()).toEqual(['1', '2'])
    })

    test('of a discard and a save at once, what is left is whole', async () => {
      const { store, second } = current()
      const other = await second()
      await store.open(draft(), idemKey(), ROOMY, null)
      await Promise.all([
        store.change('vid_1', () => ({ kind: 'discard' })),
        other.change('vid_1', oneMore),
        store.change('vid_1', oneMore),
      ])
      expect(await store.video('vid_1')).toBeNull()
      expect(await store.deliveriesOf('vid_1')).toEqual([])
      expect(await store.timeline('vid_1')).toEqual([])
      expect(await store.keyed(idemKey())).toBeNull()
    })

    test('a reader beside the writer never sees a record without its events', async () => {
      const { store, second } = current()
      const reader = await second()
      await openWaiting(store)
      const written = (async () => {
        for (let n = 0; n < 30; n += 1) await store.change('vid_1', oneMore)
      })()
      const torn: string[] = []
      for (let seen = 0; seen < 30;) {
        seen = (await reader.video('vid_1'))?.sequence ?? 0
        const events = (await reader.deliveriesOf('vid_1')).length
        const notes = (await reader.timeline('vid_1')).length
        if (events < seen || notes < seen) torn.push(`record ${seen}, events ${events}, notes ${notes}`)
        await new Promise(setImmediate)
      }
      await written
      expect(torn).toEqual([])
    })
  })
}

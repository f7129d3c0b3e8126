import { describe, expect, test } from 'vitest'
import { createCatalog } from '../../../src/catalog/index.ts'
import type { Puppet, Voice } from '../../../src/core/adapter.ts'
import { Problem } from '../../../src/core/errors.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { must } from '../../fakes/must.ts'
import { rawAnswer } from '../../fakes/records.ts'

const voice = (id: string): Voice => ({
  id,
  name: null,
  provider: null,
  language: null,
  languageCode: null,
  gender: null,
  previewUrl: null,
})
const puppet = (id: string, imageUrl: string | null): Puppet => ({
  id,
  name: null,
  type: 'custom',
  imageUrl,
  thumbnailUrl: null,
  verbatim: null,
  createdAtMs: 0,
})

const listOf = (...ids: string[]) => ({ items: ids.map((id) => puppet(id, null)), pages: [], isWhole: true })

const start = () => {
  const clock = fakeClock()
  const asked: string[] = []
  const singles: Puppet[] = [puppet('p2', null)]
  let fault: Problem | null = null
  let listFault: Problem | null = null
  const load =
    <T>(kind: string, read: T) =>
    async (backend: string): Promise<T> => {
      asked.push(`${kind} ${backend}`)
      if (fault ?? listFault) throw fault ?? listFault
      return read
    }
  const catalog = createCatalog({
    clock,
    loadVoices: load('voices', { items: [voice('v1'), voice('v:2')], raw: rawAnswer('voices') }),
    loadPuppets: load('puppets', {
      items: [puppet('p1', 'https://img.example/1.png'), puppet('p2', null)],
      pages: [rawAnswer('puppets')],
      isWhole: true,
    }),
    async loadPuppet(backend, id) {
      asked.push(`puppet ${backend} ${id}`)
      if (fault) throw fault
      const found = singles.find((one) => one.id === id)
      if (!found) throw new Problem('puppet_not_found', 'no')
      return found
    },
  })
  return {
    clock,
    asked,
    catalog,
    singles,
    fail: (with_: Problem | null) => (fault = with_),
    failLists: (with_: Problem) => (listFault = with_),
  }
}

test('ids are qualified with the backend, whatever the native id holds', async () => {
  const { catalog } = start()
  const { value, state } = await catalog.voices(['main', 'alt'])
  expect([value.map(({ id }) => id), state]).toEqual([['main:v1', 'main:v:2', 'alt:v1', 'alt:v:2'], 'miss'])
  expect(await catalog.voices([])).toEqual({ value: [], state: 'hit', missing: [] })
})

test('what is fresh is told without asking; what is not in memory, or stale, is not', async () => {
  const { catalog, asked, clock } = start()
  const known = () => [catalog.fresh.voices('main')?.length, catalog.fresh.puppets('main')?.length]
  expect(known()).toEqual([undefined, undefined])
  await catalog.voices(['main'])
  await catalog.puppets(['main'])
  catalog.puppetMade('main', puppet('p3', null))
  expect(known()).toEqual([2, 3])
  await clock.advance(600_001)
  expect(known()).toEqual([undefined, undefined])
  expect(asked).toEqual(['voices main', 'puppets main'])
})

test('a portrait comes from the same cache as the list, and from the puppet itself where the list shows none', async () => {
  const { catalog, asked, singles } = start()
  singles[0] = puppet('p2', 'https://img.example/2.png')
  const found = await Promise.all([
    catalog.portrait('main', 'p1', 'anna'),
    catalog.portrait('main', 'p2', 'anna'),
    catalog.portrait('main', 'p2', 'anna'),
    catalog.puppets(['main']),
  ])
  expect(found.slice(0, 3)).toEqual([
    'https://img.example/1.png',
    'https://img.example/2.png',
    'https://img.example/2.png',
  ])
  await expect(catalog.portrait('main', 'p3', 'anna')).rejects.toMatchObject({ code: 'puppet_not_found' })
  expect(asked).toEqual(['puppets main', 'puppet main p2', 'puppet main p3'])
})

describe('one puppet', () => {
  test('is read from the list; one that is not there is asked for once, for all who ask within a minute', async () => {
    const { catalog, asked, singles, clock } = start()
    singles.push(puppet('p9', null))
    expect(await catalog.puppet('main', 'p1', 'anna')).toMatchObject({ value: { id: 'p1' }, state: 'miss' })
    expect(await catalog.puppet('main', 'p1', 'anna')).toMatchObject({ value: { id: 'p1' }, state: 'hit' })
    const all = await Promise.all(Array.from({ length: 20 }, () => catalog.puppet('main', 'p9', 'anna')))
    expect(new Set(all.map(({ value }) => value.id))).toEqual(new Set(['p9']))
    for (let i = 0; i < 3; i += 1) {
      await expect(catalog.puppet('main', 'p8', 'anna')).rejects.toMatchObject({ code: 'puppet_not_found' })
    }
    expect(asked).toEqual(['puppets main', 'puppet main p9', 'puppet main p8'])
    singles.push(puppet('p8', null))
    await clock.advance(59_999)
    await expect(catalog.puppet('main', 'p8', 'anna')).rejects.toMatchObject({ code: 'puppet_not_found' })
    expect(asked.slice(3)).toEqual([])
    await clock.advance(2)
    expect((await catalog.puppet('main', 'p8', 'anna')).state).toBe('miss')
    // Nor does one backend answer for another.
    await catalog.puppet('alt', 'p8', 'anna')
    // A list of a minute ago that lacks what is there is read again.
    expect(asked.slice(3)).toEqual(['puppet main p8', 'puppets main', 'puppets alt', 'puppet alt p8'])
  })

  test('that was made or deleted shows in the list at once, and costs no request', async () => {
    const { catalog, asked } = start()
    const ids = async () => (await catalog.puppets(['main'])).value.map(({ id }) => id)
    expect(await ids()).toEqual(['main:p1', 'main:p2'])
    await expect(catalog.puppet('main', 'p3', 'anna')).rejects.toMatchObject({ code: 'puppet_not_found' })
    catalog.puppetMade('main', puppet('p3', 'https://img.example/3.png'))
    expect(await ids()).toEqual(['main:p1', 'main:p2', 'main:p3'])
    expect((await catalog.puppet('main', 'p3', 'anna')).state).toBe('hit')
    catalog.puppetGone('main', 'p1')
    catalog.puppetGone('main', 'p3')
    expect(await ids()).toEqual(['main:p2'])
    expect(asked).toEqual(['puppets main', 'puppet main p3'])
  })

  test('is had where the list cannot be', async () => {
    const { catalog, failLists } = start()
    failLists(new Problem('backend_unavailable', 'no more requests'))
    expect(await catalog.puppet('main', 'p2', 'anna')).toMatchObject({ value: { id: 'p2' }, state: 'miss' })
    expect(await catalog.portrait('main', 'p2', 'anna')).toBeNull()
    await expect(catalog.puppet('main', 'p8', 'anna')).rejects.toMatchObject({ code: 'puppet_not_found' })
    failLists(new TypeError('ours') as unknown as Problem)
    await expect(catalog.puppet('alt', 'p2', 'anna')).rejects.toThrow('ours')
  })

  test('that was deleted while a list was read in parts is not in it', async () => {
    const clock = fakeClock()
    const parts = [Promise.reject(new Problem('backend_unavailable', 'later')), Promise.resolve(listOf('p1'))]
    const catalog = createCatalog({
      clock,
      loadVoices: async () => ({ items: [], raw: rawAnswer('') }),
      loadPuppets: () => must(parts.shift()),
      loadPuppet: async () => puppet('p1', null),
    })
    await expect(catalog.puppets(['main'])).rejects.toThrow('later')
    catalog.puppetGone('main', 'p1')
    await clock.advance(10_001)
    // Its first part was read before.
    expect((await catalog.puppets(['main'])).value).toEqual([])
  })

  test('that was made while the list was being read is not lost with it', async () => {
    const clock = fakeClock()
    const gate = Promise.withResolvers<ReturnType<typeof listOf>>()
    const lists = [gate.promise, Promise.resolve(listOf('p2'))]
    const catalog = createCatalog({
      clock,
      loadVoices: async () => ({ items: [], raw: rawAnswer('') }),
      loadPuppets: () => must(lists.shift()),
      loadPuppet: async () => puppet('p1', null),
    })
    const before = catalog.puppets(['main'])
    catalog.puppetMade('main', puppet('p2', null))
    catalog.puppetGone('main', 'p1')
    gate.resolve(listOf('p1'))
    expect((await before).value.map(({ id }) => id)).toEqual(['main:p2'])
    // A list that was asked for later knows by itself.
    await clock.advance(600_001)
    await catalog.puppets(['main'])
    await clock.advance(0)
    expect((await catalog.puppets(['main'])).value.map(({ id }) => id)).toEqual(['main:p2'])
  })
})

describe('a failing backend', () => {
  test('is asked again after ten seconds, or sooner if it says so', async () => {
    const { catalog, asked, clock, fail } = start()
    fail(new Problem('backend_error', 'no'))
    for (let i = 0; i < 5; i += 1)
      await expect(catalog.voices(['main'])).rejects.toMatchObject({ code: 'backend_error' })
    await clock.advance(9_999)
    await expect(catalog.voices(['main'])).rejects.toThrow('no')
    expect(asked).toHaveLength(1)
    fail(new Problem('backend_unavailable', 'soon', { retryAtMs: clock.now() + 2_001 }))
    await clock.advance(1)
    await expect(catalog.voices(['main'])).rejects.toThrow('soon')
    await clock.advance(2_000)
    fail(null)
    expect((await catalog.voices(['main'])).state).toBe('miss')
    expect(asked).toHaveLength(3)
  })

  test('holds up no other, nor its other list', async () => {
    const { catalog, fail } = start()
    fail(new Problem('backend_error', 'no'))
    await expect(catalog.voices(['main'])).rejects.toThrow('no')
    fail(null)
    expect((await catalog.voices(['alt'])).value).toHaveLength(2)
    expect((await catalog.puppets(['main'])).value).toHaveLength(2)
  })

  test('is named beside what the others have; with none that has anything, its fault is the answer', async () => {
    const { catalog, fail, clock } = start()
    await catalog.voices(['alt'])
    fail(new Problem('backend_error', 'no'))
    const both = await catalog.voices(['main', 'alt'])
    expect(both.value.map(({ id }) => id)).toEqual(['alt:v1', 'alt:v:2'])
    expect([both.missing, both.state]).toEqual([[{ backend: 'main', code: 'backend_error' }], 'hit'])
    await expect(catalog.voices(['main', 'third'])).rejects.toThrow('no')
    // What was read once is better than nothing, however old.
    await clock.advance(3_600_000)
    expect(await catalog.voices(['alt'])).toMatchObject({ state: 'stale', missing: [] })
  })

  test('a fault of ours is no backend’s', async () => {
    const { catalog, fail } = start()
    await catalog.voices(['alt'])
    fail(new TypeError('ours') as unknown as Problem)
    await expect(catalog.voices(['alt', 'main'])).rejects.toThrow('ours')
  })
})

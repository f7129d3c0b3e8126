import { describe, expect, test } from 'vitest'
import { createCatalog } from '../../../src/catalog/index.ts'
import type { Puppet, Voice } from '../../../src/core/adapter.ts'
import { Problem } from '../../../src/core/errors.ts'
import { fakeClock } from '../../fakes/clock.ts'

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
  createdAtMs: 0,
})

const start = () => {
  const clock = fakeClock()
  const asked: string[] = []
  let fault: Problem | null = null
  const load =
    <T>(kind: string, items: T[]) =>
    async (backend: string): Promise<T[]> => {
      asked.push(`${kind} ${backend}`)
      if (fault) throw fault
      return items
    }
  const catalog = createCatalog({
    clock,
    loadVoices: load('voices', [voice('v1'), voice('v:2')]),
    loadPuppets: load('puppets', [puppet('p1', 'https://img.example/1.png'), puppet('p2', null)]),
  })
  return { clock, asked, catalog, fail: (with_: Problem | null) => (fault = with_) }
}

test('ids are qualified with the backend, whatever the native id holds', async () => {
  const { catalog } = start()
  const { value, state } = await catalog.voices(['main', 'alt'])
  expect([value.map(({ id }) => id), state]).toEqual([['main:v1', 'main:v:2', 'alt:v1', 'alt:v:2'], 'miss'])
  expect(await catalog.voices([])).toEqual({ value: [], state: 'hit' })
})

test('a portrait comes from the same cache as the list', async () => {
  const { catalog, asked } = start()
  const found = await Promise.all([
    catalog.portrait('main', 'p1'),
    catalog.portrait('main', 'p2'),
    catalog.puppets(['main']),
  ])
  expect(found.slice(0, 2)).toEqual(['https://img.example/1.png', null])
  await expect(catalog.portrait('main', 'p3')).rejects.toMatchObject({
    code: 'puppet_not_found',
    extras: { param: 'puppet_id' },
  })
  expect(asked).toEqual(['puppets main'])
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
    await expect(catalog.voices(['alt', 'main'])).rejects.toThrow('no')
  })
})

import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/core/store/index.ts'
import { must } from '../../fakes/must.ts'
import type { Current } from '../store.ts'

export const factContract = (current: Current): void => {
  const verbs = {
    secret: async (store: Store, key: string, candidate: string) =>
      must((await store.secrets({ kind: 'client', id: key }, candidate))[0]),
    meta: (store: Store, key: string, candidate: string) => store.meta(key, candidate),
  }
  describe.each(Object.entries(verbs))('%s', (_, verb) => {
    test('keeps the first candidate', async () => {
      const { store } = current()
      expect(await verb(store, 'acme', 'one')).toBe('one')
      expect(await verb(store, 'acme', 'two')).toBe('one')
      expect(await verb(store, 'other', 'two')).toBe('two')
    })

    test('of 20 at once one is first, and all hear of it', async () => {
      const { store, second } = current()
      const handles = [store, await second()]
      const heard = await Promise.all(
        Array.from({ length: 20 }, (_, n) => verb(handles[n % 2] ?? store, 'acme', `candidate ${n}`)),
      )
      expect(new Set(heard).size).toBe(1)
      expect(heard[0]).toMatch(/^candidate \d+$/)
    })

    test('survives a restart', async () => {
      const { store, reopen } = current()
      await verb(store, 'acme', 'one')
      expect(await verb(await reopen(), 'acme', 'two')).toBe('one')
    })
  })
}

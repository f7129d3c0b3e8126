import { beforeEach, describe, expect, test } from 'vitest'
import type { Page, Puppet, ReadOutcome } from '../../../../src/core/adapter.ts'
import { createCatalogLoader } from '../../../../src/engine/upstream/catalog-loader.ts'
import type { Upstream } from '../../../../src/engine/upstream/tickets.ts'
import { accountOf, backendOf, scriptedAdapter } from '../../../fakes/adapter.ts'
import { fakeClock } from '../../../fakes/clock.ts'
import { MINUTE, problem, puppet, rawAnswer } from '../../../fakes/records.ts'

type Answer = ReadOutcome<Page<Puppet>>

/** In order: a ticket taken, or a page asked for. */
let steps: string[] = []
beforeEach(() => {
  steps = []
})

const page = (nextCursor: string | null, ...ids: string[]): Answer => ({
  ok: true,
  value: { items: ids.map((id) => puppet(id)), nextCursor, raw: rawAnswer(ids.join()) },
  rate: null,
})

const loaderOf = (answer: (cursor: string | null) => Answer, tickets = Infinity, clock = fakeClock()) => {
  const upstream: Pick<Upstream, 'ask'> = {
    async ask(_account, _kind, _patienceMs, request) {
      if (steps.filter((step) => step === 'ticket').length >= tickets) {
        return { kind: 'not_now', why: 'no_budget', retryAtMs: 7 }
      }
      steps.push('ticket')
      return { kind: 'asked', outcome: await request() }
    },
  }
  const adapter = {
    ...scriptedAdapter(() => 0, 'alternate'),
    async puppets(cursor: string | null): Promise<Answer> {
      steps.push(cursor ?? 'first')
      return answer(cursor)
    },
  }
  return createCatalogLoader({
    backends: new Map([['alt', backendOf('alt', accountOf(adapter))]]),
    upstream,
    clock,
    oneAtATime: (_, work) => work(),
  })
}

describe('a list of puppets', () => {
  const PAGES = (cursor: string | null): Answer =>
    cursor === null ? page('2', 'a', 'b') : cursor === '2' ? page('3', 'b', 'c') : page(null, 'd')
  const ids = ({ items }: { items: Puppet[] }) => items.map(({ id }) => id)
  const asked = () => steps.splice(0).filter((step) => step !== 'ticket')
  const load = (loader: ReturnType<typeof loaderOf>) => loader.loadPuppets('alt')

  test('that shifts while it is read has each of them once', async () => {
    const list = await load(loaderOf(PAGES))
    expect(ids(list)).toEqual(['a', 'b', 'c', 'd'])
    expect(list.pages.map(({ text }) => text)).toEqual(['a,b', 'b,c', 'd'])
  })

  test('goes on where the budget ended it: a long one is read in the end', async () => {
    const loader = loaderOf(PAGES, 1)
    await expect(load(loader)).rejects.toMatchObject({ code: 'backend_unavailable' })
    expect(asked()).toEqual(['first'])
    await expect(load(loader)).rejects.toMatchObject({ code: 'backend_unavailable' })
    expect(asked()).toEqual(['2'])
    expect(ids(await load(loader))).toEqual(['a', 'b', 'c', 'd'])
    expect(asked()).toEqual(['3'])
    await expect(load(loader)).rejects.toMatchObject({ code: 'backend_unavailable' })
    expect(asked()).toEqual(['first'])
  })

  test('begins anew after ten minutes', async () => {
    const clock = fakeClock()
    const loader = loaderOf(PAGES, 1, clock)
    await expect(load(loader)).rejects.toMatchObject({ code: 'backend_unavailable' })
    await clock.advance(10 * MINUTE)
    steps = []
    await expect(load(loader)).rejects.toMatchObject({ code: 'backend_unavailable' })
    expect(asked()).toEqual(['first'])
  })

  test('begins anew where the backend knows its place no more', async () => {
    const failed: Answer = { ok: false, problem: problem({ code: 'invalid_request' }), lost: false, rate: null }
    const loader = loaderOf((cursor) => (cursor === null ? page('2', 'a') : failed))
    for (let i = 0; i < 2; i += 1) {
      await expect(load(loader)).rejects.toMatchObject({ code: 'invalid_request' })
      expect(asked()).toEqual(['first', '2'])
    }
  })

  test('without an end is not followed for ever', async () => {
    let pages = 1
    const { items } = await load(loaderOf(() => page(String((pages += 1)), `p${pages}`)))
    expect(items).toHaveLength(20)
  })
})

describe('one puppet of an interface that only lists them', () => {
  const THREE = (cursor: string | null): Answer =>
    cursor === null ? page('2', 'a') : cursor === '2' ? page('3', 'b') : page(null, 'c')

  test('is looked for page by page, a ticket each, no further than it is found', async () => {
    expect(await loaderOf(THREE).loadPuppet('alt', 'b', 'anna')).toMatchObject({ id: 'b' })
    expect(steps).toEqual(['ticket', 'first', 'ticket', '2'])
  })

  test('is not there once the last page is read', async () => {
    await expect(loaderOf(THREE).loadPuppet('alt', 'z', 'anna')).rejects.toMatchObject({ code: 'puppet_not_found' })
    expect(steps).toEqual(['ticket', 'first', 'ticket', '2', 'ticket', '3'])
  })

  test('is not looked for past the budget', async () => {
    const loading = loaderOf(THREE, 1).loadPuppet('alt', 'c', 'anna')
    await expect(loading).rejects.toMatchObject({ code: 'backend_unavailable', extras: { retryAtMs: 7 } })
    expect(steps).toEqual(['ticket', 'first'])
  })

  test('is unknown where a page cannot be read', async () => {
    const failed: Answer = { ok: false, problem: problem({ code: 'backend_error' }), lost: false, rate: null }
    const loading = loaderOf((cursor) => (cursor === null ? page('2', 'a') : failed)).loadPuppet('alt', 'b', 'anna')
    await expect(loading).rejects.toMatchObject({ code: 'backend_error' })
  })

  test('is not looked for in a list without an end', async () => {
    let pages = 1
    const loading = loaderOf(() => page(String((pages += 1)), 'a')).loadPuppet('alt', 'z', 'anna')
    await expect(loading).rejects.toMatchObject({ code: 'puppet_not_found' })
    expect(pages).toBe(21)
  })
})

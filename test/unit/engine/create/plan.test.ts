import { describe, expect, test } from 'vitest'
import { Problem } from '../../../../src/core/errors.ts'
import type { Capability } from '../../../../src/core/vocabulary.ts'
import { createPlan, type Lists, type Wish } from '../../../../src/engine/create/plan.ts'
import { createAliases, type Source } from '../../../../src/engine/create/route.ts'
import { rulesOf } from '../../../../src/engine/routing/rules.ts'
import type { Backend } from '../../../../src/engine/upstream/accounts.ts'
import { accountOf, backendOf, capabilities, type ScriptedAdapter, scriptedAdapter } from '../../../fakes/adapter.ts'
import { accountId, INPUT, puppet } from '../../../fakes/records.ts'

const SOURCE = { kind: 'text', text: 'Hello there' } as const
const PORTRAIT = 'https://img.example/portrait.png'
const able = (...more: Capability[]) => capabilities('text_source', ...more)

interface Made {
  adapter: ScriptedAdapter
  backend: Backend
}
const make = (name: string, capable = able('image_url'), given: Partial<Backend> = {}): Made => {
  const adapter = scriptedAdapter(() => 0, 'primary', capable)
  return { adapter, backend: { ...backendOf(name, accountOf(adapter, { id: accountId(name) })), ...given } }
}
const refuse = ({ adapter }: Made): void => {
  adapter.translation = {
    ok: false,
    problem: { code: 'capability_not_supported', param: 'resolution', message: 'resolution is not supported' },
  }
}

const wish = (given: Partial<Wish['input']> = {}): Wish => ({
  input: { ...INPUT, ...given },
  backend: null,
  defaultBackend: null,
  unsupported: 'reject',
})

/** A plan over these backends; where `weight` is given, a split of `main` and `alt` is the only rule. */
const stage = (made: readonly Made[], weight: number | null = null, puppets: Lists['puppets'] = () => null) => {
  const when = { client: null, surface: null, source: null, metadata: {} }
  const split = { main: 100 - (weight ?? 0), alt: weight ?? 0 }
  const portraits: string[] = []
  const plan = createPlan({
    uploads: { byId: async () => null, byUrl: async () => ({ kind: 'unknown' }) },
    carrier: { fault: () => null },
    lists: { voices: () => null, puppets },
    aliases: createAliases({ voices: {}, puppets: {} }),
    rules: weight === null ? [] : rulesOf([{ when, to: null, split, by: 'client', stop_if: null }]),
    weightOf: () => weight ?? 0,
    settings: { defaultBackend: 'main' },
  })
  const visible = new Map(made.map(({ backend }) => [backend.name, backend]))
  const portraitOf = async (_: Backend, id: string): Promise<string> => {
    portraits.push(id)
    return PORTRAIT
  }
  return {
    portraits,
    source: plan.source,
    choose: (one: Wish, source: Source = SOURCE) =>
      plan.choose(one, { client: 'acme', visible, surface: 'unified', metadata: {} }, source, portraitOf),
    standIn: (one: Wish, name: string) => plan.standIn(one, { visible }, SOURCE, portraitOf, name),
  }
}

describe('a saved portrait', () => {
  test.each<[string, Capability[], object, string[]]>([
    ['goes as its image where only images are taken', ['image_url'], { puppetId: null, imageUrl: PORTRAIT }, ['p_1']],
    ['goes as it is where portraits are taken', ['image_url', 'puppet_id'], { puppetId: 'p_1', imageUrl: null }, []],
    ['goes as it is where neither is, and the backend says no', [], { puppetId: 'p_1', imageUrl: null }, []],
  ])('%s', async (_, more, order, portraits) => {
    const s = stage([make('main', able(...more))])
    const chosen = await s.choose(wish({ image_url: null, puppet_id: 'p_1' }))
    expect(chosen.order).toMatchObject(order)
    expect(s.portraits).toEqual(portraits)
  })

  test('none was asked for: the image goes as it is', async () => {
    const s = stage([make('main')])
    expect((await s.choose(wish())).order).toMatchObject({ puppetId: null, imageUrl: INPUT.image_url })
    expect(s.portraits).toEqual([])
  })
})

describe('a side of a split that cannot take the request', () => {
  test('leaves it to the other side, and the video says why', async () => {
    const [main, alt] = [make('main'), make('alt')]
    refuse(alt)
    const { backend, note } = await stage([main, alt], 100).choose(wish())
    expect(backend.name).toBe('main')
    expect(note.considered).toEqual([
      { backend: 'alt', verdict: 'passed_over', reason: 'cannot take resolution' },
      { backend: 'main', verdict: 'chosen', reason: null },
    ])
    expect(note.chosen_by).toBe('rule')
  })

  test('is what the client is told of, where the other cannot either', async () => {
    const [main, alt] = [make('main'), make('alt')]
    refuse(main)
    refuse(alt)
    const told = { code: 'capability_not_supported', extras: { param: 'resolution', backend: 'alt' } }
    await expect(stage([main, alt], 100).choose(wish())).rejects.toMatchObject(told)
  })

  test('a fault that is about no field is the client’s to hear, and not the other side’s', async () => {
    const [main, alt] = [make('main'), make('alt')]
    const fault = new Problem('puppet_not_found', 'gone')
    alt.adapter.translate = () => {
      throw fault
    }
    await expect(stage([main, alt], 100).choose(wish())).rejects.toBe(fault)
  })

  test('without a rule there is no other side', async () => {
    const main = make('main')
    refuse(main)
    await expect(stage([main, make('alt')]).choose(wish())).rejects.toMatchObject({ extras: { backend: 'main' } })
  })
})

describe('a pool', () => {
  const POOL = { name: 'main', members: ['a', 'b', 'c'] }
  const takes = able('image_url', 'puppet_id', 'audio_source')
  const made = [...POOL.members.map((name) => make(name, takes, { pool: POOL })), make('alt', takes)]
  const saved = wish({ image_url: null, puppet_id: 'p_1' })
  /** Of each list whether it has the puppet; null: it cannot be read. */
  const listing = (has: Readonly<Record<string, boolean>>) => {
    const read: string[] = []
    const puppets: Lists['puppets'] = (name) => {
      read.push(name)
      return has[name] === undefined ? null : has[name] ? [puppet('p_1')] : []
    }
    return { read, puppets }
  }

  test.each<[string, Record<string, boolean>, object]>([
    ['no list can be read: any may have it', {}, { to: 'a', siblings: [], perhaps: ['b', 'c'] }],
    ['one surely has it', { b: true }, { to: 'b', siblings: [], perhaps: [] }],
    ['some surely do not', { a: false }, { to: 'b', siblings: [], perhaps: ['c'] }],
    ['nobody has it', { a: false, b: false, c: false }, { to: 'a', siblings: [], perhaps: [] }],
    ['all have it', { a: true, b: true, c: true }, { to: 'a', siblings: ['b', 'c'], perhaps: [] }],
  ])('looks for a puppet: %s', async (_, has, expected) => {
    const { backend, siblings, perhaps } = await stage(made, null, listing(has).puppets).choose(saved)
    expect({ to: backend.name, siblings, perhaps }).toEqual(expected)
  })

  test('reads no list for a create that is not for it, or is for one member', async () => {
    const { read, puppets } = listing({})
    const s = stage(made, null, puppets)
    await s.choose({ ...saved, backend: 'alt' })
    await s.choose({ ...saved, backend: 'b' })
    expect(read).toEqual([])
    await s.choose(saved)
    expect(read).toContain('c')
  })

  test('any member may host audio that nobody here uploaded', async () => {
    const audio = { kind: 'external', param: 'audio_url', audioUrl: 'https://audio.example/1' } as const
    const chosen = await stage(made).choose(wish({ text: null, audio_url: audio.audioUrl }), audio)
    expect(chosen).toMatchObject({ siblings: ['b', 'c'], perhaps: ['b', 'c'] })
  })
})

describe('what stands in', () => {
  test.each<[string, Made, string, string | null]>([
    ['takes it', make('alt'), 'alt', 'alt'],
    ['takes no new videos', make('alt', able('image_url'), { drain: true }), 'alt', null],
    ['is not the client’s to see', make('alt'), 'other', null],
  ])('%s', async (_, alt, name, made) => {
    const chosen = await stage([make('main'), alt]).standIn(wish(), name)
    expect(chosen?.backend.name ?? null).toBe(made)
  })

  test('cannot take the request: null; what is our own fault is no answer', async () => {
    const alt = make('alt')
    refuse(alt)
    expect(await stage([make('main'), alt]).standIn(wish(), 'alt')).toBeNull()
    const fault = new Error('ours')
    alt.adapter.translate = () => {
      throw fault
    }
    await expect(stage([make('main'), alt]).standIn(wish(), 'alt')).rejects.toBe(fault)
  })
})

test('a text is its own source', async () => {
  const { input } = wish({ text: 'Hello there' })
  expect(await stage([make('main')]).source('acme', input, null)).toEqual(SOURCE)
})

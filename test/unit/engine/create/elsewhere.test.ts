import { describe, expect, test } from 'vitest'
import type { Otherwise } from '../../../../src/core/adapter.ts'
import { Problem, type ProblemCode } from '../../../../src/core/errors.ts'
import type { RoutingNote } from '../../../../src/core/video.ts'
import type { FailoverReason } from '../../../../src/core/vocabulary.ts'
import { type Chosen, createElsewhere, type Sent } from '../../../../src/engine/create/plan.ts'
import type { FailoverPolicy } from '../../../../src/engine/routing/rules.ts'
import { accountOf, backendOf, backendsOf, NOT_PAUSED, scriptedAdapter } from '../../../fakes/adapter.ts'
import { must } from '../../../fakes/must.ts'
import { INPUT, problem, video } from '../../../fakes/records.ts'

const BACKENDS = backendsOf('main', 'second', 'third')
const chosenOf = (name: string, note: Partial<RoutingNote> = {}, given: Partial<Chosen> = {}): Chosen => ({
  backend: must(BACKENDS.get(name)),
  note: {
    chosen_by: 'default',
    rule: null,
    pool: null,
    considered: [{ backend: name, verdict: 'chosen', reason: null }],
    ...note,
  },
  order: video().order,
  via: name,
  pool: null,
  siblings: [],
  perhaps: [],
  others: [],
  beyond: [],
  warnings: [],
  ...given,
})

/** What a backend does with a create: the code of its refusal; null: it makes it. */
type Answers = Partial<Record<string, ProblemCode | null>>
const DOWN = 'backend_unavailable'
const NO_CREDITS = 'insufficient_credits'

interface Case {
  answers?: Answers
  /** What is known before anything is sent. */
  standing?: Partial<Record<string, FailoverReason | 'paused'>>
  chosen?: Chosen
  on?: readonly FailoverReason[]
  standIns?: FailoverPolicy['standIns']
  waitsWhenDown?: boolean
  /** Cannot take the request. */
  unable?: readonly string[]
  isGone?: (backend: string) => boolean
}
interface Try {
  backend: string
  note: RoutingNote
  otherwise: Otherwise
}

const run = async (given: Case) => {
  const { answers = {}, standing = {}, chosen = chosenOf('main'), unable = [], isGone = () => true } = given
  const policy: FailoverPolicy = {
    standIns: given.standIns ?? { main: ['second', 'third'] },
    on: given.on ?? ['down', 'no_slot', 'no_budget', 'no_credits'],
    waitsWhenDown: () => given.waitsWhenDown ?? true,
  }
  const tries: Try[] = []
  const elsewhere = createElsewhere({ policy, standing: async ({ name }) => [standing[name] ?? []].flat() })
  const ended = await elsewhere<string>({
    input: INPUT,
    priority: 'normal',
    chosen,
    standIn: async (name) => (unable.includes(name) ? null : chosenOf(name, { chosen_by: 'request' })),
    send: async ({ backend: { name }, note }, otherwise): Promise<Sent<string>> => {
      tries.push({ backend: name, note, otherwise })
      const code = answers[name] ?? null
      // Where it may wait, it is stored and waits.
      const waits = code === 'backend_unavailable' && otherwise.waitsWhenDown
      if (code === null || waits) return { kind: 'created', created: waits ? `waits for ${name}` : name }
      return { kind: 'refused', problem: problem({ code }), isGone: isGone(name) }
    },
  }).catch((error: unknown) => error)
  const names = tries.map(({ backend }) => backend)
  if (ended instanceof Problem)
    return { ended: [ended.code, ended.extras.backend], param: ended.extras.param, names, tries }
  return { ended, names, tries }
}

describe('of a pool', () => {
  const pooled = chosenOf('main', {}, { via: 'pool', siblings: ['second'] })
  const given = { chosen: pooled, standIns: { pool: ['third'] }, on: ['down'] } as const
  test.each<[string, Case, unknown, string[]]>([
    ['full members are waited for', { standing: { main: 'no_slot', second: 'no_budget' } }, 'main', ['main']],
    [
      'one that is full is, where the other is down',
      { standing: { main: 'down', second: 'no_slot' } },
      'second',
      ['second'],
    ],
    [
      'what stands in makes it if all are down',
      { standing: { main: 'down' }, answers: { second: DOWN } },
      'third',
      ['second', 'third'],
    ],
    ['or if the rest cannot take it', { standing: { main: 'down' }, unable: ['second'] }, 'third', ['third']],
    [
      'it stands in for slots, too, where the policy says so',
      { standing: { main: 'no_slot', second: 'no_slot' }, on: ['no_slot'] },
      'third',
      ['third'],
    ],
  ])('%s', async (_, more, ended, names) => {
    expect(await run({ ...given, ...more })).toMatchObject({ ended, names })
  })

  test.each<[string, Case, unknown, string[]]>([
    ['a paused member is passed over', { standing: { main: 'paused' } }, 'second', ['second']],
    [
      'one that is full is waited for rather than left, where another is paused',
      { standing: { main: 'paused', second: 'no_slot' } },
      'second',
      ['second'],
    ],
    [
      'what stands in makes it if all are paused',
      { standing: { main: 'paused', second: 'paused' } },
      'third',
      ['third'],
    ],
    [
      'it waits in the pool if that one is paused, too',
      { standing: { main: 'paused', second: 'paused', third: 'paused' } },
      'main',
      ['main'],
    ],
  ])('%s', async (_, more, ended, names) => {
    expect(await run({ ...given, ...more })).toMatchObject({ ended, names })
  })

  const perhaps = chosenOf('main', {}, { via: 'pool', perhaps: ['second', 'third'] })
  test.each<[string, Case, unknown, string[]]>([
    [
      'a puppet that the chosen one does not have may be another’s',
      { answers: { main: 'puppet_not_found', second: 'puppet_not_found' } },
      'third',
      ['main', 'second', 'third'],
    ],
    ['so may audio', { answers: { main: 'upload_not_found' } }, 'second', ['main', 'second']],
    [
      'it is refused if nobody has it',
      { answers: { main: 'upload_not_found', second: 'upload_not_found', third: 'upload_not_found' } },
      ['upload_not_found', 'main'],
      ['main', 'second', 'third'],
    ],
    ['all have the same voices', { answers: { main: 'voice_not_found' } }, ['voice_not_found', 'main'], ['main']],
  ])('%s', async (_, more, ended, names) => {
    expect(await run({ chosen: perhaps, standIns: {}, ...more })).toMatchObject({ ended, names })
  })

  test('one whose refused record stays is the last: tried elsewhere, it could be paid for twice', async () => {
    const answers: Answers = { main: 'puppet_not_found', second: 'puppet_not_found' }
    const stays = await run({ chosen: perhaps, standIns: {}, answers, isGone: (name) => name === 'main' })
    expect(stays).toMatchObject({ ended: ['puppet_not_found', 'second'], names: ['main', 'second'] })
  })
})

describe('of a backend that an operator paused', () => {
  const paused = accountOf(
    scriptedAdapter(() => 0),
    { paused: { ...NOT_PAUSED, isPaused: (work) => work === 'creates' } },
  )
  const chosen = (note: Partial<RoutingNote> = {}) =>
    chosenOf('main', note, { backend: backendOf('main', paused), others: ['second', 'third'] })
  const given: Case = { standing: { main: 'paused' }, standIns: {}, on: [] }

  test('those that would make it if it were drained do', async () => {
    const { ended, tries } = await run({ ...given, chosen: chosen(), unable: ['second'] })
    expect(ended).toBe('third')
    expect(tries[0]?.note).toEqual({
      chosen_by: 'failover',
      rule: null,
      pool: null,
      considered: [
        { backend: 'main', verdict: 'passed_over', reason: 'paused' },
        { backend: 'second', verdict: 'passed_over', reason: 'cannot take the request' },
        { backend: 'third', verdict: 'chosen', reason: null },
      ],
    })
  })

  test('it is stored for the paused one if nobody else takes it, whatever they say', async () => {
    const refuses: Answers = { second: 'voice_not_found', third: 'invalid_image' }
    expect(await run({ ...given, chosen: chosen(), answers: refuses })).toMatchObject({
      ended: 'main',
      names: ['second', 'third', 'main'],
    })
  })

  test('what stands in by the configuration goes first', async () => {
    const standIns = { main: ['third'] }
    expect(await run({ ...given, chosen: chosen(), standIns })).toMatchObject({ ended: 'third', names: ['third'] })
  })

  test('nobody else is asked while it is not paused', async () => {
    const open = chosenOf('main', {}, { others: ['second'] })
    expect(await run({ ...given, standing: {}, chosen: open })).toMatchObject({ ended: 'main', names: ['main'] })
  })
})

describe('who makes it', () => {
  test.each<[string, Case, unknown, string[]]>([
    ['the chosen one', {}, 'main', ['main']],
    ['the first that stands in, where it is down', { answers: { main: DOWN } }, 'second', ['main', 'second']],
    ['it is known to be down: it is not asked', { standing: { main: 'down' } }, 'second', ['second']],
    ['the second, where the first is full', { standing: { main: 'down', second: 'no_slot' } }, 'third', ['third']],
    [
      'the second, where the first cannot take it',
      { answers: { main: DOWN }, unable: ['second'] },
      'third',
      ['main', 'third'],
    ],
    [
      'nobody else, where it says no to the request',
      { answers: { main: 'invalid_image' } },
      ['invalid_image', 'main'],
      ['main'],
    ],
    [
      'nobody else, where failover is not for that',
      { answers: { main: NO_CREDITS }, on: ['down'] },
      [NO_CREDITS, 'main'],
      ['main'],
    ],
    [
      'the next, whatever a stand-in says no to',
      { answers: { main: DOWN, second: 'invalid_image' } },
      'third',
      ['main', 'second', 'third'],
    ],
    ['nobody stands in: it waits there', { answers: { main: DOWN }, standIns: {} }, 'waits for main', ['main']],
    [
      'a name of every object is no stand-in',
      { chosen: chosenOf('main'), standIns: { second: ['third'] }, answers: { main: DOWN } },
      'waits for main',
      ['main'],
    ],
    [
      'all are down: it waits for the chosen one',
      { answers: { main: DOWN, second: DOWN, third: DOWN } },
      'waits for main',
      ['main', 'second', 'third', 'main'],
    ],
    [
      'all are down, and nothing waits',
      { answers: { main: DOWN, second: DOWN, third: DOWN }, waitsWhenDown: false },
      [DOWN, 'main'],
      ['main', 'second', 'third'],
    ],
    [
      'no credits anywhere: told, since nothing is waited for',
      { answers: { main: NO_CREDITS, second: DOWN, third: DOWN } },
      [NO_CREDITS, 'main'],
      ['main', 'second', 'third'],
    ],
    [
      'no slot anywhere: it waits, whether or not what is down would',
      { answers: { main: 'concurrency_limit_reached', second: DOWN, third: DOWN }, waitsWhenDown: false },
      ['concurrency_limit_reached', 'main'],
      ['main', 'second', 'third', 'main'],
    ],
    [
      'not the chosen one’s credits, but another’s',
      { standing: { main: 'no_slot' }, answers: { second: NO_CREDITS, third: NO_CREDITS } },
      'main',
      ['second', 'third', 'main'],
    ],
  ])('%s', async (_, given, ended, names) => {
    expect(await run(given)).toMatchObject({ ended, names })
  })

  test.each(['request', 'id'] as const)('what the %s names is where it goes', async (chosen_by) => {
    const given = { chosen: chosenOf('main', { chosen_by }), answers: { main: DOWN } } as const
    expect(await run(given)).toMatchObject({ ended: 'waits for main', names: ['main'] })
  })

  test('what a rule decided may be made elsewhere', async () => {
    const given = { chosen: chosenOf('main', { chosen_by: 'rule', rule: 'rule_1' }), answers: { main: DOWN } } as const
    expect(await run(given)).toMatchObject({ ended: 'second' })
  })

  test('a refusal whose record cannot be deleted is told: tried elsewhere, it could be paid for twice', async () => {
    expect(await run({ answers: { main: DOWN }, isGone: () => false })).toMatchObject({
      ended: [DOWN, 'main'],
      names: ['main'],
    })
    const later = { answers: { main: DOWN, second: DOWN }, standing: { main: 'down' }, isGone: () => false } as const
    expect(await run(later)).toMatchObject({ ended: [DOWN, 'second'], names: ['second'] })
  })
})

test('only the last try of the chosen one may wait for what is down; the others move on', async () => {
  const { tries } = await run({ answers: { main: DOWN, second: DOWN, third: DOWN } })
  const movesOn = ['down', 'no_slot', 'no_budget', 'no_credits']
  const moving = { movesOn, waitsWhenDown: false }
  expect(tries.map(({ otherwise }) => otherwise)).toEqual([
    moving,
    moving,
    moving,
    { movesOn: [], waitsWhenDown: true },
  ])
})

test('the video says who was passed over, and why', async () => {
  const passedBefore = { backend: 'alt', verdict: 'passed_over', reason: 'cannot take voice_id' } as const
  const chosen = { backend: 'main', verdict: 'chosen', reason: null } as const
  const note: RoutingNote = { chosen_by: 'rule', rule: 'rule_1', pool: null, considered: [passedBefore, chosen] }
  const { tries } = await run({
    chosen: chosenOf('main', note),
    answers: { main: NO_CREDITS, third: 'invalid_image' },
    unable: ['second'],
  })
  const passed = (backend: string, reason: string) => ({ backend, verdict: 'passed_over', reason })
  expect(tries.map((one) => one.note)).toEqual([
    note,
    {
      chosen_by: 'failover',
      rule: null,
      pool: null,
      considered: [
        passedBefore,
        passed('main', 'no_credits'),
        passed('second', 'cannot take the request'),
        { backend: 'third', verdict: 'chosen', reason: null },
      ],
    },
  ])
})

test('what is known to be full is passed over as that, and a refusal names the field that it is about', async () => {
  const { tries } = await run({ standing: { main: 'no_slot' } })
  expect(tries[0]?.note.considered).toEqual([
    { backend: 'main', verdict: 'passed_over', reason: 'no_slot' },
    { backend: 'second', verdict: 'chosen', reason: null },
  ])
  const refusal = await run({ answers: { main: 'invalid_image' } })
  expect(refusal).toMatchObject({ param: 'image_url' })
})

describe('of a pool', () => {
  const pooled = { ...chosenOf('main'), via: 'pool', pool: 'pool', siblings: ['second'] }
  const inPool = (given: Case) => run({ chosen: pooled, standIns: { pool: ['third'] }, on: ['down'], ...given })
  const triedOf = ({ tries }: Awaited<ReturnType<typeof run>>): string[] => tries.map(({ backend }) => backend)

  test('the next member takes what the first refuses, for whatever reason, and no rule is judged by it', async () => {
    for (const code of ['backend_unavailable', 'concurrency_limit_reached', 'rate_limited', NO_CREDITS] as const) {
      const ended = await inPool({ answers: { main: code } })
      expect(triedOf(ended)).toEqual(['main', 'second'])
      expect(ended.tries.at(-1)?.note).toMatchObject({ chosen_by: 'default' })
    }
  })

  test('a stand-in of the pool comes after its members, for its own reasons', async () => {
    const ended = await inPool({ answers: { main: 'backend_unavailable', second: 'backend_unavailable' } })
    expect(triedOf(ended)).toEqual(['main', 'second', 'third'])
    expect(ended.tries.at(-1)?.note).toMatchObject({ chosen_by: 'failover' })
  })

  test('if none can now it waits at the first; if that is down, at the first that it can wait for', async () => {
    const full = { main: 'no_slot', second: 'no_slot', third: 'down' } as const
    expect(triedOf(await inPool({ standing: full }))).toEqual(['main'])
    const down = { standing: { second: 'no_slot', third: 'down' }, waitsWhenDown: false } as const
    expect(triedOf(await inPool({ ...down, answers: { main: 'backend_unavailable' } }))).toEqual(['main', 'second'])
  })
})

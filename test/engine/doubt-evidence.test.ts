import { afterEach, describe, expect, test } from 'vitest'
import { evidenceWarnings } from '../../src/config/rules.ts'
import type { Capability } from '../../src/core/vocabulary.ts'
import type { Videos } from '../../src/engine/index.ts'
import { capabilities } from '../fakes/adapter.ts'
import { listingAdapter } from '../fakes/listing.ts'
import { doubt, HOUR, MINUTE, SECOND } from '../fakes/records.ts'
import { HOOK, PORTRAIT } from './doubts.ts'
import { openEngine, type Engine } from './harness.ts'

/** What ends a doubt under every combination of what an interface offers and what its operator declares. */
interface Combination {
  keys: boolean
  list: boolean
  callbacks: boolean
  exclusive: boolean
  resend: boolean
}

const flags = [false, true]
const ALL: Combination[] = flags.flatMap((keys) =>
  flags.flatMap((list) =>
    flags.flatMap((callbacks) =>
      flags.flatMap((exclusive) => flags.map((resend) => ({ keys, list, callbacks, exclusive, resend }))),
    ),
  ),
)

const able = ({ keys, list, callbacks }: Combination) => {
  const optional: [boolean, Capability][] = [
    [keys, 'native_idempotency'],
    [list, 'native_list'],
    [callbacks, 'native_webhook'],
  ]
  return capabilities('text_source', 'puppet_id', ...optional.flatMap(([has, name]) => (has ? [name] : [])))
}

/** What may come: of several, the one that ends it. */
const evidenceIn = ({ keys, list, callbacks, exclusive }: Combination) => {
  if (keys) return 'keys'
  if (list && exclusive) return 'list'
  return callbacks ? 'callback' : 'none'
}

let engine: Engine
afterEach(async () => {
  await engine.videos.stop()
  await engine.destroy()
})

const open = async (given: Combination): Promise<void> => {
  engine = await openEngine({
    interface: 'alternate',
    adapter: (now) => Object.assign(listingAdapter(now), { capabilities: able(given) }),
    callbackUrl: HOOK,
    account: {
      slots: null,
      evidence: { exclusive: given.exclusive, resendWhenAbsent: given.resend, absentAfterMs: 5 * MINUTE },
    },
  })
  engine.videos.start()
  await engine.rest()
}

const create = async (): ReturnType<Videos['create']> => engine.create({ input: PORTRAIT })
const creates = (): number => engine.adapter.callsOf('create').length

describe.each(ALL)('keys $keys, list $list, callbacks $callbacks: exclusive $exclusive, resend $resend', (given) => {
  const evidence = evidenceIn(given)

  test(`a lost create, and one like it: ${evidence}`, async () => {
    await open(given)
    engine.adapter.creates.push(doubt())
    const { video: lost } = await create()
    const { video: like } = await create()

    // Only the list needs creates that are alike to go one at a time.
    expect((await engine.record(like.id)).phase).toBe(evidence === 'list' ? 'waiting' : 'accepted')
    const unknown = { status: 'failed', error: { code: 'create_outcome_unknown' } }
    switch (evidence) {
      case 'keys':
        await engine.pass(MINUTE)
        expect(await engine.record(lost.id)).toMatchObject({ phase: 'accepted', attempt: 1 })
        expect(creates()).toBe(3)
        break
      case 'none':
        await engine.pass(SECOND)
        expect(await engine.record(lost.id)).toMatchObject(unknown)
        break
      case 'callback':
        await engine.pass(HOUR - MINUTE)
        expect(await engine.record(lost.id)).toMatchObject({ phase: 'doubtful' })
        await engine.pass(2 * MINUTE)
        expect(await engine.record(lost.id)).toMatchObject(unknown)
        break
      case 'list':
        await engine.pass(4 * MINUTE)
        expect(await engine.record(lost.id)).toMatchObject({ phase: 'doubtful' })
        await engine.pass(4 * MINUTE)
        expect(await engine.record(lost.id)).toMatchObject(given.resend ? { phase: 'accepted', attempt: 2 } : unknown)
        expect(await engine.record(like.id)).toMatchObject({ phase: 'accepted' })
        break
    }
    const again = evidence === 'keys' || (evidence === 'list' && given.resend)
    expect(creates()).toBe(again ? 3 : 2)
  })

  test('the start and `config check` say what a lost answer costs, and what is set in vain', async () => {
    await open(given)
    const said = engine.log.flatMap(({ level, message }) => (level === 'warn' ? [message] : []))
    const isSearched = evidence === 'list'
    const check = evidenceWarnings(able(given), { exclusive: given.exclusive, resend_when_absent: given.resend }, true)
    expect(said).toHaveLength(evidence === 'none' ? 1 : 0)
    expect(check.flatMap(([, message]) => (message.includes('no effect') ? [] : [message]))).toEqual(said)
    // What could help is named, and nothing else.
    for (const message of said) {
      expect(message.includes('exclusive: true')).toBe(given.list)
      expect(message).not.toContain('server.public_url')
    }
    const inVain = check.flatMap(([key, message]) => (message.includes('no effect') ? [key] : []))
    const searchable = given.list && !given.keys
    expect(inVain).toEqual([
      ...(given.exclusive && !searchable ? ['exclusive'] : []),
      ...(given.resend && !isSearched ? ['resend_when_absent'] : []),
    ])
  })
})

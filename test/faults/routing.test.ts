import { expect, test } from 'vitest'
import { placeOf } from '../../src/engine/routing/rules.ts'
import type { ConfigDraft } from '../fakes/gateway.ts'
import { seededRandom } from '../fakes/random.ts'
import { HOUR, SECOND } from '../fakes/records.ts'
import { postFault } from '../fakes/sandbox-faults.ts'
import { CLIENTS, virtualStage, type Answered, type ClientName, type VirtualStage } from './virtual.ts'
import { isFull } from '../fakes/full.ts'

/** Any sequence of rules, refusals, doubts and restarts: one paid job a video, and every client on its side. */

const BODY = { puppet_id: 'anna' }
const ALIASES = { puppets: { anna: { main: { image_url: 'https://example.com/anna.png' }, alt: 'pup_ada' } } }
const CREATE = { primary: 'createVideoFromText', alternate: 'createVideo' } as const

/** What one request meets. After a reset `after` the job is made, and nobody is told. */
const FAULTS = [
  ['primary', { kind: 'status', status: 503, when: 'before' }],
  ['primary', { kind: 'status', status: 402, when: 'before' }],
  ['primary', { kind: 'key-revoked' }],
  ['primary', { kind: 'reset', when: 'before' }],
  ['primary', { kind: 'reset', when: 'after' }],
  ['alternate', { kind: 'status', status: 503, when: 'before' }],
  ['alternate', { kind: 'status', status: 401, when: 'before' }],
  ['alternate', { kind: 'reset', when: 'before' }],
  ['alternate', { kind: 'reset', when: 'after' }],
] as const

const WEIGHTS = [0, 10, 50, 90, 100]
const routingOf = (weight: number, failover: boolean, waits: boolean): ConfigDraft['routing'] => ({
  rules: [{ split: { main: 100 - weight, alt: weight } }],
  ...(failover && { failover: { main: ['alt'], alt: ['main'] }, failover_on: ['down', 'no_slot', 'no_credits'] }),
  on_down: waits ? 'queue' : 'refuse',
})

interface Asked {
  client: ClientName
  text: string
  weight: number
  answer: Answered
}

const play = async (s: VirtualStage, random: () => number, steps: number): Promise<Asked[]> => {
  const one = <T>(from: readonly [T, ...T[]] | readonly T[]): T => {
    const picked = from[Math.floor(random() * from.length)]
    if (picked === undefined) throw new Error('nothing to pick from')
    return picked
  }
  const asked: Asked[] = []
  let weight = 0
  const rules = async (): Promise<void> => {
    weight = one(WEIGHTS)
    await s.restart(routingOf(weight, random() < 0.7, random() < 0.5))
  }
  await rules()
  for (let n = 0; n < steps; n += 1) {
    const chance = random()
    if (chance < 0.12) await rules()
    else if (chance < 0.25) await s.pass(Math.ceil(random() * 60) * SECOND)
    if (random() < 0.5) {
      const [from, fault] = one(FAULTS)
      await postFault(s.sandbox[`${from}Url`], { ...fault, operation: CREATE[from] })
    }
    // Some ask again, under the same key.
    const before = random() < 0.2 && asked.length > 0 ? one(asked) : null
    const { client, text } = before ?? { client: one(CLIENTS), text: `Hello ${n}.` }
    const answering = s.post({ ...BODY, text }, client, `key ${text}`)
    const state = { answered: false }
    void answering.finally(() => (state.answered = true))
    await s.passUntil(5 * 60 * SECOND, () => state.answered)
    asked.push({ client, text, weight, answer: await answering })
  }
  return asked
}

const videosOf = (asked: readonly Asked[]): Map<string, Asked> =>
  new Map(
    asked.flatMap((one) => {
      const { status, body, headers } = one.answer
      if (status !== 202 || headers.get('idempotency-replayed') !== null) return []
      return [[String(body['id']), one] as const]
    }),
  )

/** Some faults wait for a side that was tried no more: creates that name it meet them. Answers the ids of those. */
const meetLeft = async (s: VirtualStage): Promise<string[]> => {
  const ids: string[] = []
  for (;;) {
    const response = await fetch(`${s.sandbox.primaryUrl}/sandbox/faults`)
    const [fault] = ((await response.json()) as { data: { interface: keyof typeof CREATE }[] }).data
    if (!fault) return ids
    const backend = fault.interface === 'primary' ? 'main' : 'alt'
    const state: { answer: Answered | null } = { answer: null }
    void s.post({ ...BODY, text: 'Hello again.', backend }, 'anna').then((answer) => (state.answer = answer))
    await s.passUntil(5 * 60 * SECOND, () => state.answer !== null)
    if (state.answer?.status === 202) ids.push(String(state.answer.body['id']))
    await s.pass(60 * SECOND)
  }
}

test.each([1, 2, 3, 4, 5, 6].slice(0, isFull ? 6 : 3))(
  'seed %d',
  async (seed) => {
    const s = await virtualStage({ config: { aliases: ALIASES, backends: { main: { requests_per_minute: 10 } } } })
    const asked = await play(s, seededRandom(seed), 40)
    const named = await meetLeft(s)
    const first = videosOf(asked)
    // Something happened: videos on both sides, and refusals.
    expect(first.size).toBeGreaterThan(10)
    expect(s.sandbox.ledger().requests.filter(({ fault }) => fault !== null).length).toBeGreaterThan(5)
    await s.passUntil(6 * HOUR, () => s.allEnded([...first.keys(), ...named]))

    const records = await Promise.all([...first.keys()].map((id) => s.record(id)))
    // One text of one client is one video, however often it was asked for.
    const texts = new Map<string, string>()
    for (const { id, client, input } of records) {
      expect(texts.get(`${client} ${input.text}`) ?? id).toBe(id)
      texts.set(`${client} ${input.text}`, id)
    }
    // Each job is one video's; what no video has can only be one that a doubt left, which ended as unknown.
    const jobs = s.sandbox.ledger().jobs.map(({ id }) => id)
    const others = await Promise.all(named.map((id) => s.record(id)))
    const owned = [...records, ...others].flatMap(({ backendJobId }) => backendJobId ?? [])
    expect(new Set(owned).size).toBe(owned.length)
    const unknown = [...records, ...others].filter(({ error }) => error?.code === 'create_outcome_unknown')
    expect([...jobs].filter((id) => !owned.includes(id)).length).toBeLessThanOrEqual(unknown.length)
    // Where the split leads is where it was tried first.
    for (const record of records) {
      const { client, weight } = first.get(record.id) ?? { client: '', weight: Number.NaN }
      const side = placeOf(null, client) < weight ? 'alt' : 'main'
      const by = record.backend === side ? 'rule' : 'failover'
      const { chosen_by: chosenBy, considered } = record.routing
      expect([record.id, chosenBy, considered[0]?.backend]).toEqual([record.id, by, side])
    }
  },
  120_000,
)

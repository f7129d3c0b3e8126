import { expect, test } from 'vitest'
import {
  NEW,
  NO_POLLS,
  type PollMemory,
  type Unwritten,
  createMemories,
  setMemory,
} from '../../../../src/engine/polling/poll-plan.ts'
import { seededRandom } from '../../../fakes/random.ts'

const AT = 1_795_168_800_000
const random = seededRandom(11)
const whole = (below: number): number => Math.floor(random() * below)
const moment = (): number | null => (random() < 0.3 ? null : AT + whole(1e9))

const anyMemory = (): PollMemory => ({
  version: whole(1_000),
  dueAtMs: AT + whole(1e9) + random(),
  notBeforeMs: moment(),
  failures: whole(70_000),
  lastPollAtMs: moment(),
  ranAtMs: moment(),
  must: random() < 0.5,
  alone: random() < 0.5,
  readings: Array.from({ length: random() < 0.5 ? 0 : whole(9) }, () => ({
    elapsedMs: whole(1e6),
    progress: random(),
  })),
})
const anyUnwritten = (): Unwritten => ({
  polls: Array.from({ length: whole(6) }, () => ({
    at: AT + whole(1e9),
    type: 'polled',
    detail: `processing, ${whole(9)} %`,
  })),
  leftOut: 0,
})

test('however memories come and go, each comes back as it was put, with its own unwritten polls', () => {
  const memories = createMemories()
  const model = new Map<string, { memory: PollMemory; unwritten: Unwritten }>()
  for (let n = 0; n < 20_000; n += 1) {
    const id = `vid_${whole(60)}`
    const what = random()
    if (what < 0.5) {
      const memory = anyMemory()
      memories.set(id, memory)
      model.set(id, { memory, unwritten: model.get(id)?.unwritten ?? NO_POLLS })
    } else if (what < 0.75) {
      const unwritten = anyUnwritten()
      const known = model.get(id)
      memories.keepUnwritten(id, unwritten)
      if (known) model.set(id, { ...known, unwritten })
    } else {
      memories.delete(id)
      model.delete(id)
    }
    const seen = `vid_${whole(60)}`
    expect(memories.get(seen)).toEqual(model.get(seen)?.memory)
    expect(memories.unwritten(seen).polls).toEqual(model.get(seen)?.unwritten.polls ?? [])
    expect([memories.size(), memories.has(seen)]).toEqual([model.size, model.has(seen)])
  }
  expect([...memories.ids()].toSorted()).toEqual([...model.keys()].toSorted())
})

test('how many polls were left out is kept with them, and goes with them', () => {
  const memories = createMemories()
  setMemory(memories, 'a', { ...NEW, version: 1 })
  memories.keepUnwritten('a', { polls: [{ at: AT, type: 'polled', detail: 'queued' }], leftOut: 7 })
  expect(memories.unwritten('a').leftOut).toBe(7)
  memories.delete('a')
  setMemory(memories, 'a', { ...NEW, version: 1 })
  expect(memories.unwritten('a')).toEqual(NO_POLLS)
})

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFairQueue, type FairQueue, type Turn } from '../../src/webhooks/queue.ts'

const queueOf = (limits: Partial<Parameters<typeof createFairQueue>[0]> = {}) =>
  createFairQueue({ perLane: 2, total: 10, capacity: 100, ...limits })

/** `a1` waits in lane `a`, all lanes are one client's but those in capitals. */
const turn = (id: string): Turn => ({
  id,
  lane: id.charAt(0),
  client: /[A-Z]/.test(id) ? id.charAt(0) : 'acme',
  video: null,
})

const drain = (queue: FairQueue): string[] => {
  const started: string[] = []
  for (let next = queue.next(); next; next = queue.next()) started.push(next.id)
  return started
}

describe('a fair queue', () => {
  test('takes lanes in turn, and each lane in order', () => {
    const queue = queueOf({ perLane: 9 })
    for (const id of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.offer(turn(id))
    expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
  })

  test('what goes first passes those of its own lane alone, has a place in a full queue, and holds a slot', () => {
    const queue = queueOf({ perLane: 1, capacity: 3 })
    for (const id of ['b1', 'a1', 'a2']) queue.offer(turn(id))
    expect(queue.offer(turn('a3'))).toBe(false)
    expect(queue.offer(turn('a4'), 'first')).toBe(true)
    expect(queue.offer(turn('a4'), 'first')).toBe(false)
    expect(queue.sizes()).toEqual({ waiting: 4, running: 0, freed: 0 })
    expect(drain(queue)).toEqual(['b1', 'a4'])
    queue.done(turn('a4'))
    expect(drain(queue)).toEqual(['a1'])
    queue.offer(turn('a5'), 'first')
    queue.clear()
    expect(queue.sizes()).toEqual({ waiting: 0, running: 2, freed: 0 })
    expect(queue.has('a5')).toBe(false)
  })

  test('a full lane holds up no other, and goes on when one of its own ends', () => {
    const queue = queueOf()
    for (const id of ['a1', 'a2', 'a3', 'a4', 'b1']) queue.offer(turn(id))
    expect(drain(queue)).toEqual(['a1', 'b1', 'a2'])
    queue.done(turn('b1'))
    expect(drain(queue)).toEqual([])
    queue.done(turn('a2'))
    expect(drain(queue)).toEqual(['a3'])
    expect(queue.sizes()).toEqual({ waiting: 1, running: 2, freed: 0 })
  })

  test('a lane whose work ends quickly does not overtake those that wait for their turn', () => {
    const queue = queueOf({ perLane: 1, total: 1 })
    for (const id of ['a1', 'a2', 'b1', 'c1']) queue.offer(turn(id))
    const order: string[] = []
    for (let next = queue.next(); next; next = queue.next()) {
      order.push(next.id)
      queue.done(next)
    }
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2'])
  })

  test('starts no more than `total`', () => {
    const queue = queueOf({ total: 3 })
    for (const id of ['a1', 'b1', 'c1', 'd1']) queue.offer(turn(id))
    expect(drain(queue)).toHaveLength(3)
    queue.done(turn('b1'))
    expect(drain(queue)).toEqual(['d1'])
  })

  test('takes clients in turn: one with many lanes has no more turns than one with a single lane', () => {
    const queue = queueOf()
    for (const id of ['a1', 'b1', 'c1', 'A1', 'A2', 'B1']) queue.offer(turn(id))
    expect(drain(queue)).toEqual(['a1', 'A1', 'B1', 'b1', 'A2', 'c1'])
  })

  test('a client whose lanes are all stuck leaves slots for others, and for one that comes after those', () => {
    const queue = queueOf({ perLane: 8, total: 256, capacity: 10_000 })
    for (let n = 0; n < 2_000; n += 1) queue.offer({ id: `${n}`, lane: `${n % 50}`, client: 'stuck', video: null })
    expect(drain(queue)).toHaveLength(228)
    for (let n = 0; n < 2_000; n += 1)
      queue.offer({ id: `too ${n}`, lane: `too ${n % 50}`, client: 'stuck, too', video: null })
    expect(drain(queue).length).toBeGreaterThan(20)
    queue.offer(turn('A1'))
    expect(drain(queue)).toEqual(['A1'])
  })

  test('a lane with an endless backlog leaves places to wait for others', () => {
    const queue = queueOf({ capacity: 100 })
    const taken = Array.from({ length: 200 }, (_, n) => queue.offer(turn(`a${n}`))).filter(Boolean)
    expect(taken).toHaveLength(89)
    expect(queue.offer(turn('b1'))).toBe(true)
  })

  test('knows an id once, while it waits and while it runs', () => {
    const queue = queueOf()
    expect(queue.offer(turn('a1'))).toBe(true)
    expect(queue.offer(turn('a1'))).toBe(false)
    queue.next()
    expect(queue.has('a1')).toBe(true)
    expect(queue.offer(turn('a1'))).toBe(false)
    queue.done(turn('a1'))
    queue.done(turn('a1'))
    expect(queue.has('a1')).toBe(false)
    expect(queue.offer(turn('a1'))).toBe(true)
    expect(queue.sizes()).toEqual({ waiting: 1, running: 0, freed: 0 })
  })

  test('gives a slot on before its holder has ended, which is still known then', () => {
    const queue = queueOf({ perLane: 1, total: 1, capacity: 2 })
    for (const id of ['a1', 'a2', 'b1']) queue.offer(turn(id))
    expect(drain(queue)).toEqual(['a1'])
    queue.free(turn('a1'))
    queue.free(turn('a1'))
    expect(queue.sizes()).toEqual({ waiting: 1, running: 0, freed: 1 })
    expect([queue.has('a1'), queue.offer(turn('a1'))]).toEqual([true, false])
    expect(drain(queue)).toEqual(['a2'])
    queue.done(turn('a1'))
    expect(queue.sizes()).toEqual({ waiting: 0, running: 1, freed: 0 })
    expect([queue.has('a1'), queue.offer(turn('a1'))]).toEqual([false, true])
    queue.free(turn('a2'))
    expect(drain(queue)).toEqual(['a1'])
    queue.done(turn('a2'))
    queue.done(turn('a1'))
    expect(queue.sizes()).toEqual({ waiting: 0, running: 0, freed: 0 })
  })

  test('takes no more than `capacity` waiting ones, and forgets them when cleared', () => {
    const queue = queueOf({ capacity: 2 })
    expect(['a1', 'a2', 'a3'].map((id) => queue.offer(turn(id)))).toEqual([true, true, false])
    queue.next()
    queue.clear()
    expect(queue.sizes()).toEqual({ waiting: 0, running: 1, freed: 0 })
    expect(queue.next()).toBeNull()
    queue.done(turn('a1'))
    expect(queue.sizes()).toEqual({ waiting: 0, running: 0, freed: 0 })
  })

  test('whatever happens: limits hold, nothing is lost, no lane waits while it could run', () => {
    const step = fc.oneof(
      fc.record({ act: fc.constant('offer' as const), id: fc.nat(40) }),
      fc.record({ act: fc.constant('next' as const), id: fc.constant(0) }),
      fc.record({ act: fc.constant('free' as const), id: fc.nat(40) }),
      fc.record({ act: fc.constant('done' as const), id: fc.nat(40) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const queue = queueOf({ perLane: 2, total: 5, capacity: 1_000 })
        const waiting = new Set<string>()
        const running = new Map<string, Turn>()
        const freed = new Map<string, Turn>()
        for (const { act, id } of steps) {
          const each: Turn = { id: `d${id}`, lane: String(id % 4), client: String(id % 2), video: null }
          if (act === 'offer' && queue.offer(each)) waiting.add(each.id)
          const gone = act === 'done' || act === 'free' ? running.get(each.id) : undefined
          if (gone) {
            queue[act === 'free' ? 'free' : 'done'](gone)
            running.delete(gone.id)
            if (act === 'free') freed.set(gone.id, gone)
          }
          const ended = act === 'done' ? freed.get(each.id) : undefined
          if (ended) {
            queue.done(ended)
            freed.delete(ended.id)
          }
          const next = act === 'next' ? queue.next() : null
          if (next) {
            expect(waiting.delete(next.id)).toBe(true)
            running.set(next.id, next)
          }
          expect(queue.sizes()).toEqual({ waiting: waiting.size, running: running.size, freed: freed.size })
          expect(running.size).toBeLessThanOrEqual(5)
          for (const lane of '0123')
            expect([...running.values()].filter((one) => one.lane === lane).length).toBeLessThanOrEqual(2)
        }
        // End everything: all that waits gets its turn.
        while (waiting.size > 0 || running.size > 0) {
          for (let next = queue.next(); next; next = queue.next()) {
            waiting.delete(next.id)
            running.set(next.id, next)
          }
          expect(running.size).toBeGreaterThan(0)
          for (const one of running.values()) queue.done(one)
          running.clear()
        }
      }),
      { seed: 12, numRuns: 300 },
    )
  })
})

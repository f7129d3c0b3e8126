import { describe, expect, test } from 'vitest'
import type { Store } from '../../src/core/store/index.ts'
import { PuppetView } from '../../src/core/api/videos.ts'
import { KEYS } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { HOUR } from '../fakes/records.ts'
import { expectProblem } from './expect.ts'
import { BODY, keyed, start } from './puppet-stage.ts'

describe('POST /puppets under a key', () => {
  test('makes one puppet, and answers it again', async () => {
    const { main, create } = await start()
    const first = await create(BODY, keyed('order-1'))
    const again = await create({ backend: null, ...BODY }, keyed('order-1'))
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.body).toEqual(first.body)
    expectProblem(await create({ ...BODY, name: 'Other' }, keyed('order-1')), 'idempotency_key_conflict')
    expect(main.asked('POST', '/api/v1/puppets')).toHaveLength(1)
  })

  test('is another client’s own key, and its own puppet', async () => {
    const { main, create } = await start()
    const [ours, theirs] = [await create(BODY, keyed('k')), await create(BODY, keyed('k'), KEYS.bert)]
    expect([ours.body, theirs.body]).toMatchObject([{ id: 'main:pup_1' }, { id: 'main:pup_2' }])
    const sent = main.asked('POST', '/api/v1/puppets').map(({ headers }) => must(headers['idempotency-key']))
    expect(new Set(sent).size).toBe(2)
    // Nor can either tell what the other's is.
    for (const key of sent) expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })

  test('at once: one makes it, the others hear that it is being made', async () => {
    const { main, create } = await start()
    const all = await Promise.all(Array.from({ length: 20 }, () => create(BODY, keyed('k'))))
    for (const response of all.filter(({ status }) => status === 409)) {
      expect(expectProblem(response, 'idempotency_key_in_progress', { retryable: true }).retry_after_seconds).toBe(1)
    }
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(main.puppets.size).toBe(1)
  })

  test('a doubt keeps the key, and a repeat under it finds out what came of it', async () => {
    const { app, main, create } = await start({ backends: { main: { timeout: '2s' } } })
    // It is made, and the answer is lost on the way.
    app.main.answer((request) => {
      main.puppets.set('pup_1', {
        id: 'pup_1',
        imageUrl: (JSON.parse(request.body) as { imageUrl: string }).imageUrl,
        name: 'Me',
      })
      return { fault: 'reset' }
    })
    const lost = expectProblem(await create(BODY, keyed('k')), 'backend_error', { backend: 'main', retryable: true })
    expect(lost.retry_after_seconds).toBe(1)
    expect(lost.detail).toContain('same Idempotency-Key')
    expectProblem(await create({ ...BODY, name: 'Other' }, keyed('k')), 'idempotency_key_conflict')
    app.main.next({ status: 503, body: { error: 'down', message: 'no' } })
    expectProblem(await create(BODY, keyed('k')), 'backend_unavailable')
    // The refusal of a repeat proves nothing about the first.
    expectProblem(await create({ ...BODY, name: 'Other' }, keyed('k')), 'idempotency_key_conflict')
    app.main.answer({ status: 200, body: must(main.puppets.get('pup_1')) })
    const found = await create(BODY, keyed('k'))
    expect([found.status, PuppetView.parse(found.body).id]).toEqual([201, 'main:pup_1'])
    const keys = main.asked('POST', '/api/v1/puppets').map(({ headers }) => headers['idempotency-key'])
    expect([keys.length, new Set(keys).size]).toEqual([3, 1])
    expect((await create(BODY, keyed('k'))).status).toBe(200)
  })

  test('without a key a doubt invites nobody to make a second', async () => {
    const { app, create } = await start()
    app.main.next({ fault: 'reset' })
    const problem = expectProblem(await create(), 'backend_error', { retryable: false })
    expect(problem.detail).toContain('Idempotency-Key')
  })

  test('a crash before the answer was stored loses no puppet and makes no second', async () => {
    let broken = true
    const wrapStore = (store: Store): Store => ({
      ...store,
      made: (made, key) => (broken ? Promise.reject(new Error('no room')) : store.made(made, key)),
    })
    const { main, create, clock } = await start({ wrapStore })
    expectProblem(await create(BODY, keyed('k')), 'internal_error')
    broken = false
    expectProblem(await create(BODY, keyed('k')), 'idempotency_key_in_progress')
    clock.jump(60_000)
    expect((await create(BODY, keyed('k'))).status).toBe(201)
    expect(main.puppets.size).toBe(1)
    expect(main.asked('POST', '/api/v1/puppets')).toHaveLength(2)
  })

  test('a key is forgotten after a day; the backend’s own memory still makes no second', async () => {
    const { clock, main, create } = await start()
    await create(BODY, keyed('k'))
    clock.jump(24 * HOUR)
    expect((await create(BODY, keyed('k'))).status).toBe(201)
    expect(main.puppets.size).toBe(1)
    clock.jump(24 * HOUR)
    expectProblem(await create({ ...BODY, name: 'Other' }, keyed('k')), 'idempotency_key_conflict', { backend: 'main' })
  })

  test('a key is forgotten with its puppet: the same request makes another one', async () => {
    const { app, create } = await start()
    const { id } = PuppetView.parse((await create(BODY, keyed('k'))).body)
    await app.raw.delete(`/unified/v1/puppets/${id}`).set('authorization', `Bearer ${KEYS.anna}`).expect(204)
    const again = await create(BODY, keyed('k'))
    expect([again.status, PuppetView.parse(again.body).id === id]).toEqual([201, false])
    expect((await create(BODY, keyed('k'))).status).toBe(200)
    expectProblem(await create({ ...BODY, name: 'Other' }, keyed('k')), 'idempotency_key_conflict')
  })

  test('without budget nothing is sent, and the key stays free', async () => {
    const { app, create, listed } = await start({ backends: { main: { requests_per_minute: 1 } } })
    await listed()
    const problem = expectProblem(await create(BODY, keyed('k')), 'backend_unavailable', { retryable: true })
    expect(problem.retry_after_seconds).toBe(61)
    expectProblem(await create({ ...BODY, name: 'Other' }, keyed('k')), 'backend_unavailable')
    expect(app.main.requests).toHaveLength(1)
  })
})

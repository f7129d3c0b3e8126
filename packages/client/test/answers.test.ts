import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Talkbridge } from '../src/talkbridge.ts'
import { answer } from '../../../test/fakes/receiver.ts'
import { clientStage, KEY, thrown } from './stage.ts'

describe('an answer that is not the gateway’s', () => {
  test.each([
    ['a page', answer(200, { 'content-type': 'text/html' }, `<html>${KEY}</html>`)],
    ['nothing', answer(200, { 'content-type': 'application/json' })],
    ['half of it', answer(200, { 'content-type': 'application/json' }, '{"id":')],
    ['of no type', answer(200, {}, 'ok')],
  ])('is told as such, though it says 200: %s', async (_, behaviour) => {
    const { server, talkbridge } = await clientStage()
    server.respond(behaviour)
    const { videos } = talkbridge
    const calls = [videos.get('vid_1'), videos.create({ text: 'Hi.' }), videos.list().page()]
    const errors = await Promise.all(calls.map(thrown))
    for (const error of errors)
      expect(error).toMatchObject({ code: 'unexpected_answer', status: 200, retryable: false })
    expect(inspect(errors, { depth: 9, showHidden: true })).not.toContain(KEY)
    expect(server.requests).toHaveLength(3)
  })

  test('lines and tables are', async () => {
    const { server, talkbridge } = await clientStage()
    server.respond(answer(200, { 'content-type': 'text/csv; charset=utf-8' }, 'a,b\n'))
    const { data } = await talkbridge.GET('/unified/v1/usage', { parseAs: 'text' })
    expect(data).toBe('a,b\n')
  })
})

describe('what cannot be sent', () => {
  const drained = async (items: AsyncIterable<unknown>): Promise<void> => {
    for await (const _ of items);
  }
  const missing = { events_url: undefined, content_url: undefined } as unknown as { [name: string]: string } & {
    events_url: string
    content_url: string
  }
  const calls: [string, (videos: Talkbridge['videos']) => Promise<unknown>, RegExp][] = [
    ['a key of two lines', ({ create }) => create({ text: 'Hi.' }, { idempotencyKey: 'a\nb' }), /^idempotencyKey/],
    ['a key of other letters', ({ create }) => create({ text: 'Hi.' }, { idempotencyKey: 'ключ' }), /^idempotencyKey/],
    ['an id of two lines', ({ stream }) => drained(stream({ lastEventId: 'a\nb' })), /^lastEventId/],
    ['no link', ({ stream }) => drained(stream(missing)), /^events_url/],
    ['no file', ({ download }) => download(missing), /^content_url/],
    ['another path', ({ cancel }) => cancel('..'), /^id/],
  ]
  test.each(calls)('is refused before: %s', async (_, call, message) => {
    const { server, talkbridge } = await clientStage()
    const error = await thrown(Promise.resolve(talkbridge.videos).then(call))
    expect(error).toMatchObject({ code: 'invalid_option', message: expect.stringMatching(message) as string })
    expect(server.requests).toHaveLength(0)
  })
})

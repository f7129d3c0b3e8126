import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SANDBOX_CLIENT_KEY } from '../../src/cli/profile.ts'
import { OPERATIONS } from '../../src/routes/ops/surfaces.ts'
import { NOT_SERVED_YET } from '../fakes/documented.ts'
import { startProfile, type Profile } from './profile.ts'

/** "Try it" on the page of the API sends these as they stand to what `npm start` starts. */

let profile: Profile
beforeAll(async () => {
  profile = await startProfile()
})
afterAll(() => profile.close())

interface Answered {
  status: number
  text: string
  retryAfter: string | null
}

const post = async (path: string, example: unknown): Promise<Answered> => {
  const { addresses } = profile
  const body = JSON.stringify(example).replaceAll('http://127.0.0.1:4010', addresses['http://127.0.0.1:4010'])
  const headers = { authorization: `Bearer ${SANDBOX_CLIENT_KEY}`, 'content-type': 'application/json' }
  const answer = await fetch(`${addresses['http://127.0.0.1:8080']}${path}`, { method: 'POST', headers, body })
  return { status: answer.status, text: await answer.text(), retryAfter: answer.headers.get('retry-after') }
}

/** One that finds the window spent, or a create under way that may have made the job, comes back when it is told to. */
const posted = async (path: string, example: unknown): Promise<Answered> => {
  for (;;) {
    const answer = await post(path, example)
    if (![409, 503].includes(answer.status) || answer.retryAfter === null) return answer
    await pause(Number(answer.retryAfter) * 1_000)
  }
}

/** Of those that name something of yours in the path nobody can tell the id beforehand; nor is there a split. */
const SENT = OPERATIONS.filter(({ id }) => !NOT_SERVED_YET.includes(id)).flatMap(({ id, path, method, body }) =>
  body && method === 'post' && !/\{|\/admin\/migration\//.test(path)
    ? Object.entries(body.examples).map(([name, { value }]) => ({ id, name, path, value }))
    : [],
)

test('there are examples of every operation that makes something', () => {
  const making = [
    'alternateCreateVideo',
    'checkVideo',
    'createHostedAudioUploadUrl',
    'createPuppet',
    'createServiceSpeech',
    'createSpeech',
    'createUpload',
    'createVideo',
    'createVideoFromAudio',
    'createVideoFromText',
    'createWebhookEndpoint',
    'importVideo',
    'primaryCreatePuppet',
    'rotateWebhookSecret',
  ]
  const served = making.filter((id) => !NOT_SERVED_YET.includes(id))
  expect([...new Set(SENT.map(({ id }) => id))].toSorted()).toEqual(served)
})

test.each(SENT)('$id, $name: is taken as it stands', async ({ path, value }) => {
  const answer = await posted(path, value)
  expect(answer).toMatchObject({
    status: expect.toSatisfy((status: number) => status >= 200 && status < 300) as number,
  })
  if (path.endsWith('/check')) expect(JSON.parse(answer.text)).toMatchObject({ chosen: expect.any(String) as string })
})

import { expect, test } from 'vitest'
import { expectError } from './stage.ts'
import { sandboxStage } from './sandbox-stage.ts'

/** `/api/v1` with the alternate behind, and the primary still there for what the alternate lacks. */
const MOVED = { routing: { dropin: { primary: 'alt', alternate: 'main' } } }
const TEXT = { text: 'Hello there' }
interface Listed {
  data: { id: string; imageUrl: string }[]
}

test('the image of a listed puppet is that puppet, also before anybody listed it', async () => {
  const s = await sandboxStage(MOVED)
  const headers = { authorization: `Bearer ${s.sandbox.alternateKey}` }
  const known = await fetch(`${s.sandbox.alternateUrl}/v1/puppets`, { headers })
  const { data: puppets } = (await known.json()) as { data: { thumbnail_url: string }[] }
  const early = await s.post('/api/v1/videos/text', { ...TEXT, image_url: puppets[0]?.thumbnail_url })
  expect(early.status).toBe(202)
  const { data } = (await s.get('/api/v1/puppets')).body as Listed
  expect(data.map(({ imageUrl }) => imageUrl)).toEqual(puppets.map(({ thumbnail_url: url }) => url))
  const made: unknown[] = []
  for (const { imageUrl } of data) {
    const created = await s.post('/api/v1/videos/text', { ...TEXT, image_url: imageUrl })
    expect(created.status).toBe(202)
    const id = String(created.body.id).replace('api_video_', 'vid_')
    const { puppet_id: puppet } = (await s.get(`/v1/videos/${id}`)).body as { puppet_id: string }
    made.push(puppet)
  }
  expect(made).toEqual(data.map(({ id }) => id))
  const foreign = await s.post('/api/v1/videos/text', { ...TEXT, image_url: 'https://img.example/somebody.png' })
  expectError(foreign, 400, 'invalid_image', 'CAPABILITY_NOT_SUPPORTED')
  const plain = await s.post('/api/v1/videos/text', { ...TEXT, image_url: 'http://img.example/somebody.png' })
  expectError(plain, 400, 'invalid_request')
})

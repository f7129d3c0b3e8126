import { spawnSync } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import createClient from 'openapi-fetch'
import { expect, onTestFinished, test } from 'vitest'
import { clientTypes, freshClientTypes } from '../../../scripts/client-types.ts'
import { stage } from '../../../test/e2e/harness.ts'
import { bearer, KEYS } from '../../../test/fakes/gateway.ts'
import { temporaryFolder } from '../../../test/fakes/folder.ts'
import { must } from '../../../test/fakes/must.ts'
import type { paths } from '../src/schema.d.ts'

/** The document, proven by use: a client that knows nothing but the types made from it. */

const TSC = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc')

test('the types of a checkout are written anew where its document is another than theirs, and only there', async () => {
  const folder = await temporaryFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'schema.d.ts')
  await freshClientTypes(file)
  const text = await readFile(file, 'utf8')
  expect(text).toBe(await clientTypes())
  const old = new Date(0)
  await utimes(file, old, old)
  await freshClientTypes(file)
  expect((await stat(file)).mtimeMs).toBeGreaterThan(0)
  await writeFile(file, `of another document\n${text}`)
  await utimes(file, old, old)
  await freshClientTypes(file)
  expect(await readFile(file, 'utf8')).toBe(text)
})

test.each([
  ['unified', '/unified/v1/videos', 'createVideo'],
  ['primary', '/api/v1/videos/text', 'createVideoFromText'],
  ['alternate', '/v1/videos', 'createVideo'],
] as const)('types are made of the document of one surface alone, too, and compile: %s', async (surface, path, id) => {
  const folder = await temporaryFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  const use = `import type { operations, paths } from './schema.d.ts'\nexport const same: operations['${id}'] extends paths['${path}']['post'] ? true : false = true\n`
  await writeFile(join(folder, 'schema.d.ts'), await clientTypes(surface))
  await writeFile(join(folder, 'use.ts'), use)
  const strict = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--allowImportingTsExtensions', '--ignoreConfig']
  const { status, stdout } = spawnSync(process.execPath, [TSC, ...strict, join(folder, 'use.ts')], { encoding: 'utf8' })
  expect([stdout, status]).toEqual(['', 0])
})

test("the generator's own compiler is not ours", () => {
  expect(readlinkSync(join(import.meta.dirname, '../../../node_modules/.bin/tsc'))).toBe('../typescript/bin/tsc')
})

test('a typed client makes a video, waits for it, finds it and fetches it', async () => {
  // It is not over before the create is answered.
  const { gateway, receiver, verified } = await stage({ sandbox: { speed: 50 } })
  const client = createClient<paths>({ baseUrl: gateway().gateway.url, headers: bearer(KEYS.anna) })

  const voices = await client.GET('/unified/v1/voices', { params: { query: { backend: 'main', limit: 1 } } })
  const voice = must(must(voices.data).data[0])
  expect(voices.response.headers.get('x-cache')).toBe('miss')

  const wanted = {
    params: { header: { 'Idempotency-Key': 'order-1001' } },
    body: {
      image_url: 'https://example.com/anna.png',
      text: 'Hello from a typed client.',
      voice_id: voice.id,
      webhook_url: receiver.url,
      metadata: { order: '1001' },
    },
  } as const
  const created = await client.POST('/unified/v1/videos', wanted)
  expect(created.response.status).toBe(202)
  const { id } = must(created.data)
  const again = await client.POST('/unified/v1/videos', wanted)
  expect([again.data?.id, again.response.headers.get('idempotency-replayed')]).toEqual([id, 'true'])

  const read = await client.GET('/unified/v1/videos/{id}', {
    params: { path: { id }, query: { expand: 'timeline' }, header: { Prefer: 'wait=60' } },
  })
  const video = must(read.data)
  expect([video.status, video.source, video.metadata['order']]).toEqual(['completed', 'text', '1001'])
  expect(must(video.timeline).length).toBeGreaterThan(0)

  const list = await client.GET('/unified/v1/videos', { params: { query: { status: 'completed' } } })
  expect(must(list.data).data.map((one) => (one.object === 'video' ? one.id : null))).toEqual([id])
  const download = await client.GET('/unified/v1/videos/{id}/download', { params: { path: { id } } })
  const file = await fetch(must(download.data).download_url)
  expect(file.headers.get('content-type')).toBe('video/mp4')
  await file.body?.cancel()
  const [told] = await receiver.received(1)
  expect((await verified(told)).data.id).toBe(id)

  const refused = await client.GET('/unified/v1/videos/{id}', { params: { path: { id: 'vid_0' } } })
  const problem = must(refused.error)
  // Only a problem that the document names may be compared with here: `tsc` says so.
  expect(problem.code === 'video_not_found' && problem.retryable).toBe(false)
  expect(problem.code).toBe('video_not_found')
})

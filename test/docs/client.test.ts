import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTalkbridge, type ClientCode } from '../../packages/client/src/index.ts'
import { SANDBOX_CLIENT_KEY } from '../../src/cli/config-file.ts'
import { start } from '../cli/harness.ts'
import { installClient, type Installed } from '../../packages/client/test/install.ts'
import { skippedWithoutChromium, withPage } from '../fakes/chromium.ts'
import { freePort } from '../fakes/daemon.ts'
import { must } from '../fakes/must.ts'
import { matches, readPage } from './blocks.ts'
import { namedFiles } from './named-files.ts'
import { startProfile } from './profile.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/client.md'), 'utf8')
const { files, printed, nameless } = namedFiles(PAGE)

/** Of the sandbox. */
const VOICE = 'main:sandbox-en-us-ava'

let installed: Installed
beforeAll(async () => {
  installed = await installClient('express')
})
afterAll(() => installed.remove())

/** What `npm start` runs, and the page's files as they stand, but for its address. */
const open = async (env?: Record<string, string>) => {
  const profile = await startProfile(() => env ?? {})
  onTestFinished(() => profile.close())
  const url = profile.addresses['http://127.0.0.1:8080']
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(installed.folder, name), text.replaceAll('http://127.0.0.1:8080', url))
  return { url, talkbridge: createTalkbridge({ url, key: SANDBOX_CLIENT_KEY }) }
}

const run = async (name: string): Promise<string> => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [name], { cwd: installed.folder })
  expect(stderr).toBe('')
  return stdout.trim()
}

test('every block has a name by which it is run here, or says why it is not run', () => {
  expect(Object.keys(files)).toEqual(['video.mjs', 'create.mjs', 'receiver.mjs', 'page.js', 'upload.mjs', 'voices.mjs'])
  const { blocks, reasons } = readPage(PAGE)
  expect([nameless, blocks.length, reasons.includes('')]).toEqual([0, 0, false])
})

test.each(['video.mjs', 'create.mjs', 'upload.mjs', 'voices.mjs'])('%s does what the page says', async (name) => {
  const { talkbridge } = await open()
  if (name === 'upload.mjs') {
    const { data } = await talkbridge.POST('/unified/v1/speech', { body: { text: 'Hello.', voice_id: VOICE } })
    const wav = await fetch(data.audio_url)
    writeFileSync(join(installed.folder, 'speech.wav'), new Uint8Array(await wav.arrayBuffer()))
  }
  const claim = must(printed[name])
  expect(matches(claim, await run(name)), claim).toBe(true)
  if (name === 'create.mjs') {
    const film = readFileSync(join(installed.folder, 'hello.mp4'))
    expect(film.toString('latin1', 4, 8)).toBe('ftyp')
  }
})

test('receiver.mjs takes a webhook of the gateway, once', async () => {
  const { talkbridge } = await open()
  const { data } = await talkbridge.GET('/unified/v1/webhook_secret')
  const port = await freePort()
  const env = { WEBHOOK_SECRET: data.secret, PORT: String(port) }
  const receiver = start([], { cwd: installed.folder, env, main: join(installed.folder, 'receiver.mjs') })
  await receiver.printed(/listening/)
  const body = { puppet_id: 'alt:pup_ada', text: 'Tell me.', webhook_url: `http://127.0.0.1:${port}/hook` }
  const video = await talkbridge.videos.create(body)
  await receiver.printed(new RegExp(`${video.id} http`))
  receiver.kill('SIGTERM')
  expect((await receiver.ended).stdout.trim().split('\n')).toEqual(['listening', `${video.id} ${video.content_url}`])
})

const listening = async (answers: (path: string) => [type: string, body: string]): Promise<string> => {
  const server = createServer((req, res) => {
    const [type, body] = answers(req.url ?? '')
    res.writeHead(200, { 'content-type': type }).end(body)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.skipIf(skippedWithoutChromium())('page.js lists and follows in a browser, from another origin', async () => {
  let bundle = ''
  const origin = await listening((path) => {
    if (path === '/page.js') return ['text/javascript', bundle]
    return path === '/talkbridge-key'
      ? ['text/plain', SANDBOX_CLIENT_KEY]
      : ['text/html', '<script type="module" src="/page.js"></script>']
  })
  const { talkbridge } = await open({ TALKBRIDGE_SERVER__CORS__ORIGINS__0: origin })
  const build = await rolldown({ input: join(installed.folder, 'page.js'), cwd: installed.folder, platform: 'browser' })
  bundle = (await build.generate({ format: 'esm', minify: true })).output[0].code
  const done = await talkbridge.videos.wait(
    (await talkbridge.videos.create({ puppet_id: 'alt:pup_ada', text: 'Done.' })).id,
  )
  const { id } = await talkbridge.videos.create({ puppet_id: 'alt:pup_ada', text: 'Show me.' })
  await withPage(async (page) => {
    const complaints: string[] = []
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())))
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(origin)
    await page.getByText(`${done.id} completed 1`).waitFor()
    await page.getByText(`${id} completed 1`).waitFor()
    expect(complaints).toEqual([])
  })
})

test('every code of the client is in the table', () => {
  const codes: Record<ClientCode, true> = {
    connection_failed: true,
    timeout: true,
    wait_timeout: true,
    unexpected_answer: true,
    webhook_invalid: true,
    invalid_option: true,
  }
  const [, table = ''] = PAGE.split('| Code of the client | When |')
  expect(Array.from(table.matchAll(/^\| `(\w+)` \|/gm), ([, code]) => code)).toEqual(Object.keys(codes))
})

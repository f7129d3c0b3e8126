import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildSandbox } from '../../../scripts/build.ts'
import { start, temporaryFolder } from '../../../test/cli/harness.ts'
import { oldNodes, skippedWithout } from '../../../test/fakes/servers.ts'

const ROOT = join(import.meta.dirname, '../../..')

test('what is published runs on what an installation brings, on a Node that strips no types', async () => {
  const folder = temporaryFolder()
  const dist = join(folder, 'dist')
  await buildSandbox(dist)
  const manifest: unknown = JSON.parse(readFileSync(join(dist, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({ bin: { 'talkbridge-sandbox': 'main.js' }, dependencies: { express: '5.3.0' } })
  expect(manifest).not.toHaveProperty('devDependencies')
  expect(readdirSync(dist)).toEqual(expect.arrayContaining(['LICENSE', 'LICENSES.txt', 'README.md', 'media']))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(ROOT, 'node_modules/express'), join(folder, 'node_modules/express'))

  const args = ['--json', '--primary-port', '0', '--alternate-port', '0']
  const running = start(args, { cwd: folder, main: join(dist, 'main.js'), flags: ['--no-strip-types'] })
  const { primary } = JSON.parse((await running.printed(/.*\n/))[0])
  const headers = { authorization: `Bearer ${primary.key}` }
  const job = await fetch(`${primary.url}/api/v1/videos/api_video_sample`, { headers })
  const film = await fetch(/http:[^"]+\.mp4[^"]*/.exec(await job.text())?.[0] ?? '')
  expect(Buffer.from(await film.arrayBuffer()).toString('latin1', 4, 8)).toBe('ftyp')
  expect(await (await fetch(`${primary.url}/openapi.json`)).json()).toHaveProperty('openapi', '3.1.0')
  running.kill('SIGTERM')
  expect(await running.ended).toMatchObject({ code: 0, stderr: '' })
})

test.skipIf(await skippedWithout(['oldNode']))(
  'each older Node of this machine says in one line what is needed',
  async () => {
    const dist = join(temporaryFolder(), 'dist')
    await buildSandbox(dist)
    const found = oldNodes()
    expect(found.length).toBeGreaterThan(0)
    for (const { path, version } of found) {
      const { code, stdout, stderr } = await start([join(dist, 'main.js')], { cwd: dist, command: path }).ended
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(new RegExp(`^talkbridge-sandbox: needs Node 24 or 26; this is ${version} \\(/.*\\)\\n$`))
    }
  },
)

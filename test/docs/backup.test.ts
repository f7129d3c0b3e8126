import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStore } from '../../src/stores/sqlite/index.ts'
import { openWaiting } from '../contract/store/helpers.ts'
import { fakeClock } from '../fakes/clock.ts'
import { must } from '../fakes/must.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/upkeep.md'), 'utf8')
const SCRIPT = must(/^## Back up and restore$.*?^```sh\n(.*?)^```$/ms.exec(PAGE)?.[1])

test('the backup that the page describes is whole, and for its owner alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'talkbridge-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'data'))
  const clock = fakeClock()
  const store = await openSqliteStore({ path: join(folder, 'data/talkbridge.db'), clock, owner: true })
  const video = await openWaiting(store)
  // As most users have it: what is made is for everybody to read.
  execFileSync('sh', ['-c', `umask 022\n${SCRIPT}`], {
    cwd: folder,
    env: { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` },
  })
  await store.close()
  const path = join(folder, 'backup.db')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  // On another machine, without the mark.
  await expect(openSqliteStore({ path, clock, owner: true })).rejects.toThrow('serve --restored')
  const copy = await openSqliteStore({ path, clock, owner: true, onRestored: () => undefined })
  onTestFinished(() => copy.close())
  expect(await copy.video(video.id)).toMatchObject({ id: video.id, client: video.client, phase: 'doubtful' })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { newVideo } from '../../src/core/video.ts'
import { openSqliteStore } from '../../src/stores/sqlite/index.ts'
import { fakeClock } from '../fakes/clock.ts'
import { ROOMY } from '../contract/store/helpers.ts'
import { draft, T0 } from '../fakes/records.ts'

const folderOfItsOwn = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'talkbridge-older-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('a field that a record was stored without is as of a new video', async () => {
  const path = join(folderOfItsOwn(), 'talkbridge.db')
  const open = () => openSqliteStore({ path, clock: fakeClock(T0), owner: true })
  const before = await open()
  const { video } = draft({ metadata: { a: '1' }, lane: 'l', replaces: 'vid_0' })
  await before.open({ video, events: [], notes: [] }, null, ROOMY, null)
  await before.close()

  const { id, client, account, backend, interface: kind, input, order, routing, version, createdAtMs } = video
  const given = { id, client, account, backend, interface: kind, input, order, routing, createdAtMs }
  const added = Object.keys(video).filter((field) => field !== 'version' && !Object.keys(given).includes(field))
  const gone = [...added, 'input.language', 'order.language'].map((field) => `'$.${field}'`).join()
  const db = new DatabaseSync(path)
  db.exec(`UPDATE videos SET data = json_remove(data, ${gone})`)
  db.close()

  const after = await open()
  onTestFinished(() => after.close())
  expect(await after.video(id)).toEqual({ ...newVideo(given), dueAtMs: null, version })
})

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openFile, migrate, PRAGMAS } from '../../src/stores/sqlite/db.ts'

const migrated = (): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), 'talkbridge-empty-'))
  try {
    const path = join(folder, 'talkbridge.db')
    const db = openFile(path, { readOnly: false })
    db.exec(PRAGMAS)
    migrate(db.raw)
    db.close()
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

let empty: Buffer | null = null

/** Puts an empty store of this version at `path`, unless there is a store: opening it then has nothing to migrate. */
export const layEmptyStore = (path: string): void => {
  if (existsSync(path)) return
  empty ??= migrated()
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, empty, { mode: 0o600 })
}

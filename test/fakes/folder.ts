import { mkdtempSync, statfsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 1024 ** 3

const hasRoom = (folder: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= ENOUGH_BYTES
  } catch {
    return false
  }
}

/** A folder in memory that all may write to; null where there is none with room. */
export const folderInMemory = (): string | null => (hasRoom(MEMORY) ? MEMORY : null)

/** What a test finds the real disk by. */
export const DISK = 'TALKBRIDGE_TEST_DISK'

/**
 * Makes the folder that all temporary folders of a run are in (as TMPDIR): in memory, where there is room. The store waits
 * for the disk at every commit, and only a power cut could tell: what survives a `kill -9` is in the kernel's hands. What
 * is on `temporaryFolderOnDisk` goes to the disk all the same.
 */
export const makeRunFolder = (): string => mkdtempSync(join(folderInMemory() ?? tmpdir(), 'talkbridge-run-'))

export const temporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'talkbridge-test-'))
export const temporaryFolderOnDisk = (): string => mkdtempSync(join(process.env[DISK] ?? tmpdir(), 'talkbridge-disk-'))

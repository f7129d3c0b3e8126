import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { NEEDED_BYTES, nearestFolder, type SqliteFacts, type Volume } from '../../stores/inspect.ts'
import type { Check, DoctorContext } from './context.ts'
import { findings, wordsOf, type Finding, type Rows } from './findings.ts'

export const STORE_ROWS = {
  store_ok: { level: 'ok', means: 'The store can be opened, and this version knows its schema.', advice: null },
  store_served: { level: 'ok', means: 'A running gateway holds the lock of the store.', advice: null },
  store_new: { level: 'ok', means: 'There is no store yet. The first start creates it.', advice: null },
  store_older: {
    level: 'fault',
    means: 'A development version wrote the store, before the first release. This version refuses to start on it.',
    advice: 'Begin with a new store.',
  },
  store_newer: {
    level: 'fault',
    means: 'A newer Talkbridge wrote the store. This version refuses to start on it.',
    advice: 'Start the newer version, or restore the backup from before the upgrade.',
  },
  store_restored: {
    level: 'fault',
    means: 'The store may be a copy from earlier, such as a restored backup. The gateway refuses to start on it.',
    advice:
      'If you restored a backup, start once with `serve --restored`. If not, put the newest store and its mark back.',
  },
  store_unreadable: {
    level: 'fault',
    means: 'The file at `store.path` cannot be opened, or is not a database.',
    advice: 'Give the file to this user, restore a backup, or set another `store.path`.',
  },
  store_not_ours: {
    level: 'fault',
    means: 'The file at `store.path` is a database of another program.',
    advice: 'Set another `store.path`.',
  },
  store_lock_foreign: {
    level: 'fault',
    means: 'The lock file beside the store is a link, or belongs to another user.',
    advice: 'If no gateway of that user serves the store, remove the lock file.',
  },
  folder_unwritable: {
    level: 'fault',
    means: 'The folder of `store.path` cannot be created, or this user cannot write to it.',
    advice: 'Create the folder and give it to the user of the gateway, or set another `store.path`.',
  },
  disk_full: {
    level: 'fault',
    means: 'The disk of `store.path` is almost full. The gateway refuses new videos.',
    advice: 'Free space on that disk, or move the store to a larger one.',
  },
  disk_low: {
    level: 'warning',
    means: 'The disk of `store.path` has less than 1 GiB left.',
    advice: 'Free space before it is full: lower `retention_days`, or move the store to a larger disk.',
  },
  disk_network: {
    level: 'warning',
    means: 'The store is on a network file system. Locks and writes are not reliable there.',
    advice: 'Put `store.path` on a local disk, or use `store.driver: postgres`.',
  },
  disk_memory: {
    level: 'warning',
    means: 'The store is in memory (tmpfs). A restart of the machine deletes it.',
    advice: 'Put `store.path` on a disk.',
  },
  disk_layer: {
    level: 'warning',
    means: 'The store is in the writable layer of a container. If you replace the container, you lose the store.',
    advice: 'Mount a volume, and put `store.path` on it.',
  },
} as const satisfies Rows
const say = findings(STORE_ROWS)

const LOW_BYTES = 1024 ** 3
const OFF_DISK = { network: 'disk_network', memory: 'disk_memory', layer: 'disk_layer' } as const
const KIND_TEXT = { network: 'on a network file system', memory: 'in memory', layer: 'in the layer of a container' }

const mebibytes = (bytes: number): string => `${Math.floor(bytes / 1024 ** 2)} MiB`

/** What is said of the file. Pure. */
const fileFindings = (path: string, { store, lock }: SqliteFacts): Finding[] => {
  const locked =
    lock === 'held'
      ? [say('store_served', 'store.path', `a gateway serves ${path}`)]
      : lock === 'foreign'
        ? [say('store_lock_foreign', 'store.path', `${path}.lock is not this user's own file`)]
        : []
  if (store === null) return [...locked, say('store_new', 'store.path', `there is no ${path} yet`)]
  const { version, oldest, known, isOurs, copyFault } = store
  const versions = `schema version ${version} of ${known}`
  if (version > known) return [...locked, say('store_newer', 'store.path', `${path} has ${versions} that are known`)]
  // A gateway that died at its first start leaves an empty file.
  if (version === 0 && !isOurs && statSync(path).size === 0)
    return [...locked, say('store_new', 'store.path', `${path} is empty`)]
  if (!isOurs) return [...locked, say('store_not_ours', 'store.path', `${path} has no tables of Talkbridge`)]
  if (version < oldest) return [...locked, say('store_older', 'store.path', `${path}: ${versions}`)]
  if (copyFault !== null) return [...locked, say('store_restored', 'store.path', copyFault)]
  return [...locked, say('store_ok', 'store.path', `${path}: ${versions}`)]
}

/** What is said of its disk. Pure. */
const volumeFindings = ({ kind, freeBytes }: Volume, folder: string, keepsStore: boolean): Finding[] => {
  const off =
    kind === 'disk' || !keepsStore ? [] : [say(OFF_DISK[kind], 'store.path', `${folder} is ${KIND_TEXT[kind]}`)]
  if (freeBytes === null) return off
  const left = `${mebibytes(freeBytes)} left in ${folder}`
  if (freeBytes < NEEDED_BYTES)
    return [...off, say('disk_full', 'store.path', `${left}; ${mebibytes(NEEDED_BYTES)} are reserved`)]
  return freeBytes < LOW_BYTES ? [...off, say('disk_low', 'store.path', left)] : off
}

const folderFindings = (path: string, { volumeOf }: DoctorContext, keepsStore: boolean): Finding[] => {
  const folder = nearestFolder(dirname(path), existsSync)
  try {
    if (!statSync(folder).isDirectory()) throw new Error(`${folder} is a file`)
    accessSync(folder, constants.W_OK | constants.X_OK)
    return volumeFindings(volumeOf(folder), folder, keepsStore)
  } catch (error) {
    return [say('folder_unwritable', 'store.path', wordsOf(error))]
  }
}

/** The file of `store.path`, its folder and its disk. With PostgreSQL only audio on its way is put there. */
export const storeCheck: Check = {
  name: 'store',
  async run(context) {
    const look = await context.store()
    const folder = folderFindings(look.path, context, look.driver === 'sqlite')
    if (look.driver === 'postgres') return folder
    if (folder.some(({ code }) => code === 'folder_unwritable') && !look.facts?.store) return folder
    if (look.facts) return [...fileFindings(look.path, look.facts), ...folder]
    return [say('store_unreadable', 'store.path', wordsOf(look.error)), ...folder]
  },
}

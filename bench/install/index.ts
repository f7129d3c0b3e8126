import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, shownRow, type Result, type Row } from '../report.ts'
import { install, type Installed, treeBytes } from './package.ts'
import { measureStarts, type Start, type Starts } from './starts.ts'

const CLIENT = join(import.meta.dirname, '../../packages/client')
const ROUNDS = 9
const GOAL_MB = 40
const GOAL_MS = 600
const CLIENT_MB = 2
const CLIENT_PACKAGES = 6
const TREE_MIB = 480

const MB = 1_000_000
const MIB = 2 ** 20
const wallOf = (starts: readonly Start[]): number => median(starts.map(({ wallMs }) => wallMs))
const cpuOf = (starts: readonly Start[]): number => median(starts.map(({ cpuMs }) => cpuMs))

const shown = (starts: readonly Start[]): string => {
  const walls = starts.map(({ wallMs }) => wallMs)
  const range = `${Math.min(...walls).toFixed(0)}–${Math.max(...walls).toFixed(0)}`
  return `${median(walls).toFixed(0)} ms (${range}), ${cpuOf(starts).toFixed(0)} ms CPU`
}

interface Sizes {
  gateway: Installed
  client: Installed
  treeBytes: number
}

/** Pure: what was measured, line by line. */
export const rowsOf = ({ gateway, client, treeBytes: tree }: Sizes, starts: Starts): Row[] => {
  const { diskBytes, contentBytes, packedBytes, files, packages } = gateway
  const held = (what: string, goal: string, measured: string, met: boolean): Row => {
    return { what, goal, measured, optimum: null, met }
  }
  const size = `${(diskBytes / MB).toFixed(1)} MB on the disk, ${(contentBytes / MB).toFixed(1)} MB of content`
  const start = (what: string, of: readonly Start[]): Row =>
    held(what, `< ${GOAL_MS} ms`, shown(of), wallOf(of) < GOAL_MS)
  const times = (of: readonly Start[]): string =>
    `${(cpuOf(of) / cpuOf(starts.express)).toFixed(1)}× its CPU, ${(wallOf(of) / wallOf(starts.express)).toFixed(1)}× its time`
  return [
    held('what npm installs', `< ${GOAL_MB} MB`, size, diskBytes < GOAL_MB * MB),
    shownRow(
      'packages and files',
      `${packages} packages, ${files} files; the package itself ${(packedBytes / MB).toFixed(1)} MB packed`,
    ),
    held(
      'the client',
      `< ${CLIENT_MB} MB, ≤ ${CLIENT_PACKAGES} packages`,
      `${(client.contentBytes / MB).toFixed(1)} MB of content, ${client.packages} packages`,
      client.contentBytes < CLIENT_MB * MB && client.packages <= CLIENT_PACKAGES,
    ),
    held('a checkout after npm ci', `< ${TREE_MIB} MiB`, `${(tree / MIB).toFixed(0)} MiB`, tree < TREE_MIB * MIB),
    shownRow('node -p, without a line of ours', shown(starts.node)),
    shownRow('bare Express 5', shown(starts.express)),
    start('the first start', starts.first),
    start('later starts', starts.later),
    shownRow('the first start beside bare Express 5', times(starts.first)),
    shownRow('later starts beside bare Express 5', times(starts.later)),
  ]
}

/** What an installation of the package brings, and how long the gateway takes from its start to `/readyz`. */
export const installation = async (rounds: number = ROUNDS): Promise<Result> => {
  const folder = mkdtempSync(join(tmpdir(), 'talkbridge-install-'))
  try {
    const gateway = await install(join(folder, 'gateway'))
    const client = await install(join(folder, 'client'), CLIENT)
    const inIt = (path: string): string => join(gateway.folder, path)
    const subject = { express: inIt('express.mjs'), talkbridge: inIt('node_modules/talkbridge/dist/main.js') }
    return {
      name: 'install',
      notes: [
        'the package as `npm pack` makes it, installed by `npm install` into an empty folder',
        `medians of ${rounds} rounds in turn, from the start of the process to the first 200 of /readyz, each with a new store`,
        'a first start has no compiled code of the gateway; it keeps what it compiled for later starts',
      ],
      rows: rowsOf({ gateway, client, treeBytes: treeBytes() }, await measureStarts(subject, rounds)),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

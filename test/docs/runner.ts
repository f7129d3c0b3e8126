import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { COMMAND } from '../fakes/bundled.ts'
import { HANG_MS } from '../fakes/until.ts'
import { matches, readPage, type Block } from './blocks.ts'

/** A whole page takes seconds. */

/**
 * The commands of a page run as they stand; around curl it is noted what was answered, which a reader would see with
 * `-i`. Hanging up a stream by `-m` is what a page asked for, and no failure.
 */
const PREAMBLE = String.raw`
set -euo pipefail
curl() {
  local kept code=0 status
  kept=$(mktemp "$GUIDE/answer.XXXXXX")
  command curl -sS --max-time 60 "$@" -w '%{stderr}%{http_code}' 2>"$kept.said" | tee "$kept" || code=$?
  status=$(tail -c 3 "$kept.said")
  printf 'curl %s %s\n' "$status" "$kept" >>"$GUIDE/log"
  [ "$code" = 0 ] || sed 's/^/curl: /' "$kept.said" >&2
  case $code$status in 282*) code=0 ;; esac
  return "$code"
}
talkbridge() { "$GUIDE_NODE" "$GUIDE_MAIN" "$@"; }
block() {
  printf '\n\036'
  printf 'block %s\n' "$1" >>"$GUIDE/log"
}
`

interface Answer {
  readonly status: number
  readonly body: string
}
interface Ran {
  readonly block: Block
  readonly answers: readonly Answer[]
  readonly printed: string
}

const answersOf = (log: readonly string[]): Promise<Answer[]> =>
  Promise.all(
    log.map(async (entry) => {
      const [, status, file = ''] = entry.split(' ')
      return { status: Number(status), body: await readFile(file, 'utf8') }
    }),
  )

const runBlocks = async (
  folder: string,
  blocks: readonly Block[],
): Promise<{ code: number | null; stderr: string; ran: Ran[] }> => {
  const script = blocks.map(({ line, script }) => `block ${line}\n${script}`).join('\n')
  await writeFile(join(folder, 'log'), '')
  await writeFile(join(folder, 'page.sh'), `${PREAMBLE}\n${script}\nwait\n`)
  const child = spawn('bash', [join(folder, 'page.sh')], {
    cwd: folder,
    // Nobody's ~/.curlrc, and no proxy.
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      TMPDIR: folder,
      GUIDE: folder,
      LC_ALL: 'C.UTF-8',
      GUIDE_NODE: process.execPath,
      GUIDE_MAIN: COMMAND,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: HANG_MS,
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const printed = stdout.replaceAll('\r', '').split('\n\u001E')
  const logs = (await readFile(join(folder, 'log'), 'utf8')).split(/^block \d+\n/m)
  const ran: Ran[] = []
  for (const [index, log] of logs.slice(1).entries()) {
    const block = blocks[index]
    const answers = await answersOf(log.split('\n').filter(Boolean))
    if (block) ran.push({ block, answers, printed: (printed[index + 1] ?? '').trim() })
  }
  return { code: child.exitCode, stderr: stderr.trim(), ran }
}

const shorten = (words: string): string => (words.length > 2_000 ? `${words.slice(0, 2_000)} [cut]` : words)

const faultsOf = ({ block, answers, printed }: Ran): string[] => {
  const where = `line ${block.line}`
  const last = answers.at(-1)
  const unannounced = (block.status === null ? answers : answers.slice(0, -1)).filter(({ status }) => status >= 400)
  const faults = unannounced.map(({ status, body }) => `${where}: nobody announced ${status}: ${shorten(body)}`)
  if (block.status !== null && last?.status !== block.status) {
    const was = last ? `${last.status}: ${shorten(last.body)}` : 'nothing'
    faults.push(`${where}: announced is ${block.status}, answered was ${was}`)
  }
  if (block.printed !== null && !matches(block.printed, printed)) {
    faults.push(`${where}: announced is\n${block.printed}\nprinted was\n${shorten(printed)}`)
  }
  return faults
}

/**
 * Runs the blocks of a page, one after the other, in one bash, each address of `addresses` as the page has it replaced
 * by the real one; answers what is not as the page says.
 */
export const runPage = async (markdown: string, addresses: Readonly<Record<string, string>>): Promise<string[]> => {
  const real = Object.entries(addresses).reduce((page, [written, meant]) => page.replaceAll(written, meant), markdown)
  const folder = await mkdtemp(join(tmpdir(), 'talkbridge-guide-'))
  try {
    const { code, stderr, ran } = await runBlocks(folder, readPage(real).blocks)
    const faults = ran.flatMap(faultsOf)
    if (code !== 0) faults.push(`line ${ran.at(-1)?.block.line ?? 0}: bash ended with ${code}: ${stderr}`)
    return faults
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** True when there is no bash, or no curl with --json (7.82), and there need not be, which is said on stderr; in CI there must. */
export const skippedWithoutCurl = (): boolean => {
  const works = (command: string, flags: readonly string[]): boolean => spawnSync(command, flags).status === 0
  const there = works('bash', ['--version']) && works('curl', ['--json', '', '--version'])
  if (there || process.env['CI'] === 'true') return false
  process.stderr.write('\n*** SKIPPED: no bash, or no curl from 7.82 on, on the PATH. The guide is NOT run. ***\n\n')
  return true
}

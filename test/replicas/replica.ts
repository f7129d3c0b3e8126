import { spawn } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** One `talkbridge serve` in a process of its own. */
export interface Replica {
  readonly pid: number
  readonly port: number
  signal(signal: NodeJS.Signals): void
  hasEnded(): boolean
  /** With its exit code; null: it was killed. */
  readonly ended: Promise<number | null>
}

export interface Launch {
  /** The configuration's file. */
  file: string
  /** Its folder, where it keeps what is its own. */
  cwd: string
  env: Readonly<Record<string, string>>
  /** Gets all that it prints. */
  print: (text: string) => void
}

const SERVES = /"url":"http:\/\/[^"]*:(\d+)".*"talkbridge serves"/

/** Starts it and waits until it serves; rejects, with what it printed, if it ends instead. */
export const startReplica = async ({ file, cwd, env, print }: Launch): Promise<Replica> => {
  const child = spawn(process.execPath, [join(ROOT, 'scripts/talkbridge.js'), 'serve', '--config', file], {
    cwd,
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], TMPDIR: cwd, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let first: string | null = ''
  const serving = Promise.withResolvers<number>()
  const read = (text: string): void => {
    print(text)
    if (first === null) return
    first += text
    const port = SERVES.exec(first)?.[1]
    if (port === undefined) return
    first = null
    serving.resolve(Number(port))
  }
  child.stdout.setEncoding('utf8').on('data', read)
  child.stderr.setEncoding('utf8').on('data', read)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  void ended.then((code) => serving.reject(new Error(`a replica ended with ${code} before it served: ${first}`)))
  const port = await serving.promise
  return {
    pid: child.pid ?? 0,
    port,
    signal: (signal) => void child.kill(signal),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    ended,
  }
}

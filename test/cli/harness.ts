import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { COMMAND } from '../fakes/bundled.ts'

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  /** Resolves with the first match in what it has printed so far; rejects if it ends without. */
  printed(pattern: RegExp): Promise<RegExpMatchArray>
  /** The same on stderr. */
  said(pattern: RegExp): Promise<RegExpMatchArray>
  /** Reads no more of what it prints. */
  stopReading(): void
  kill(signal: NodeJS.Signals): void
  /** Needs `isTyped`. */
  type(text: string): void
  readonly ended: Promise<Ended>
}

export interface StartOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** Default: the command's, bundled. */
  readonly main?: string
  /** Of Node. */
  readonly flags?: readonly string[]
  /** In place of Node and the command. */
  readonly command?: string
  /** Its input stays open. */
  readonly isTyped?: boolean
}

/** The real command in a process of its own, with no variable of ours but `env` and where compiled code is; killed when the test ends. */
export const start = (
  args: readonly string[],
  { cwd, env, main = COMMAND, flags = [], command, isTyped = false }: StartOptions,
): Running => {
  const child = spawn(command ?? process.execPath, command === undefined ? [...flags, main, ...args] : args, {
    cwd,
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], TMPDIR: cwd, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  if (!isTyped) child.stdin.end()
  onTestFinished(() => void child.kill('SIGKILL'))
  const out = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (out.stderr += text))
  const ended = once(child, 'close').then((): Ended => ({ code: child.exitCode, ...out }))
  const matched = async (name: keyof typeof out, pattern: RegExp): Promise<RegExpMatchArray> => {
    for (;;) {
      const match = out[name].match(pattern)
      if (match) return match
      const over = await Promise.race([once(child[name], 'data').then(() => false), ended.then(() => true)])
      if (over) throw new Error(`it ended without printing ${String(pattern)}: ${out.stdout}${out.stderr}`)
    }
  }
  return {
    ended,
    stopReading: () => void child.stdout.pause(),
    kill: (signal) => void child.kill(signal),
    type: (text) => void child.stdin.write(text),
    printed: (pattern) => matched('stdout', pattern),
    said: (pattern) => matched('stderr', pattern),
  }
}

/** A folder that goes with the test. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'talkbridge-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

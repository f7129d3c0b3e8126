#!/usr/bin/env node
import { constants } from 'node:os'
import { join } from 'node:path'
import { keepHeapSmall, createStopping } from './cli/process.ts'

/** The `talkbridge` command: with config.ts the only place that sees the process (environment, arguments, signals). */
const OLDEST_NODE = 24
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(`talkbridge: needs Node 24 or 26; this is ${process.versions.node} (${process.execPath})\n`)
  process.exit(1)
}

/**
 * Ends the process, whatever hangs. `process.exit` waits for the threads of the process, and one may be in a lookup of
 * a name or a read of a dead disk; and a signal that the first process of a container sends itself does nothing. So
 * another program takes the place of this one, which ends immediately.
 */
const endNow = (code: number): void => {
  const exit = [process.execPath, '-e', `process.exit(${code})`]
  try {
    // The last lines of the log are written then.
    process.emit('exit', code)
    process.execve?.(process.execPath, exit, {})
  } finally {
    // Where there is no such call, or no such file any more.
    process.exit(code)
  }
}

// Node ignores it then, too, but warns of it on every start.
if (process.env['FORCE_COLOR'] !== undefined) delete process.env['NO_COLOR']

const stopping = createStopping(
  () => performance.now(),
  (signal) => endNow(128 + constants.signals[signal]),
)
const asks = (['SIGINT', 'SIGTERM'] as const).map((signal) => [signal, () => stopping.ask(signal)] as const)
const hear = (): void => asks.forEach(([signal, ask]) => process.on(signal, ask))
hear()

// `talkbridge config schema | head` closes the pipe: the end of the output, no error.
process.stdout.on('error', (error) => {
  if (!('code' in error) || error.code !== 'EPIPE') throw error
  process.exit()
})

// From the second start on the code is compiled already, that of its threads too. In a folder of the user's own: anyone who
// can write there runs code.
const { HOME, XDG_CACHE_HOME = HOME && join(HOME, '.cache') } = process.env
if (XDG_CACHE_HOME) process.env['NODE_COMPILE_CACHE'] ??= join(XDG_CACHE_HOME, 'talkbridge')
// These two not before the check above: an older Node has no such function, and cannot read what the command imports.
const { enableCompileCache } = await import('node:module')
if (process.env['NODE_COMPILE_CACHE']) enableCompileCache()

const { run } = await import('./cli/index.ts')
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  stdin: () => {
    // Who waits for input ends, too.
    stopping.signal.addEventListener('abort', () => process.stdin.destroy(new Error('interrupted')))
    return process.stdin
  },
  isTty: process.stdout.isTTY ?? false,
  stderrColumns: () => (process.stderr.isTTY ? process.stderr.columns : null),
  signal: stopping.signal,
  endWithin: (ms) => void setTimeout(() => endNow(Number(process.exitCode ?? 1)), ms).unref(),
  onHangup: (reload) => void process.on('SIGHUP', reload),
  whileBlocked: (work) => {
    for (const [signal, ask] of asks) process.off(signal, ask)
    try {
      return work()
    } finally {
      hear()
    }
  },
  keepHeapSmall: () => keepHeapSmall([...process.execArgv, process.env['NODE_OPTIONS'] ?? '']),
  cwd: process.cwd(),
})

#!/usr/bin/env node
import { constants } from 'node:os'
import { run } from './cli/index.ts'

/** The `talkbridge` command: with config.ts the only place that sees the process (environment, arguments, signals). */
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    // The first asks, the second insists.
    if (stopping.signal.aborted) process.exit(128 + constants.signals[signal])
    stopping.abort(signal)
  })

// `talkbridge config schema | head` closes the pipe: the end of the output, no error.
process.stdout.on('error', (error) => {
  if (!('code' in error) || error.code !== 'EPIPE') throw error
  process.exit()
})

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  stdin: () => process.stdin,
  isTty: process.stdout.isTTY ?? false,
  signal: stopping.signal,
  onHangup: (reload) => void process.on('SIGHUP', reload),
  cwd: process.cwd(),
})

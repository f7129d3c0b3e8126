#!/usr/bin/env node
import { Command } from 'commander'
import { sandboxCommand } from './command.ts'

/** `talkbridge-sandbox`: the only place that sees the process. */
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort())

await sandboxCommand(new Command('talkbridge-sandbox'), {
  stdout: (text) => void process.stdout.write(text),
  signal: stopping.signal,
  cwd: process.cwd(),
})
  .parseAsync()
  .catch((error: unknown) => {
    process.stderr.write(`talkbridge-sandbox: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  })

#!/usr/bin/env node
/** `talkbridge-sandbox`: the only place that sees the process. */
const OLDEST_NODE = 24
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  const { node } = process.versions
  process.stderr.write(`talkbridge-sandbox: needs Node 24 or 26; this is ${node} (${process.execPath})\n`)
  process.exit(1)
}

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort())

// Loaded only now: an older Node lacks what these modules import.
const { Command } = await import('commander')
const { sandboxCommand } = await import('./command.ts')

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

import { isLoopback } from '../config/fields.ts'
import { SANDBOX_CLIENT_KEY } from './config-file.ts'
import { CliError, GATEWAY_URL, type CliContext } from './context.ts'
import type { Command } from 'commander'

/** What a command that acts as a client of a gateway is given. */
export interface ConnectionOptions {
  readonly url: string
  readonly key?: string
}

export const withConnectionOptions = (command: Command): Command =>
  command
    .option('--url <url>', 'URL of the gateway', GATEWAY_URL)
    .option('--key <key>', 'key of the gateway (default: TALKBRIDGE_KEY, or on this machine the key of the sandbox)')

/** `command`: who complains; none: the program. */
export const httpUrl = (command: string, text: string, option: string, example: string): URL => {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new CliError(2, `talkbridge${command && ` ${command}`}: ${option} must be a URL such as ${example}`)
  return url
}

/** The gateway's address without the path of its API, and the key. The sandbox's fixed key is for this machine only. */
export const connectionOf = (
  command: string,
  { url, key }: ConnectionOptions,
  { env }: Pick<CliContext, 'env'>,
): { url: string; key: string } => {
  const base = httpUrl(command, url, '--url', GATEWAY_URL)
  const found = key ?? env['TALKBRIDGE_KEY']
  if (!found && !isLoopback(base.hostname))
    throw new CliError(2, `talkbridge ${command}: no key: set TALKBRIDGE_KEY to a key of the gateway`)
  // The address of its API is as good as its own.
  return { url: base.href.replace(/(\/unified\/v1)?\/*$/, ''), key: found || SANDBOX_CLIENT_KEY }
}

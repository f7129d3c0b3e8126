import { z } from 'zod'
import { KeyView, KeyWithSecretView } from '../core/api/admin.ts'
import { durationMs, UNIT_MS } from '../core/time/clock.ts'
import { adminCall } from './admin.ts'
import { CliError, GATEWAY_URL, type CliContext, type Register } from './context.ts'
import { columns } from './migrate/columns.ts'

/** A newer gateway may tell more. */
const Key = z
  .object(KeyView.shape)
  .omit({ status: true, scopes: true })
  .extend({
    status: z.string(),
    scopes: z.array(z.string()),
  })
const Issued = Key.extend({ key: KeyWithSecretView.shape.key })
const Page = z.object({ data: z.array(Key), next_cursor: z.string().nullable() })
type Key = z.infer<typeof Key>

interface Common {
  url: string
  json?: boolean
}
interface CreateOptions extends Common {
  client: string
  scopes: string
  name?: string
  expires?: string
}

const KEYS = '/unified/v1/admin/keys'
/** Some 270 years: a date has an end. */
const MAX_EXPIRY_MS = 99_999 * UNIT_MS.d

/** A duration from now, or a time; as the API takes it. */
const expiryOf = (text: string): string => {
  const ms = durationMs(text, ['m', 'h', 'd'])
  if (ms <= MAX_EXPIRY_MS) return new Date(Date.now() + ms).toISOString()
  if (z.iso.datetime({ offset: true }).safeParse(text).success) return text
  throw new CliError(2, '--expires must be a duration such as 90d, or a time in ISO 8601')
}

const HEAD = ['id', 'client', 'name', 'ends in', 'status', 'scopes', 'expires', 'last used', 'replaced by']
const NEVER = '-'
const rowOf = (key: Key): string[] => [
  key.id,
  key.client,
  key.name ?? NEVER,
  `…${key.last_four}`,
  key.status,
  key.scopes.join(','),
  key.expires_at ?? NEVER,
  key.last_used_at ?? NEVER,
  key.rotated_to ?? NEVER,
]

/** The key alone on its line, so that it can be copied, and what is about it on stderr. */
const show = (context: CliContext, raw: unknown, { json }: Common, about: (key: Key) => string): void => {
  if (json) return context.stdout(`${JSON.stringify(raw)}\n`)
  const issued = Issued.parse(raw)
  context.stderr(`${about(issued)}\nYou see it only now:\n`)
  context.stdout(`${issued.key}\n`)
}

const create: Register = (keys, context) => {
  keys
    .command('create')
    .description('issue a key, and print it once')
    .requiredOption('--client <id>', 'the client that gets the key')
    .requiredOption('--scopes <list>', 'what it may do, separated by commas: videos:read,videos:create')
    .option('--name <text>', 'what it is for')
    .option(
      '--expires <when>',
      'when it ends: a duration from now, such as 90d, or a time in ISO 8601 (default: never)',
    )
    .option('--url <url>', 'URL of the gateway', GATEWAY_URL)
    .option('--json', 'print what the gateway answers')
    .action(async (options: CreateOptions) => {
      const { client, scopes, name, expires, url } = options
      const body = {
        client,
        scopes: scopes.split(',').map((scope) => scope.trim()),
        ...(name !== undefined && { name }),
        ...(expires !== undefined && { expires_at: expiryOf(expires) }),
      }
      const raw = await adminCall(context, { method: 'POST', path: KEYS, body, url })
      show(context, raw, options, (key) => `${key.id}: a key of ${key.client}, ${key.scopes.join(' ')}`)
    })
}

const list: Register = (keys, context) => {
  keys
    .command('list')
    .description('list issued keys, newest first')
    .option('--client <id>', 'only keys of this client')
    .option('--url <url>', 'URL of the gateway', GATEWAY_URL)
    .option('--json', 'print them as JSON, one a line')
    .action(async ({ client, url, json }: Common & { client?: string }) => {
      const found: Key[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const query = new URLSearchParams({ limit: '100', ...(client && { client }), ...(cursor && { cursor }) })
        const path = `${KEYS}?${query.toString()}`
        const page = Page.parse(await adminCall(context, { method: 'GET', path, url }))
        found.push(...page.data)
        cursor = page.next_cursor
      }
      if (json) return found.forEach((key) => context.stdout(`${JSON.stringify(key)}\n`))
      context.stdout(found.length === 0 ? 'no key\n' : columns([HEAD, ...found.map(rowOf)]))
    })
}

const rotate: Register = (keys, context) => {
  keys
    .command('rotate')
    .description('replace a key: print the new one once; the old one still works for a while')
    .argument('<key>', 'the id of the key, key_…')
    .option('--overlap <duration>', 'how long both work: 0, or a duration up to 30d', '24h')
    .option('--expires <when>', 'when the new key ends (default: its lifetime is that of the old key)')
    .option('--url <url>', 'URL of the gateway', GATEWAY_URL)
    .option('--json', 'print what the gateway answers')
    .action(async (id: string, options: Common & { overlap: string; expires?: string }) => {
      const { overlap, expires, url } = options
      const body = { overlap, ...(expires !== undefined && { expires_at: expiryOf(expires) }) }
      const path = `${KEYS}/${encodeURIComponent(id)}/rotate`
      const raw = await adminCall(context, { method: 'POST', path, body, url })
      show(context, raw, options, (key) => `${key.id} replaces ${id}, which ends after ${overlap}`)
    })
}

const revoke: Register = (keys, context) => {
  keys
    .command('revoke')
    .description('end a key on every process, within a second')
    .argument('<key>', 'the id of the key, key_…')
    .option('--url <url>', 'URL of the gateway', GATEWAY_URL)
    .option('--json', 'print what the gateway answers')
    .action(async (id: string, { url, json }: Common) => {
      const path = `${KEYS}/${encodeURIComponent(id)}/revoke`
      const raw = await adminCall(context, { method: 'POST', path, url })
      const key = Key.parse(raw)
      context.stdout(json ? `${JSON.stringify(raw)}\n` : `${key.id}: revoked at ${key.revoked_at}\n`)
    })
}

/** `talkbridge keys …`: keys that the running gateway issues. */
export const keysCommand: Register = (program, context) => {
  const keys = program.command('keys').description('issue, list, rotate and revoke keys of the running gateway')
  for (const register of [create, list, rotate, revoke]) register(keys, context)
}

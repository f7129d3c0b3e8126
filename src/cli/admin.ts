import type { Command } from 'commander'
import { request } from 'undici'
import { z } from 'zod'
import { why, CliError, type CliContext, GATEWAY_URL, plain, type Register, columns } from './context.ts'
import { KeyView, KeyWithSecretView } from '../core/api/admin.ts'
import { durationMs, UNIT_MS } from '../core/time/clock.ts'
import { httpUrl } from './connection.ts'
import { AdminVideoView, BackendView } from '../core/api/videos.ts'

const TIMEOUT_MS = 60_000
const Refusal = z.object({ detail: z.string() })

/** Throws if the environment has none. */
export const adminKey = ({ env }: Pick<CliContext, 'env'>): string => {
  const key = env['TALKBRIDGE_ADMIN_KEY']
  if (!key) throw new CliError(2, 'no key: set TALKBRIDGE_ADMIN_KEY to a gateway key with the scope admin')
  return key
}

/** Where a path of the gateway is. Throws (exit 2) if `--url` is no URL. */
export const addressOf = (path: string, url: string): URL => new URL(path, httpUrl('', url, '--url', GATEWAY_URL))

/** Undefined: it is no JSON, so that no gateway wrote it. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What the gateway said where it refused; or that it was not the gateway. */
export const refusalOf = (status: number, body: unknown): CliError => {
  const refusal = Refusal.safeParse(body)
  const other = `something else than the gateway answered ${status}, such as a proxy`
  return new CliError(1, `talkbridge: ${refusal.success ? refusal.data.detail : other}`)
}

/** For a request that got no answer. */
export const unanswered =
  (url: string) =>
  (error: unknown): never => {
    throw new CliError(1, `talkbridge: no gateway answers at ${url}: ${why(error)}`)
  }

/**
 * One request of an operator to the running gateway at `url`: answers the body of a 200 or 201. Throws a `CliError`
 * without a key (exit 2), and with what the gateway refused (exit 1).
 */
export const adminCall = async (
  context: CliContext,
  url: string,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<unknown> => {
  const authorization = `Bearer ${adminKey(context)}`
  const response = await request(addressOf(path, url), {
    method,
    headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
    body: body ? JSON.stringify(body) : null,
    signal: AbortSignal.any([context.signal, AbortSignal.timeout(TIMEOUT_MS)]),
  }).catch(unanswered(url))
  const { statusCode: status } = response
  const raw = jsonOf(await response.body.text().catch(unanswered(url)))
  if (raw !== undefined && (status === 200 || status === 201)) return raw
  throw refusalOf(status, raw)
}

/** Adds the options of every command that asks the running gateway. */
export const withGatewayOptions = (command: Command, json = 'print what the gateway answers'): Command =>
  command.option('--url <url>', 'URL of the gateway', GATEWAY_URL).option('--json', json)

export interface GatewayOptions {
  url: string
  json?: boolean
}

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

interface CreateOptions extends GatewayOptions {
  client: string
  scopes: string
  name?: string
  expires?: string
}

const KEYS = '/unified/v1/admin/keys'
/** Some 270 years: a date has an end. */
const MAX_EXPIRY_MS = 99_999 * UNIT_MS.d

/** A duration from now, or a time; as the API takes it. */
const timeOf = (option: string, text: string): string => {
  const ms = durationMs(text, ['m', 'h', 'd'])
  if (ms <= MAX_EXPIRY_MS) return new Date(Date.now() + ms).toISOString()
  if (z.iso.datetime({ offset: true }).safeParse(text).success) return text
  throw new CliError(2, `${option} must be a duration such as 90d, or a time in ISO 8601`)
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

/** Only the key on its line, so that it can be copied, and what is about it on stderr. */
const show = (context: CliContext, raw: unknown, { json }: GatewayOptions, about: (key: Key) => string): void => {
  if (json) return context.stdout(`${JSON.stringify(raw)}\n`)
  const issued = Issued.parse(raw)
  context.stderr(`${about(issued)}\nYou see it only now:\n`)
  context.stdout(`${issued.key}\n`)
}

const create: Register = (keys, context) => {
  const command = keys
    .command('create')
    .description('issue a key, and print it once')
    .requiredOption('--client <id>', 'the client that gets the key')
    .requiredOption('--scopes <list>', 'what it may do, separated by commas: videos:read,videos:create')
    .option('--name <text>', 'what it is for')
    .option(
      '--expires <when>',
      'when it ends: a duration from now, such as 90d, or a time in ISO 8601 (default: never)',
    )
  withGatewayOptions(command).action(async (options: CreateOptions) => {
    const { client, scopes, name, expires, url } = options
    const body = {
      client,
      scopes: scopes.split(',').map((scope) => scope.trim()),
      ...(name !== undefined && { name }),
      ...(expires !== undefined && { expires_at: timeOf('--expires', expires) }),
    }
    const raw = await adminCall(context, url, 'POST', KEYS, body)
    show(context, raw, options, (key) => `${key.id}: a key of ${key.client}, ${key.scopes.join(' ')}`)
  })
}

const list: Register = (keys, context) => {
  const command = keys
    .command('list')
    .description('list issued keys, newest first')
    .option('--client <id>', 'only keys of this client')
  withGatewayOptions(command, 'print them as JSON, one a line').action(
    async ({ client, url, json }: GatewayOptions & { client?: string }) => {
      const found: Key[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const query = new URLSearchParams({ limit: '100', ...(client && { client }), ...(cursor && { cursor }) })
        const page = Page.parse(await adminCall(context, url, 'GET', `${KEYS}?${query.toString()}`))
        found.push(...page.data)
        cursor = page.next_cursor
      }
      if (json) return found.forEach((key) => context.stdout(`${JSON.stringify(key)}\n`))
      context.stdout(found.length === 0 ? 'no key\n' : columns([HEAD, ...found.map(rowOf)]))
    },
  )
}

const rotate: Register = (keys, context) => {
  const command = keys
    .command('rotate')
    .description('replace a key: print the new one once; the old one still works for a while')
    .argument('<key>', 'the id of the key, key_…')
    .option('--overlap <duration>', 'how long both work: 0, or a duration up to 30d', '24h')
    .option('--expires <when>', 'when the new key ends (default: its lifetime is that of the old key)')
  withGatewayOptions(command).action(
    async (id: string, options: GatewayOptions & { overlap: string; expires?: string }) => {
      const { overlap, expires, url } = options
      const body = { overlap, ...(expires !== undefined && { expires_at: timeOf('--expires', expires) }) }
      const raw = await adminCall(context, url, 'POST', `${KEYS}/${encodeURIComponent(id)}/rotate`, body)
      show(context, raw, options, (key) => `${key.id} replaces ${id}, which ends after ${overlap}`)
    },
  )
}

const revoke: Register = (keys, context) => {
  const command = keys
    .command('revoke')
    .description('end a key on every process, within a second')
    .argument('<key>', 'the id of the key, key_…')
  withGatewayOptions(command).action(async (id: string, { url, json }: GatewayOptions) => {
    const raw = await adminCall(context, url, 'POST', `${KEYS}/${encodeURIComponent(id)}/revoke`)
    const key = Key.parse(raw)
    context.stdout(json ? `${JSON.stringify(raw)}\n` : `${key.id}: revoked at ${key.revoked_at}\n`)
  })
}

/** `talkbridge keys …`: keys that the running gateway issues. */
export const keysCommand: Register = (program, context) => {
  const keys = program.command('keys').description('issue, list, rotate and revoke keys of the running gateway')
  for (const register of [create, list, rotate, revoke]) register(keys, context)
}

interface ResolveOptions extends GatewayOptions {
  job?: string
  absent?: boolean
  attempt?: string
  show?: boolean
}

/** A newer gateway may tell more. */
const Answer = z.object(AdminVideoView.pick({ id: true, status: true, backend_job_id: true, doubt: true }).shape)
type Answer = z.infer<typeof Answer>

/** Which attempt the word is about: one that was repeated must not be taken for word of the attempt that it made. */
const attemptOf = ({ id, status, doubt }: Answer, said: string | undefined): number => {
  if (!doubt) throw new CliError(1, `talkbridge: the create of this video is not in doubt: it is ${status}`)
  if (said !== undefined) return Number(said)
  if (doubt.attempt === 1) return 1
  const since = doubt.since === null ? '' : `, in doubt since ${doubt.since}`
  const how = `talkbridge resolve ${id} --absent --attempt ${doubt.attempt}`
  throw new CliError(
    1,
    `talkbridge: the attempt in doubt is attempt ${doubt.attempt}${since}; if you mean that one, run: ${how}`,
  )
}

const lineOf = (asked: string, { id, status, backend_job_id: job }: Answer): string => {
  // One that had been given up stays failed: its job is a video of its own.
  if (id !== asked) return `${id}: ${status}, job ${job} of ${asked}, which stays failed\n`
  return `${id}: ${status}, job ${job ?? (status === 'failed' ? 'none' : 'not yet known')}\n`
}

const doubtLines = ({ doubt }: Answer): string => {
  if (!doubt) return 'not in doubt\n'
  const { open, attempt, since, candidates } = doubt
  const state = open ? 'in doubt' : 'given up'
  const jobs = candidates.length > 0 ? candidates.join(', ') : 'none known'
  return `attempt ${attempt}: ${state}${since === null ? '' : ` since ${since}`}\njobs that may be it: ${jobs}\n`
}

/**
 * `talkbridge resolve VIDEO (--show | --job ID | --absent)`: ends a doubt that evidence cannot, or did not. Talks to
 * the running gateway.
 */
export const resolveCommand: Register = (program, context) => {
  const command = program
    .command('resolve')
    .description('decide what became of a create whose answer was lost')
    .argument('<video>', 'the id of the video')
    .option('--show', 'only print what is known: the attempt in doubt, and the jobs that it may have made')
    .option('--job <id>', 'the create made this job: the video gets it')
    .option('--absent', 'the create made no job: send it once more, if it is still in doubt')
    .option('--attempt <n>', 'with --absent: the attempt that you mean, if it is not the first')
  withGatewayOptions(command, 'print the video as JSON').action(async (id: string, options: ResolveOptions) => {
    const { job, absent = false, show = false, attempt, url, json } = options
    if ([job !== undefined, absent, show].filter(Boolean).length !== 1)
      throw new CliError(2, 'give one of --job ID, --absent and --show')
    if (attempt !== undefined && !(absent && /^[1-9]\d{0,8}$/.test(attempt)))
      throw new CliError(2, '--attempt needs --absent, and a number from 1')
    const path = `/unified/v1/admin/videos/${encodeURIComponent(id)}`
    const read = () => adminCall(context, url, 'GET', path)
    const resolve = (body: object) => adminCall(context, url, 'POST', `${path}/resolve`, body)
    const raw = show
      ? await read()
      : await resolve(absent ? { absent, attempt: attemptOf(Answer.parse(await read()), attempt) } : { job_id: job })
    const video = Answer.parse(raw)
    if (json) return context.stdout(`${JSON.stringify(raw)}\n`)
    context.stdout(`${lineOf(id, video)}${show ? doubtLines(video) : ''}`)
  })
}

/** A newer gateway may tell more. */
const Backend = z.object(BackendView.pick({ name: true }).shape).extend({
  paused: z.object(BackendView.shape.paused.unwrap().shape).nullable(),
})

const pausedLine = ({ name, paused }: z.infer<typeof Backend>): string => {
  if (!paused) return `${name}: not paused\n`
  const { creates, polls, until, reason } = paused
  const work = [...(creates ? ['creates'] : []), ...(polls ? ['polls'] : [])].join(' and ')
  return plain(`${name}: ${work} paused ${until === null ? 'until you resume it' : `until ${until}`}: ${reason}`) + '\n'
}

interface PauseOptions extends GatewayOptions {
  creates?: boolean
  polls?: boolean
  until?: string
  reason: string
}

/** `talkbridge backends pause|resume NAME`: what the running gateway sends a backend. */
export const backendsCommand: Register = (program, context) => {
  const backends = program.command('backends').description('pause and resume backends of the running gateway')
  const change = async (name: string, deed: string, { url, json }: GatewayOptions, body?: object) => {
    const path = `/unified/v1/admin/backends/${encodeURIComponent(name)}/${deed}`
    const raw = await adminCall(context, url, 'POST', path, body)
    context.stdout(json ? `${JSON.stringify(raw)}\n` : pausedLine(Backend.parse(raw)))
  }
  const pause = backends
    .command('pause')
    .description('send a backend no creates, or no polls, on every replica within two seconds')
    .argument('<name>', 'the name of the backend')
    .requiredOption('--reason <text>', 'why: clients see it')
    .option('--creates', 'send it no creates (the default, if you do not give --polls)')
    .option('--polls', 'do not ask it how its jobs are')
    .option('--until <when>', 'when the pause ends: a duration from now, such as 90m, or a time in ISO 8601')
  withGatewayOptions(pause).action(async (name: string, options: PauseOptions) => {
    const { creates, polls = false, until, reason } = options
    const end = until === undefined ? null : timeOf('--until', until)
    await change(name, 'pause', options, { creates: creates ?? !polls, polls, until: end, reason })
  })
  const resume = backends
    .command('resume')
    .description('end the pause of a backend')
    .argument('<name>', 'the name of the backend')
  withGatewayOptions(resume).action((name: string, options: GatewayOptions) => change(name, 'resume', options))
}

import { request } from 'undici'
import { CliError, type CliContext, type Register } from './context.ts'

interface Options {
  job?: string
  absent?: boolean
  url: string
  json?: boolean
}

const GATEWAY_URL = 'http://127.0.0.1:8080'
const TIMEOUT_MS = 60_000

const bodyOf = ({ job, absent = false }: Options): object => {
  if ((job === undefined) === !absent) throw new CliError(2, 'say one of --job ID and --absent')
  return job === undefined ? { absent: true } : { job_id: job }
}

const adminKey = ({ env }: CliContext): string => {
  const key = env['TALKBRIDGE_ADMIN_KEY']
  if (!key) throw new CliError(2, 'set TALKBRIDGE_ADMIN_KEY to a gateway key with the scope admin')
  return key
}

const field = (value: unknown, name: string): string => {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return typeof found === 'string' ? found : ''
}

const lineOf = (asked: string, answer: unknown): string => {
  const id = field(answer, 'id')
  const status = field(answer, 'status')
  const job = field(answer, 'backend_job_id')
  // One that had been given up stays failed: its job is a video of its own.
  if (id !== asked) return `${id}: ${status}, job ${job} of ${asked}, which stays failed\n`
  const known = job || (status === 'failed' ? 'none' : 'not yet known')
  return `${id}: ${status}, job ${known}\n`
}

/** `talkbridge resolve VIDEO (--job ID | --absent)`: ends a doubt that evidence cannot, or did not. Talks to the running gateway. */
export const resolveCommand: Register = (program, context) => {
  program
    .command('resolve')
    .description('say what became of a create whose outcome is in doubt, or was given up as unknown')
    .argument('<video>', 'the id of the video')
    .option('--job <id>', "it is this job of the backend's: follow it")
    .option('--absent', 'there is no such job: send it once more if it is in doubt still')
    .option('--url <url>', 'the gateway', GATEWAY_URL)
    .option('--json', 'print the video as JSON')
    .action(async (video: string, options: Options) => {
      const body = JSON.stringify(bodyOf(options))
      const headers = { authorization: `Bearer ${adminKey(context)}`, 'content-type': 'application/json' }
      const url = new URL(`/unified/v1/admin/videos/${encodeURIComponent(video)}/resolve`, options.url)
      const response = await request(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) })
      const answer: unknown = await response.body.json()
      if (response.statusCode !== 200) throw new CliError(1, `talkbridge: ${field(answer, 'detail')}`)
      context.stdout(options.json ? `${JSON.stringify(answer)}\n` : lineOf(video, answer))
    })
}

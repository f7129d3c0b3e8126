import { z } from 'zod'
import { AdminVideoView } from '../core/api/videos.ts'
import { adminCall } from './admin.ts'
import { CliError, GATEWAY_URL, type CliContext, type Register } from './context.ts'

interface Options {
  job?: string
  absent?: boolean
  attempt?: string
  show?: boolean
  url: string
  json?: boolean
}

/** A newer gateway may tell more. */
const Answer = z.object(AdminVideoView.pick({ id: true, status: true, backend_job_id: true, doubt: true }).shape)
type Answer = z.infer<typeof Answer>

type Ask = (path: string, body?: object) => Promise<{ video: Answer; raw: unknown }>

/** Asks the running gateway about one video; throws what it refuses. */
const askAbout =
  (id: string, url: string, context: CliContext): Ask =>
  async (path, body) => {
    const at = `/unified/v1/admin/videos/${encodeURIComponent(id)}${path}`
    const raw = await adminCall(context, { method: body ? 'POST' : 'GET', path: at, url, ...(body && { body }) })
    return { video: Answer.parse(raw), raw }
  }

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

const carryOut = async (ask: Ask, { job, absent, attempt }: Options) => {
  if (job !== undefined) return ask('/resolve', { job_id: job })
  if (!absent) return ask('')
  const { video } = await ask('')
  return ask('/resolve', { absent: true, attempt: attemptOf(video, attempt) })
}

/**
 * `talkbridge resolve VIDEO (--show | --job ID | --absent)`: ends a doubt that evidence cannot, or did not. Talks to the
 * running gateway.
 */
export const resolveCommand: Register = (program, context) => {
  program
    .command('resolve')
    .description('decide what became of a create whose answer was lost')
    .argument('<video>', 'the id of the video')
    .option('--show', 'only print what is known: the attempt in doubt, and the jobs that it may have made')
    .option('--job <id>', 'the create made this job: the video gets it')
    .option('--absent', 'the create made no job: send it once more, if it is still in doubt')
    .option('--attempt <n>', 'with --absent: the attempt that you mean, if it is not the first')
    .option('--url <url>', 'URL of the gateway', GATEWAY_URL)
    .option('--json', 'print the video as JSON')
    .action(async (id: string, options: Options) => {
      const { job, absent = false, show = false, attempt } = options
      if ([job !== undefined, absent, show].filter(Boolean).length !== 1)
        throw new CliError(2, 'give one of --job ID, --absent and --show')
      if (attempt !== undefined && !(absent && /^[1-9]\d{0,8}$/.test(attempt)))
        throw new CliError(2, '--attempt needs --absent, and a number from 1')
      const { video, raw } = await carryOut(askAbout(id, options.url, context), options)
      if (options.json) return context.stdout(`${JSON.stringify(raw)}\n`)
      context.stdout(`${lineOf(id, video)}${show ? doubtLines(video) : ''}`)
    })
}

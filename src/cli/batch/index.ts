import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { Command } from 'commander'
import { createTalkbridge, TalkbridgeError } from '../../../packages/client/src/index.ts'
import { connectionOf, withConnectionOptions, type ConnectionOptions } from '../connection.ts'
import {
  CliError,
  counted,
  createPaint,
  createProgress,
  numberText,
  plain,
  spanText,
  type CliContext,
  type Register,
} from '../context.ts'
import { createCalls, madeBefore, type Calls } from './calls.ts'
import { dryRun, type DryRun } from './check.ts'
import { openFolder, RESULTS, type Result } from './folder.ts'
import { fail, readTable, readText } from './rows.ts'
import { isFailed, isUnmade, refuseChanged, runBatch, type Progress } from './run.ts'
import { fillRows, parseTemplate } from './template.ts'

/** Of the file: `June 2026.csv` is `June-2026`. */
const nameOf = (file: string, given?: string): string => {
  const word = basename(file)
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[^\w.-]+/g, '-')
  const name = given ?? word.replace(/^[^a-z0-9]+/i, '').slice(0, 100)
  if (given === undefined && name === '') fail(`${file}: the file's name makes no batch name: give --name`)
  if (!/^[a-z0-9][\w.-]{0,99}$/i.test(name))
    fail(`--name ${name}: must be 1 to 100 of the characters a-z, 0-9, ., _ and -, a letter or digit first`)
  return name
}

const progressText = ({ total, done, failed, working, leftMs, waiting }: Progress): string =>
  [
    `${numberText(done)} of ${numberText(total)}`,
    ...(failed > 0 ? [`${numberText(failed)} failed`] : []),
    ...(working > 0 ? [`${numberText(working)} in work`] : []),
    ...(waiting !== null
      ? [`waits: ${plain(waiting)}`]
      : leftMs === null || leftMs === 0
        ? []
        : [`about ${spanText(leftMs)} left`]),
  ].join(', ')
/** Without any change: then it says which row it waits for. */
const STALL_MS = 60_000

/** A bar on a terminal; a line for each row otherwise; JSON for machines. */
export const createShow = (context: CliContext, isJson: boolean, nowMs = () => performance.now()) => {
  const { stdout, stderr } = context
  const bar = createProgress(isJson ? { ...context, stderrColumns: () => null } : context)
  const paint = createPaint(context)
  let said = ''
  /** Says each reason once: the seconds in it change. */
  const waits = (why: string | null): void => {
    const reason = why?.replace(/;.*$/s, '') ?? ''
    if (reason !== said && why !== null) stderr(`talkbridge batch: waits: ${plain(why)}\n`)
    said = reason
  }
  let state = ''
  let sinceMs = 0
  const stalls = ({ done, failed, working, oldest, waiting }: Progress): void => {
    const current = [done, failed, working, oldest].join()
    if (current !== state || waiting !== null) {
      state = current
      sinceMs = nowMs()
    } else if (oldest !== null && nowMs() - sinceMs >= STALL_MS) {
      sinceMs = Infinity
      bar.clear()
      stderr(`talkbridge batch: waits for ${plain(oldest)}\n`)
    }
  }
  return {
    paint,
    waits,
    json: (value: object) => stdout(`${JSON.stringify(value)}\n`),
    settled(result: Result, isNew: boolean): void {
      if (isJson) return stdout(`${JSON.stringify(result)}\n`)
      const { row, status, error, file } = result
      if (!isNew || (bar.live && context.isTty && !isFailed(result))) return
      bar.clear()
      const what = isFailed(result) ? paint('red', plain(error ?? status)) : paint('green', file ?? '')
      stdout(`row ${row}  ${status}  ${what}\n`)
    },
    progress(progress: Progress): void {
      stalls(progress)
      bar.show(progress.done / Math.max(1, progress.total), progressText(progress))
      if (!bar.live) waits(progress.waiting)
    },
    clear: bar.clear,
  }
}
type Show = ReturnType<typeof createShow>

interface NameOptions extends ConnectionOptions {
  json?: boolean
}
interface RunOptions extends NameOptions {
  template: string
  out?: string
  name?: string
  dryRun?: boolean
}

interface Work<Options> {
  readonly name: string
  readonly options: Options
  readonly context: CliContext
  readonly calls: Calls
  readonly show: Show
}

/** Runs a command of a batch; an error of the gateway ends it with what the gateway says. */
const opened = async <Options extends NameOptions>(
  name: string,
  options: Options,
  context: CliContext,
  work: (work: Work<Options>) => Promise<void>,
): Promise<void> => {
  const show = createShow(context, options.json === true)
  try {
    // It repeats nothing by itself: a batch shows what it waits for.
    const client = createTalkbridge({ ...connectionOf('batch', options, context), maxRetries: 0 })
    const calls = createCalls({ client, signal: context.signal, waits: show.waits })
    await work({ name, options, context, calls, show })
  } catch (error) {
    if (error instanceof CliError) throw error
    if (context.signal.aborted)
      throw new CliError(1, 'talkbridge batch: stopped; run the same command again to continue', { cause: error })
    if (!(error instanceof TalkbridgeError)) throw error
    const exitCode = error.code === 'invalid_option' ? 2 : 1
    throw new CliError(exitCode, `talkbridge batch: ${plain(error.message)} (${error.code})`, { cause: error })
  } finally {
    show.clear()
  }
}

const countsOf = (all: readonly { status: string }[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { status } of all) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const summed = (all: readonly { status: string }[], credits: number): string => {
  const counts = Object.entries(countsOf(all)).map(([status, videos]) => `${numberText(videos)} ${status}`)
  return [...counts, ...(credits > 0 ? [`${numberText(credits)} credits`] : [])].join(', ')
}

/** As far as it is known what it costs, and what is left. */
const isAffordable = ({ credits, credits_remaining: has }: DryRun['backends'][number]): boolean =>
  credits === null || has === null || credits <= has

const dryText = (batch: string, made: number, { rows, faults, warnings, backends, videos_left: left }: DryRun) => {
  const lines = faults.map(({ row, columns, field, message }) => {
    const column = columns.map((one) => `, column "${one}"`).join('')
    return `row ${row}${column}: ${field === '' ? '' : `${field}: `}${message}`
  })
  for (const { row, rows: many, field, message } of warnings)
    lines.push(`warning, ${counted(many, 'row')} from row ${row}: ${field}: ${message}`)
  for (const its of backends) {
    const { backend, credits, credits_remaining: has } = its
    const price =
      credits === null
        ? 'credits unknown: no finished video says what one costs'
        : `about ${counted(credits, 'credit')}`
    const rest = has === null ? '' : `, ${has} left${isAffordable(its) ? '' : ': NOT ENOUGH'}`
    const time = `${its.is_complete ? 'about' : 'at least'} ${spanText(Math.max(1, its.seconds) * 1000)}`
    lines.push(`${backend}: ${counted(its.rows, 'video')}, ${price}${rest}, ${time}`)
  }
  if (left !== null && left < rows) lines.push(`you may make ${counted(left, 'more video')} this month`)
  if (made > 0) lines.push(`made already by the batch ${batch}: ${counted(made, 'row')}`)
  const faulty = new Set(faults.map(({ row }) => row)).size
  lines.push(`nothing was made: ${counted(rows - faulty, 'row')} can be, ${numberText(faulty)} cannot`)
  return lines.map((line) => `${plain(line)}\n`).join('')
}

/** Commander has no words for it: the rows say what failed. */
const endWith = (isFine: boolean): void => {
  if (!isFine) throw new CliError(1, '')
}

const isSameFile = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }))
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev
}

const run =
  (file: string) =>
  async ({ name, options, context, calls, show }: Work<RunOptions>) => {
    const { cwd } = context
    const table = readTable(resolve(cwd, file), file)
    const text = readText(resolve(cwd, options.template), options.template)
    const template = parseTemplate(text, options.template, table.columns, file)
    const rows = fillRows(template, table, file)
    if (options.dryRun) {
      const made = await madeBefore(calls, name)
      refuseChanged(rows, made, name)
      const todo = rows.filter(({ number }) => {
        const video = made.get(number)
        return !video || isUnmade(video)
      })
      const none = { total: todo.length, failed: 0, working: 0, oldest: null, leftMs: null, waiting: null }
      const checked = (done: number): void => show.progress({ ...none, done })
      const told = await dryRun(calls, name, todo, template, checked)
      const { videos_left: left } = told
      show.clear()
      if (options.json) show.json({ batch: name, made: rows.length - todo.length, ...told })
      else context.stdout(dryText(name, rows.length - todo.length, told))
      return endWith(
        told.faults.length === 0 && told.backends.every(isAffordable) && (left === null || left >= told.rows),
      )
    }
    const out = options.out ?? name
    for (const given of [file, options.template])
      if (isSameFile(resolve(cwd, given), resolve(cwd, out, RESULTS)))
        fail(`${given}: the results would replace it: give another --out`)
    const folder = await openFolder(resolve(cwd, out))
    const { results, stopped, credits, strays } = await runBatch({ ...show, ...calls, name, rows, folder })
    show.clear()
    const isFine = !results.some(isFailed)
    const mark = isFine ? show.paint('green', '✓') : show.paint('red', '✗')
    if (options.json) show.json({ batch: name, counts: countsOf(results), credits, stopped })
    else context.stdout(`${mark} batch ${name}: ${summed(results, credits)}; ${plain(out)}/${RESULTS} has each row\n`)
    if (stopped !== null) context.stderr(`talkbridge batch: no more rows were made: ${plain(stopped)}\n`)
    if (strays > 0)
      context.stderr(`talkbridge batch: ${counted(strays, 'video')} of the batch without a row in ${plain(file)}\n`)
    endWith(isFine)
  }

/** All videos of a batch, by their rows; an unknown batch ends the command. */
const madeOf = async ({ calls, name }: Work<NameOptions>) => {
  const made = [...(await madeBefore(calls, name))].toSorted(([a], [b]) => a - b)
  if (made.length > 0) return made
  throw new CliError(1, `talkbridge batch: no video of yours has the batch ${name} in its metadata`)
}

const status = async (work: Work<NameOptions>): Promise<void> => {
  const { name, options, context, show } = work
  const made = await madeOf(work)
  const videos = made.map(([, video]) => video)
  const credits = videos.reduce((sum, video) => sum + (video.credits?.charged ?? 0), 0)
  const failed = made.flatMap(([row, { id, error }]) =>
    error ? [{ row, id, error: error.code, message: error.message }] : [],
  )
  if (options.json) return show.json({ batch: name, videos: videos.length, counts: countsOf(videos), credits, failed })
  context.stdout(`batch ${name}: ${counted(videos.length, 'video')}: ${summed(videos, credits)}\n`)
  for (const { row, id, error, message } of failed)
    context.stdout(`${plain(`row ${row}  ${id}  ${error}: ${message}`)}\n`)
}

const cancel = async (work: Work<NameOptions>): Promise<void> => {
  const { name, options, context, calls, show } = work
  const { canceled } = await calls.patiently(() => calls.client.videos.cancelAll({ batch: name }, calls))
  const working = (await madeOf(work)).filter(([, video]) => video.completed_at === null).length
  if (options.json) return show.json({ batch: name, canceled, not_cancelable: working })
  const rest = working > 0 ? `; ${counted(working, 'video')} cannot be canceled: a backend has them` : ''
  context.stdout(`batch ${name}: ${counted(canceled, 'waiting video')} canceled${rest}\n`)
}

/** `talkbridge batch`: a video for each row of a file. A program over the client library; the API knows no batches. */
export const batchCommand: Register = (program, context) => {
  const batch = program.command('batch').description('make a video of each row of a CSV file, and download them')
  const named = (command: Command): Command => withConnectionOptions(command).option('--json', 'print JSON')
  named(batch.command('run <file>'))
    .description('make what is not made yet, wait, and download the files; run it again to continue')
    .requiredOption('--template <file>', 'JSON: the body of POST /videos, with {{column}} in its texts')
    .option('--out <folder>', 'folder of the files and of results.csv (default: the name)')
    .option('--name <name>', 'name of the batch (default: that of the file)')
    .option('--dry-run', 'make nothing: check each row, and say what the batch costs and how long it takes')
    .action((file: string, options: RunOptions) => opened(nameOf(file, options.name), options, context, run(file)))
  named(batch.command('status <name>'))
    .description('count the videos of a batch by their status')
    .action((name: string, options: NameOptions) => opened(nameOf('', name), options, context, status))
  named(batch.command('cancel <name>'))
    .description('cancel the videos of a batch that still wait in the gateway')
    .action((name: string, options: NameOptions) => opened(nameOf('', name), options, context, cancel))
}

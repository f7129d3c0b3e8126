import { resolve } from 'node:path'
import { Store } from '../config/store.ts'
import { copyStore } from '../stores/copy.ts'
import { CliError, type CliContext, type Register } from './context.ts'
import { storeFault } from './store/faults.ts'
import { clockWarning, copyProgress, summaryOf } from './store/output.ts'

interface Options {
  from: string
  to: string
  schema: string
}

const sourcePath = (from: string, { cwd }: CliContext): string => {
  const path = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(from)?.[1]
  if (path === undefined) throw new CliError(2, '--from must be sqlite:PATH, such as sqlite:./data/talkbridge.db')
  return resolve(cwd, path)
}

/** Host and database: what may be shown of a URL that holds a password. */
const placeOf = (url: string): string => {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname || 'the local socket'}${port && `:${port}`}${pathname}`
}

/** Throws without a word of the URL. */
const target = (url: string): { url: string; where: string } => {
  if (url === '') throw new CliError(2, '--to is empty: set the variable that you use there')
  if (!Store.shape.url.safeParse(url).success)
    throw new CliError(2, '--to must be a URL such as postgres://user:password@host:5432/database')
  try {
    return { url, where: placeOf(url) }
  } catch {
    throw new CliError(2, '--to is not a URL: percent-encode special characters of the password, such as / as %2F')
  }
}

const schemaOf = (given: string): string => {
  const schema = Store.shape.schema.safeParse(given)
  if (schema.success) return schema.data
  throw new CliError(2, '--schema must be a name of 1 to 40 characters a-z, 0-9 and _, starting with a letter')
}

const copy = async (options: Options, context: CliContext): Promise<void> => {
  const path = sourcePath(options.from, context)
  const { url, where } = target(options.to)
  const schema = schemaOf(options.schema)
  const { signal, stdout, stderr } = context
  const progress = copyProgress(context)
  const startedMs = performance.now()
  try {
    const report = await copyStore({ path, url, schema, signal, onProgress: progress.show }).finally(progress.clear)
    stdout(summaryOf(report, { path, where, schema, tookMs: performance.now() - startedMs }, context))
    stderr(clockWarning(report))
  } catch (error) {
    throw storeFault(error, where, signal)
  }
}

/** `talkbridge store copy --from sqlite:PATH --to URL`: moves the store of a stopped gateway to PostgreSQL. */
export const storeCommand: Register = (program, context) => {
  const store = program.command('store').description('move the store of a stopped gateway')
  store
    .command('copy')
    .description('copy a SQLite store to an empty schema of PostgreSQL: all of it, or nothing')
    .requiredOption('--from <store>', 'the store of a stopped gateway: sqlite:PATH')
    .requiredOption('--to <url>', 'the database: postgres://user:password@host:5432/database')
    .option('--schema <name>', 'the schema that store.schema of the new gateways will name', 'talkbridge')
    .action((options: Options) => copy(options, context))
}

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { commandPath, freePort, ownServer, serverFolder, startDaemon, type OwnServer } from './daemon.ts'

const COMMANDS = ['prometheus', 'promtool']

/** Why Debian's package is of no use; null: it is there. */
export const prometheusFault = (env: NodeJS.ProcessEnv = process.env): string | null => {
  const missing = COMMANDS.filter((name) => commandPath(name, env) === null)
  return missing.length === 0 ? null : `no command ${missing.join(', ')}`
}

const pathOf = (name: string): string => {
  const path = commandPath(name)
  if (path === null) throw new Error(`there is no ${name}: apt-get install prometheus`)
  return path
}

/** Runs it to its end; rejects with what it printed if it failed. Answers what it printed. */
export const promtool = (args: readonly string[], input = ''): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = execFile(pathOf('promtool'), args, (error, stdout, stderr) => {
      if (error) reject(new Error(`promtool ${args.join(' ')}: ${stdout}${stderr}`))
      else resolve(stdout + stderr)
    })
    child.stdin?.end(input)
  })

const Answer = z.object({ status: z.literal('success'), data: z.unknown() })

export interface Prometheus extends Pick<OwnServer, 'url' | 'close'> {
  /** The `data` of an answer of its API: `query?query=up`. Rejects with its fault. */
  ask(path: string): Promise<unknown>
}

interface PrometheusOptions {
  /** `host:port` of what is scraped, as job `talkbridge`. */
  target: string
  /** A file of rules. */
  rules: string
  token?: string
  /** Milliseconds. */
  everyMs?: number
}

/** A Prometheus of one's own. */
export const startPrometheus = async (options: PrometheusOptions): Promise<Prometheus> => {
  const { target, rules, token, everyMs = 200 } = options
  const command = pathOf('prometheus')
  const folder = serverFolder(null)
  const port = await freePort()
  const job = {
    job_name: 'talkbridge',
    ...(token !== undefined && { authorization: { credentials: token } }),
    static_configs: [{ targets: [target] }],
  }
  // JSON is YAML.
  const config = {
    global: { scrape_interval: `${everyMs}ms`, scrape_timeout: `${everyMs}ms`, evaluation_interval: `${everyMs}ms` },
    rule_files: [rules],
    scrape_configs: [job],
  }
  await writeFile(join(folder, 'prometheus.json'), JSON.stringify(config))
  const url = `http://127.0.0.1:${port}`
  const server = await ownServer({
    url,
    folder,
    launch: () =>
      startDaemon(
        command,
        [
          `--config.file=${join(folder, 'prometheus.json')}`,
          `--storage.tsdb.path=${join(folder, 'data')}`,
          `--web.listen-address=127.0.0.1:${port}`,
        ],
        { user: null, cwd: folder },
      ),
    answers: () =>
      fetch(`${url}/-/ready`).then(
        (response) => response.ok,
        () => false,
      ),
    fast: 'SIGTERM',
    notYet: /address already in use|lock/i,
  })
  return {
    url,
    close: server.close,
    async ask(path) {
      const text = await (await fetch(`${url}/api/v1/${path}`)).text()
      const parsed = Answer.safeParse(JSON.parse(text))
      if (!parsed.success) throw new Error(`${path}: ${text}`)
      return parsed.data.data
    },
  }
}

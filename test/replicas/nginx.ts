import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { commandPath, serverFolder, startDaemon } from '../fakes/daemon.ts'
import { isCi } from '../fakes/servers.ts'
import { must } from '../fakes/must.ts'
import { until } from '../fakes/until.ts'

const SHIPPED = new URL('../../config/nginx.conf', import.meta.url)
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`

const nginxPath = (): string | null => commandPath('nginx', { PATH })

/** True when there is no nginx and there need not be one, which is said on stderr. */
export const skippedWithoutNginx = (): boolean => {
  if (nginxPath() !== null || isCi(process.env)) return false
  process.stderr.write(
    '\n*** SKIPPED: no nginx. config/nginx.conf is NOT checked in this run; apt-get install nginx-light.\n\n',
  )
  return true
}

/** The shipped file with other ports, as the whole of a configuration. */
const configuration = (folder: string, port: number, replicas: readonly number[]): string => {
  const [first, second] = replicas
  const site = readFileSync(SHIPPED, 'utf8')
    // What is no file here: a socket, which nginx cannot open.
    .replace('/dev/stdout', join(folder, 'access.log'))
    .replace('/dev/stderr', join(folder, 'error.log'))
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
    .replace('127.0.0.1:8081', `127.0.0.1:${must(first)}`)
    .replace('127.0.0.1:8082', `127.0.0.1:${must(second)}`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  )
  return `worker_processes 1; daemon off; pid ${join(folder, 'pid')};
events {}
http {
${temporary.join('\n')}
${site}}
`
}

export interface Nginx {
  url: string
  /** Starts it in front of two replicas, by their ports; rejects if it cannot read its file. */
  to(replicas: readonly number[]): Promise<void>
}

/** Debian's nginx under the file that compose.yaml gives it, until the test ends. */
export const testNginx = (port: number): Nginx => {
  const command = must(nginxPath())
  const folder = serverFolder(null)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    async to(replicas) {
      mkdirSync(folder, { recursive: true })
      const file = join(folder, 'nginx.conf')
      writeFileSync(file, configuration(folder, port, replicas))
      const daemon = startDaemon(command, ['-p', folder, '-c', file, '-e', 'stderr'], { user: null, cwd: folder })
      let isWanted = true
      void daemon.ended.then((code) => {
        if (isWanted) process.stderr.write(`nginx ended by itself, with ${code}: ${daemon.output()}\n`)
      })
      onTestFinished(async () => {
        isWanted = false
        daemon.signal('SIGTERM')
        await daemon.ended
      })
      await until(async () => {
        if (daemon.hasEnded()) throw new Error(daemon.output())
        return fetch(`${url}/healthz`).then(
          // Nobody else who listens there.
          async (answer) => {
            await answer.body?.cancel()
            return answer.headers.get('server')?.startsWith('nginx') ?? false
          },
          () => false,
        )
      })
    },
  }
}

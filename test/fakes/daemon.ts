import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { accessSync, chmodSync, chownSync, constants, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { DISK, folderInMemory } from './folder.ts'
import { must } from './must.ts'
import { HANG_MS } from './until.ts'

/** Servers that a test starts for itself, to stop and kill them as it likes: what PostgreSQL's and Redis' have in common. */

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const PACKAGED = '/usr/lib/postgresql'

/** Where Debian puts PostgreSQL's own commands, which are on no PATH: the newest first. */
const packaged = (): string[] => {
  try {
    return readdirSync(PACKAGED)
      .toSorted((a, b) => Number(b) - Number(a))
      .map((version) => join(PACKAGED, version, 'bin'))
  } catch {
    return []
  }
}

/** The path of a command, or null. A server's is in a folder that is not on everybody's PATH. */
export const commandPath = (name: string, env: NodeJS.ProcessEnv = process.env): string | null =>
  [...packaged(), ...(env['PATH'] ?? '').split(delimiter), '/usr/sbin']
    .map((folder) => join(folder, name))
    .find(isExecutable) ?? null

/** Who a server runs as: itself, or `name` where we are root, which PostgreSQL refuses to be. Throws if there is no such user. */
export const userOf = (name: string): { uid: number; gid: number } | null => {
  if (process.getuid?.() !== 0) return null
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined || gid === undefined) throw new Error(`there is no user ${name}`)
  return { uid: Number(uid), gid: Number(gid) }
}

/**
 * A folder for another user's server: the folders of a run are nobody else's to enter. In memory, where there is room,
 * unless it will hold more than that.
 */
export const serverFolder = (user: { uid: number; gid: number } | null, isOnDisk = false): string => {
  const memory = isOnDisk ? null : folderInMemory()
  const folder = mkdtempSync(join(memory ?? process.env[DISK] ?? tmpdir(), 'talkbridge-server-'))
  chmodSync(folder, 0o700)
  if (user) chownSync(folder, user.uid, user.gid)
  return folder
}

/** Below the ports that the system gives to whoever asks for any: what is free there now stays so until it is listened on. */
const PORTS = { from: 10_000, to: 32_000 }

const listening = async (): Promise<Server> => {
  for (;;) {
    const server = createServer().listen(randomInt(PORTS.from, PORTS.to))
    try {
      await once(server, 'listening')
      return server
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    }
  }
}

/** Ports that are free, each another one, for servers that cannot ask the system for one themselves. */
export const freePorts = async (count: number): Promise<number[]> => {
  const servers = await Promise.all(Array.from({ length: count }, listening))
  const addresses = servers.map((server) => server.address())
  await Promise.all(servers.map((server) => promisify(server.close.bind(server))()))
  return addresses.flatMap((address) => (address === null || typeof address === 'string' ? [] : [address.port]))
}

export const freePort = async (): Promise<number> => must((await freePorts(1))[0])

type User = ReturnType<typeof userOf>

export interface Daemon {
  /** Resolves with the exit code when it has ended, or could not be started; null: killed. */
  readonly ended: Promise<number | null>
  hasEnded(): boolean
  signal(signal: NodeJS.Signals): void
  /** What it has printed so far. */
  output(): string
}

export const startDaemon = (
  command: string,
  args: readonly string[],
  { user, cwd, variables = {} }: { user: User; cwd: string; variables?: Readonly<Record<string, string>> },
): Daemon => {
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', HOME: cwd, ...variables }
  const child = spawn(command, args, { ...user, cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let isOver = false
  const note = (text: string): void => void (output += text)
  child.stdout.setEncoding('utf8').on('data', note)
  child.stderr.setEncoding('utf8').on('data', note)
  const ended = new Promise<number | null>((resolve) => {
    const end = (code: number | null): void => {
      isOver = true
      resolve(code)
    }
    child.once('close', end)
    child.once('error', (error) => {
      note(String(error))
      end(null)
    })
  })
  return {
    ended,
    hasEnded: () => isOver,
    signal: (signal) => void child.kill(signal),
    output: () => output,
  }
}

/** Runs a command to its end; rejects with what it printed if it failed. */
export const runCommand: (...given: Parameters<typeof startDaemon>) => Promise<void> = async (...given) => {
  const command = startDaemon(...given)
  if ((await command.ended) !== 0) throw new Error(`${given[0]} failed: ${command.output()}`)
}

/** A server of a test's own. Its address stays the same for as long as it lives. */
export interface OwnServer {
  readonly url: string
  start(): Promise<void>
  /** `fast`: as an operator stops it. `kill`: -9. Resolves when it is gone. */
  stop(how: 'fast' | 'kill'): Promise<void>
  restart(how: 'fast' | 'kill'): Promise<void>
  /** Ends it for good, and its folder with it. */
  close(): Promise<void>
}

export interface Recipe {
  url: string
  folder: string
  /** Starts the process once. */
  launch(): Daemon
  answers(): Promise<boolean>
  /** The signal of a stop that an operator would ask for. */
  fast: NodeJS.Signals
  /** What it says when it could not start because something of the one before is still there. */
  notYet: RegExp
}

/** Its memory and its port may be somebody's for a moment after it was killed: then it is started once more. */
const begin = async ({ launch, answers, notYet }: Recipe): Promise<Daemon> => {
  const endMs = performance.now() + HANG_MS
  let daemon = launch()
  while (!(await answers())) {
    if (performance.now() > endMs) throw new Error(`the server does not answer: ${daemon.output()}`)
    if (daemon.hasEnded()) {
      if (!notYet.test(daemon.output())) throw new Error(`the server cannot start: ${daemon.output()}`)
      daemon = launch()
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return daemon
}

export const ownServer = async (recipe: Recipe): Promise<OwnServer> => {
  let daemon: Daemon | null = null
  const start = async (): Promise<void> => void (daemon ??= await begin(recipe))
  const stop = async (how: 'fast' | 'kill'): Promise<void> => {
    const running = daemon
    daemon = null
    running?.signal(how === 'kill' ? 'SIGKILL' : recipe.fast)
    await running?.ended
  }
  const close = async (): Promise<void> => {
    await stop('kill')
    await rm(recipe.folder, { recursive: true, force: true, maxRetries: 20 })
  }
  await start().catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    url: recipe.url,
    start,
    stop,
    close,
    async restart(how) {
      await stop(how)
      await start()
    },
  }
}

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { bundled } from '../fakes/bundled.ts'
import { temporaryFolder } from '../fakes/folder.ts'

export interface State {
  rssBytes: number
  /** Of buffers outside the heap. */
  bufferBytes: number
  /** Of each connection: what the system has taken, and what waits for it. */
  writtenBytes: number[]
  /** By their path. */
  requests: Record<string, Requests>
}
export interface Requests {
  begun: number
  /** Those whose answer the system has taken whole: it keeps some megabytes for whoever does not read. */
  answered: number
  /** The most that were begun and not answered. */
  mostOpen: number
}
export type Told = { kind: 'serving'; url: string } | { kind: 'state'; state: State }

export interface Attacked {
  url: string
  state(): Promise<State>
  /** Open descriptors, on Linux. */
  descriptors(): number
  /** A connection that sends this and reads nothing. */
  unread(bytes: string): Promise<Socket>
}

/**
 * A gateway in a process of its own, ended with the test, or when `atEnd` says. `given`: what its configuration has in
 * place of the usual.
 */
export const startAttacked = async (
  given: Readonly<Record<string, unknown>> = {},
  atEnd: (end: () => void | Promise<void>) => void = onTestFinished,
): Promise<Attacked> => {
  const dir = await temporaryFolder()
  atEnd(() => rm(dir, { recursive: true, force: true }))
  const child = fork(bundled('test/attacks/gateway-child.ts'), [dir, JSON.stringify(given)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const heard = <K extends Told['kind']>(kind: K) =>
    new Promise<Extract<Told, { kind: K }>>((resolve, reject) => {
      const isIt = (told: Told): told is Extract<Told, { kind: K }> => told.kind === kind
      const listen = (told: Told): void => {
        if (!isIt(told)) return
        child.off('message', listen)
        resolve(told)
      }
      child.on('message', listen)
      void exited.then(() => reject(new Error('the gateway has ended')))
    })
  const { url } = await heard('serving')
  atEnd(async () => {
    child.send('close')
    await exited
  })
  return {
    url,
    async state() {
      const told = heard('state')
      child.send('state')
      return (await told).state
    },
    descriptors: () => readdirSync(`/proc/${child.pid}/fd`).length,
    async unread(bytes) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      socket.on('error', () => {})
      atEnd(() => void socket.destroy())
      await once(socket, 'connect')
      socket.pause()
      socket.write(bytes)
      return socket
    },
  }
}

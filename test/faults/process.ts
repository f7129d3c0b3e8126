import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { bundled } from '../fakes/bundled.ts'
import type { FromVictim, ToVictim, VictimSetup } from './protocol.ts'

/** A gateway in a process of its own, which may die at any moment. */
export interface Victim {
  isDead(): boolean
  /** Where it serves; null if it died before. */
  serving: Promise<string | null>
  arm(killAt: number): Promise<void>
  kill(): void
  /** Stops it, unless it is dead; the names of the boundaries that it passed, null if it was killed. */
  end(): Promise<string[] | null>
}

const heard = <K extends FromVictim['kind']>(child: ChildProcess, kind: K) =>
  new Promise<Extract<FromVictim, { kind: K }> | null>((resolve) => {
    const isIt = (message: FromVictim): message is Extract<FromVictim, { kind: K }> => message.kind === kind
    child.on('message', (message: FromVictim) => isIt(message) && resolve(message))
    child.once('exit', () => resolve(null))
  })

export const startVictim = async (setup: VictimSetup): Promise<Victim> => {
  const child = fork(bundled('test/faults/victim.ts'), [JSON.stringify(setup)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const isDead = (): boolean => child.exitCode !== null || child.signalCode !== null
  // It may die before it has read what it is told.
  const tell = (message: ToVictim): void => void child.send(message, () => {})
  return {
    isDead,
    serving: heard(child, 'serving').then((message) => message?.url ?? null),
    async arm(killAt) {
      const armed = heard(child, 'armed')
      tell({ kind: 'arm', killAt })
      await armed
    },
    kill: () => void child.kill('SIGKILL'),
    async end() {
      const closed = heard(child, 'closed')
      if (!isDead()) tell({ kind: 'close' })
      await exited
      if (child.signalCode === 'SIGKILL') return null
      const report = await closed
      if (!report?.clean) throw new Error(`the victim neither died nor stopped cleanly: ${child.exitCode}`)
      return report.boundaries
    },
  }
}

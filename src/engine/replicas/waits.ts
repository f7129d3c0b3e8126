import { z } from 'zod'
import type { Replica } from '../../core/replica.ts'
import type { Board } from './board.ts'

/** Of each kind, told by one process: as many as matter to the order of polls. */
const TOLD_AT_MOST = 500
/** What is not told again within this is waited for no more: its process may have died. */
export const WAITS_KEPT_MS = 10_000

const Waits = z.strictObject({ videos: z.array(z.string()), clients: z.array(z.string()) })

interface WaitsDeps {
  /** Of this process. */
  awaited: {
    has(row: { id: string; client: string }): boolean
    videos(): Iterable<string>
    clients(): Iterable<string>
  }
  /** Of what is waited for. */
  board: Board
  replica: Replica
}

/**
 * What somebody waits for, at any process: a client holds its connection at one of them, and another one polls. Only the
 * order of polls depends on it.
 */
export const createSharedWaits = ({ awaited, board, replica }: WaitsDeps) => {
  const waits = board.cell('waits', Waits)
  let toldNothing = true

  const others = (of: 'videos' | 'clients'): string[] =>
    [...waits.all()].flatMap(([id, { value }]) => (id === replica.id ? [] : value[of]))

  /** Tells the others what is waited for here. */
  const tell = (): void => {
    if (replica.isAlone) return
    const [videos, clients] = [[...awaited.videos()], [...awaited.clients()]]
    const isNothing = videos.length + clients.length === 0
    if (isNothing && toldNothing) return
    toldNothing = isNothing
    const value = { videos: videos.slice(-TOLD_AT_MOST), clients: clients.slice(-TOLD_AT_MOST) }
    waits.say(replica.id, value, { againMs: WAITS_KEPT_MS / 2 })
  }

  return {
    tell,
    /** Learns what is waited for at others. Never rejects. */
    heed(): Promise<void> {
      tell()
      return board.exchange()
    },
    videos: (): string[] => [...awaited.videos(), ...others('videos')],
    clients: (): string[] => [...awaited.clients(), ...others('clients')],
    /** Here; what is waited for elsewhere is in the two lists. */
    has: awaited.has,
  }
}
export type SharedWaits = ReturnType<typeof createSharedWaits>

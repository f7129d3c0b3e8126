import { z } from 'zod'
import type { Connections } from './connect.ts'
import type { Part } from './watched.ts'

/** What every process is to hear. */
export interface Heard {
  account(id: string, dueAtMs: number): void
  changed(id: string, version: number, client: string): void
}

export interface ChannelDeps extends Heard {
  connections: Connections
  prefix: string
  /** Who says it: own messages are heard only as beats, because this process knows already. */
  process: string
  /** Called for each message of this process that came back, and for a beat that could not be sent. */
  beaten: () => void
}

/** Of one message. */
const AT_ONCE = 500
/** What is gathered while a message is on its way. What is more is not said: streams and waits read again by themselves. */
const MOST_GATHERED = 10_000
/** More than the longest message that is sent. */
const LONGEST_MESSAGE = 256 * 1024

const Id = z.string().max(200)
const Whole = z.number().int()
const Message = z.strictObject({
  from: z.string().min(1).max(64),
  accounts: z.array(z.tuple([Id, Whole])).max(AT_ONCE),
  changed: z.array(z.tuple([Id, Whole, Id])).max(AT_ONCE),
})
type Message = z.infer<typeof Message>

/** Null: not one of ours. Whoever may write to Redis can say anything here. */
const readMessage = (text: string): Message | null => {
  if (text.length > LONGEST_MESSAGE) return null
  try {
    return Message.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** Of each account the earliest time, of each video the newest version. */
const createGathered = () => {
  const accounts = new Map<string, number>()
  const changed = new Map<string, Message['changed'][number]>()
  const isFull = (): boolean => accounts.size + changed.size >= MOST_GATHERED
  const taken = <T>(map: Map<string, T>): [string, T][] => {
    const some = [...map.entries().take(AT_ONCE)]
    for (const [key] of some) map.delete(key)
    return some
  }
  return {
    account(id: string, dueAtMs: number): void {
      const known = accounts.get(id)
      if (known === undefined ? isFull() : known <= dueAtMs) return
      accounts.set(id, dueAtMs)
    },
    changed(id: string, version: number, client: string): void {
      const key = `${id} ${client}`
      const known = changed.get(key)
      if (known ? known[1] >= version : isFull()) return
      changed.set(key, [id, version, client])
    },
    isEmpty: (): boolean => accounts.size + changed.size === 0,
    take: (from: string): Message => ({
      from,
      accounts: taken(accounts),
      changed: taken(changed).map(([, one]) => one),
    }),
    clear(): void {
      accounts.clear()
      changed.clear()
    },
  }
}

/** What all processes tell each other. What one turn of the event loop says goes out as one message. */
export const createChannel = (deps: ChannelDeps) => {
  const { connections, prefix, process } = deps
  const name = `${prefix}:wake`
  const gathered = createGathered()
  let saying = false

  /** Never rejects. */
  const publish = async (message: Message): Promise<boolean> => {
    try {
      await connections.commands.publish(name, JSON.stringify(message))
      return true
    } catch (error) {
      connections.failed('publish', error)
      return false
    }
  }

  const say = async (): Promise<void> => {
    saying = true
    // Waits for all that this turn says.
    await Promise.resolve()
    while (!gathered.isEmpty() && connections.isUp()) await publish(gathered.take(process))
    gathered.clear()
    saying = false
  }
  const gather = (add: () => void): void => {
    if (!connections.isUp()) return
    add()
    if (!saying) void say()
  }

  const hear = (text: string): void => {
    const message = readMessage(text)
    if (message?.from === process) return deps.beaten()
    for (const [id, dueAtMs] of message?.accounts ?? []) deps.account(id, dueAtMs)
    for (const [id, version, client] of message?.changed ?? []) deps.changed(id, version, client)
  }

  return {
    account: (id: string, dueAtMs: number): void => gather(() => gathered.account(id, dueAtMs)),
    changed: (id: string, version: number, client: string): void => gather(() => gathered.changed(id, version, client)),
    async beat(): Promise<void> {
      const beat = { from: process, accounts: [], changed: [] }
      if (!connections.isUp() || !(await publish(beat))) deps.beaten()
    },
    /** Hears what is said, until it is closed. */
    listen(): Part {
      const { redis, end } = connections.waiting()
      redis.on('message', (_channel: string, text: string) => hear(text))
      redis.subscribe(name).catch((error: unknown) => connections.failed('subscribe', error))
      return { close: async () => end() }
    },
  }
}

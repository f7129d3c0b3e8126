import type { z } from 'zod'
import { dotted, isMapping, valueAt, type Fault } from './faults.ts'
import { Client } from './schema.ts'

/** Whose key `console.admin_key` is. */
export const CONSOLE_CLIENT = 'console'

/** A client like those of the file, with every right: whoever holds the key is an operator. */
export const consoleClient = (adminKey: string | null): z.output<typeof Client>[] =>
  adminKey === null || adminKey === '' ? [] : [Client.parse({ id: CONSOLE_CLIENT, key: adminKey, scopes: ['*'] })]

/** With an admin key the id is taken, and the key is nobody else's. `tree` as the other rules over several keys read it. */
export const consoleFaults = (tree: unknown): Fault[] => {
  const key = valueAt(tree, ['console', 'admin_key']) || null
  const clients = valueAt(tree, ['clients'])
  if (key === null || !Array.isArray(clients)) return []
  return clients.flatMap((client: unknown, i): Fault[] => {
    if (!isMapping(client)) return []
    const { id, key: own, keys } = client
    const isTaken = id === CONSOLE_CLIENT
    const isShared = own === key || (Array.isArray(keys) && keys.includes(key))
    return [
      ...(isTaken
        ? [{ path: dotted(['clients', i, 'id']), message: 'is reserved for console.admin_key: choose another id' }]
        : []),
      ...(isShared ? [{ path: 'console.admin_key', message: `the same key as clients.${i}` }] : []),
    ]
  })
}

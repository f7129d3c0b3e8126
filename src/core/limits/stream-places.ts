/** How many streams each client holds open. Many processes may share one count. */
export interface StreamPlaces {
  /** Takes one of the client's `limit` places; null if none is left. The answer gives the place back. Never rejects. */
  take(client: string, limit: number): Promise<(() => void) | null>
}

/** In memory, for one process. */
export const createStreamPlaces = (): StreamPlaces => {
  const held = new Map<string, number>()
  return {
    async take(client, limit) {
      const own = held.get(client) ?? 0
      if (own >= limit) return null
      held.set(client, own + 1)
      return () => {
        const left = (held.get(client) ?? 1) - 1
        if (left > 0) held.set(client, left)
        else held.delete(client)
      }
    },
  }
}

/** Calls everybody who listens. `hear` returns what ends that. */
export const createSignal = <Args extends unknown[] = []>() => {
  const hearers = new Set<(...args: Args) => void>()
  return {
    tell(...args: Args): void {
      for (const hear of hearers) hear(...args)
    },
    hear(hear: (...args: Args) => void): () => void {
      hearers.add(hear)
      return () => void hearers.delete(hear)
    },
  }
}

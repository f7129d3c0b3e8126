/** Does what is asked for under the same key one after the other, in the order of asking. */
export type InTurn = <T>(key: string, act: () => Promise<T>) => Promise<T>

export const createInTurn = (): InTurn => {
  const last = new Map<string, Promise<unknown>>()
  return (key, act) => {
    const result = (last.get(key) ?? Promise.resolve()).then(act)
    const over = result.then(
      () => undefined,
      () => undefined,
    )
    last.set(key, over)
    void over.then(() => last.get(key) === over && last.delete(key))
    return result
  }
}

/** Runs all of them, `atOnce` at a time, and stops beginning more once `isEnough`. In order. */
export const inTurn = async <T>(
  { count, atOnce }: { count: number; atOnce: number },
  run: (index: number) => Promise<T>,
  isEnough: (done: T) => boolean = () => false,
): Promise<T[]> => {
  const runs: T[] = []
  let next = 0
  let enough = false
  const work = async (): Promise<void> => {
    while (next < count && !enough) {
      const index = next
      next += 1
      const done = await run(index)
      runs[index] = done
      enough ||= isEnough(done)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return runs
}

/** No test takes this long. Limits are there for what hangs, never for what is slow. */
export const HANG_MS = 120_000

/**
 * Waits until `isSo` holds, asking every 10 ms; rejects when it hangs. Only for what another process or a real socket
 * does, where there is no event of ours to await.
 */
export const until = async (isSo: () => boolean | Promise<boolean>, deadlineMs: number = HANG_MS): Promise<void> => {
  const endMs = performance.now() + deadlineMs
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error(`not so within ${deadlineMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

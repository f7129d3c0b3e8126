/**
 * Waits until `isSo` holds, asking every 10 ms; rejects after `deadlineMs`. Only for what another process or a real
 * socket does, where there is no event of ours to await.
 */
export const until = async (isSo: () => boolean | Promise<boolean>, deadlineMs: number): Promise<void> => {
  const endMs = performance.now() + deadlineMs
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error(`not so within ${deadlineMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

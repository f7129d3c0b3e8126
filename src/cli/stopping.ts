/** Who presses Ctrl-C in front of npm sends it twice: the terminal does, and npm hands it on. */
const SAME_PRESS_MS = 1_000

/** The first signal asks (`signal` is aborted with its name), one that comes after a second insists. */
export const createStopping = (nowMs: () => number, insist: (signal: 'SIGINT' | 'SIGTERM') => void) => {
  const asked = new AbortController()
  let askedAtMs = 0
  return {
    signal: asked.signal,
    ask(signal: 'SIGINT' | 'SIGTERM'): void {
      if (asked.signal.aborted) {
        if (nowMs() - askedAtMs >= SAME_PRESS_MS) insist(signal)
        return
      }
      askedAtMs = nowMs()
      asked.abort(signal)
    },
  }
}

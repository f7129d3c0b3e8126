/** Lets other work run. Called between the parts of long work, so that it does not block the thread. */
export const breath = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

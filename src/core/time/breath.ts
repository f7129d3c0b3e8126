/** Lets whatever else is due run: between the parts of a work that is too long to hold up the thread. */
export const breath = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** What a benchmark's server and the process that loads it say to each other. */
export type ToServer = { kind: 'cpu' } | { kind: 'close' }
/** `microseconds`: of the whole process, its threads and its kernel time included. */
export type FromServer = { kind: 'serving'; url: string } | { kind: 'cpu'; microseconds: number }

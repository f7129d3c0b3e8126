const WRITABLE = 'this user must be able to write the file and its folder'

/** What to do, by SQLite's primary result codes. */
const ADVICE: Readonly<Record<number, string>> = {
  8: WRITABLE,
  11: 'restore a backup',
  13: 'make room on its disk',
  14: WRITABLE,
  26: 'name another store.path, or restore a backup',
}

/** SQLite says what, but neither where nor what to do; the errors of others say both. */
export const openFault = (path: string, error: unknown): unknown => {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return error
  const advice = ADVICE[error.errcode & 0xff]
  return new Error(`${path}: ${error.message}${advice === undefined ? '' : `: ${advice}`}`, { cause: error })
}

const WRITABLE = 'this user must be able to write the file and its folder'
const ELSEWHERE = 'name another store.path'

/** What to do, by SQLite's primary result codes. */
const ADVICE: Readonly<Record<number, string>> = {
  8: WRITABLE,
  11: 'restore a backup',
  13: 'make room on its disk',
  14: WRITABLE,
  26: `${ELSEWHERE}, or restore a backup`,
}

/** The same by error codes of the system, which name no configuration key. */
const SYSTEM_ADVICE: Readonly<Record<string, string>> = {
  EACCES: `${WRITABLE}; else ${ELSEWHERE}`,
  EPERM: `${WRITABLE}; else ${ELSEWHERE}`,
  EROFS: `${WRITABLE}; else ${ELSEWHERE}`,
  ENOSPC: 'make room on its disk',
}

/** SQLite and the system say what is wrong, but not what to do; our own errors say both. */
export const openFault = (path: string, error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  if ('errcode' in error && typeof error.errcode === 'number') {
    const advice = ADVICE[error.errcode & 0xff]
    return new Error(`${path}: ${error.message}${advice === undefined ? '' : `: ${advice}`}`, { cause: error })
  }
  if ('syscall' in error && 'code' in error && typeof error.code === 'string') {
    const advice = SYSTEM_ADVICE[error.code] ?? ELSEWHERE
    return new Error(`store.path: cannot open ${path}: ${error.message}: ${advice}`, { cause: error })
  }
  return error
}

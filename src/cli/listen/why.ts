/** What undici's codes mean to a person; the system's own (ECONNREFUSED) are known to whoever reads them. */
const SAID: Readonly<Record<string, string>> = {
  UND_ERR_SOCKET: 'the connection broke',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'nothing was heard for too long',
}

/** Why an exchange failed, in a few words. */
export const why = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  return code === null ? error.message : (SAID[code] ?? code)
}

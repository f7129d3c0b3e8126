/** Below it is everything of the console, and its cookie goes nowhere else. */
export const CONSOLE = '/console'
/** Behind it the operations of the unified API, at their own paths. */
export const CONSOLE_API = `${CONSOLE}/api`

/** What requests of the console are called in metrics, beside the operations (`paths`) that it asks for. */
export const CONSOLE_PATHS = (paths: readonly string[]): string[] => [
  CONSOLE,
  `${CONSOLE}/session`,
  `${CONSOLE}/assets/{file}`,
  ...['videos', 'voices', 'puppets'].map((kind) => `${CONSOLE}/media/${kind}/{id}`),
  ...paths.filter((path) => path.startsWith('/unified/v1/')).map((path) => CONSOLE_API + path),
  // Pages, by how deep they are: what they are called is the page's own affair.
  `${CONSOLE}/{page}`,
  `${CONSOLE}/{page}/{part}`,
  `${CONSOLE}/{page}/{part}/{part}`,
]

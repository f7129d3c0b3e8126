/** One line of what happened, with ids and outcomes; never a secret, a URL's path or query, or a third party's body. */
export interface Log {
  info(fields: Record<string, unknown>, message: string): void
  warn(fields: Record<string, unknown>, message: string): void
  error(fields: Record<string, unknown>, message: string): void
}

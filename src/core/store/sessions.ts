import type { SessionRecord } from '../session.ts'

/** The part of `Store` about who signed in to the console. */
export interface SessionStore {
  /** D. Keeps it; of its client only the newest `most`. */
  beginSession(session: SessionRecord, most: number): Promise<void>
  /** Unless it was seen later already; nothing if it has ended. */
  sessionSeen(id: string, seenAtMs: number, endsAtMs: number): Promise<void>
  /** D. False: there is none. */
  endSession(id: string): Promise<boolean>
  /** Removes up to `limit` that were over before `beforeMs`. */
  purgeSessions(beforeMs: number, limit: number): Promise<number>

  // Indexed.
  /** Those that there are, over or not, in no order. */
  sessions(ids: readonly string[]): Promise<SessionRecord[]>
}

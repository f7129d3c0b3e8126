/** What the crash tests and the process they kill say to each other. */
export interface VictimSetup {
  primaryUrl: string
  primaryKey: string
  alternateUrl: string
  alternateKey: string
  dataDir: string
  /** `TALKBRIDGE_…` variables: settings of this run. */
  env: Record<string, string>
  /** Of all chance in the process. */
  seed: number
  /** Dies at this boundary, counted from its start; null: counted from when it is told so. */
  killAt: number | null
}

export type ToVictim = { kind: 'arm'; killAt: number } | { kind: 'close' }
export type FromVictim =
  { kind: 'serving'; url: string } | { kind: 'armed' } | { kind: 'closed'; clean: boolean; boundaries: string[] }

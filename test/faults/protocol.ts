/** What the crash tests and the process they kill say to each other. */
export interface VictimSetup {
  primaryUrl: string
  primaryKey: string
  alternateUrl: string
  alternateKey: string
  dataDir: string
}

export type ToVictim = { kind: 'arm'; killAt: number } | { kind: 'close' }
export type FromVictim =
  { kind: 'serving'; url: string } | { kind: 'armed' } | { kind: 'closed'; clean: boolean; boundaries: number }

export const SURFACES = ['primary', 'alternate'] as const
export type Surface = (typeof SURFACES)[number]

/** The service itself; a gateway with the same interface behind; one with the other behind. */
export type LaneName = 'direct' | 'same' | 'other'
export type GatewayLane = Exclude<LaneName, 'direct'>

/** anna has the account that the service begins with; each of the others has one of its own. */
export const CLIENTS = ['anna', 'bert', 'reader', 'maker'] as const
export type ClientName = (typeof CLIENTS)[number]

/** The scopes of a client's key; all where none are named. The alternate has none. */
export const SCOPES: Readonly<Partial<Record<ClientName, readonly string[]>>> = {
  reader: ['voices:read', 'videos:read'],
  maker: ['videos:create', 'uploads:create'],
}

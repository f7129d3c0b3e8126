import { walkThroughGateway } from './contract/through-gateway.ts'

/** Backends of the surfaces' own interfaces. */
walkThroughGateway('same')

import { walkThroughGateway } from './contract/through-gateway.ts'

/** A backend of the other interface behind each surface. */
walkThroughGateway('other')

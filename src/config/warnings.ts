import { ADAPTERS, type InterfaceName } from '../adapters/index.ts'
import { dotted, type Fault } from './faults.ts'

interface Warned {
  readonly server: { readonly public_url: string | null }
  readonly backends: Readonly<Record<string, { readonly interface: InterfaceName; readonly exclusive: boolean }>>
}

/** What is allowed, and costs: said before it does. */
export const configWarnings = ({ server, backends }: Warned): Fault[] =>
  Object.entries(backends).flatMap(([name, backend]) =>
    ADAPTERS[backend.interface].capabilities.native_idempotency || backend.exclusive || server.public_url !== null
      ? []
      : [
          {
            path: dotted(['backends', name, 'exclusive']),
            message:
              'if an answer to a create is lost, nothing can tell what became of it, and the video fails with ' +
              'create_outcome_unknown: set server.public_url, or exclusive: true if nobody else creates on this account',
          },
        ],
  )

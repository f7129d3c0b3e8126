import type { Gateway } from '../../../src/gateway.ts'
import { SURFACE_DOCS } from '../../../src/routes/openapi/document.ts'
import type { Sandbox } from '@talkbridge/sandbox'
import type { Contract } from '../../../packages/sandbox/test/contract/parse.ts'
import type { Ledger } from '../../../packages/sandbox/test/contract/stage.ts'
import type { Ask } from '../../../packages/sandbox/test/harness.ts'

/** What the gateway's own document calls a request; null: nothing. A written-out path comes before a template. */
const operationOf = (contract: Contract, path: string, { method, body }: Ask): string | null => {
  const asked = (method ?? (body === undefined ? 'GET' : 'POST')).toLowerCase()
  const [place = ''] = path.split('?')
  const fits = (template: string): boolean => new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(place)
  const operations = SURFACE_DOCS.find(({ name }) => name === contract)?.operations ?? []
  const found = operations.filter((one) => one.method === asked && fits(one.path))
  return found.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)[0]?.id ?? null
}

interface Of {
  sandbox: Sandbox
  gateway: Gateway
  /** Their ids. */
  clients: ReadonlySet<string>
  accounts: ReadonlySet<string>
}

/** What the gateway was asked, its deliveries to these clients, and what the sandbox charged to these accounts. */
export const createLedger = ({ sandbox, gateway, clients, accounts }: Of) => {
  const requests: { operation: string | null }[] = []
  let callbacks: Ledger['callbacks'] = []
  return {
    note: (contract: Contract, path: string, asked: Ask): void =>
      void requests.push({ operation: operationOf(contract, path, asked) }),
    /** The store is read beforehand: a rule waits for nothing. */
    async update(): Promise<void> {
      const { store } = gateway.deps
      const all = { limit: 100, before: null, endpointId: null, videoId: null, eventId: null, status: null }
      const placed = await Promise.all([...clients].map((id) => store.deliveries(id, all)))
      const tries = await Promise.all(placed.flat().map(({ delivery }) => store.attempts(delivery.id)))
      callbacks = tries.flat()
    },
    view: (): Ledger => {
      const { jobs, charges, ...all } = sandbox.ledger()
      const isOurs = ({ account }: { account: string }): boolean => accounts.has(account)
      return { ...all, jobs: jobs.filter(isOurs), charges: charges.filter(isOurs), requests, callbacks }
    },
  }
}

import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { onTestFinished } from 'vitest'
import { selfSigned } from '../../adapters/certificate.ts'

/** An https server named localhost, closed when the test ends; `trusted`: this process trusts its certificate until then. */
export const startTls = async (untilMs: number, trusted: boolean, handle: RequestListener): Promise<string> => {
  const pair = selfSigned(untilMs)
  const server = createServer(pair, handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const before = getCACertificates('default')
  if (trusted) setDefaultCACertificates([pair.cert])
  onTestFinished(() => {
    if (trusted) setDefaultCACertificates(before)
    server.closeAllConnections()
    server.close()
  })
  return `https://localhost:${(server.address() as AddressInfo).port}`
}

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FromServer, ToServer } from './protocol.ts'

const tell = (message: FromServer): void => void process.send?.(message)

/** In the server's own process: says where it serves, tells its CPU time when asked, and ends when told or left alone. */
export const serve = (url: string, close: () => Promise<unknown>): void => {
  const end = (): void => void close().finally(() => process.disconnect?.())
  process.on('message', ({ kind }: ToServer) => {
    if (kind === 'close') return end()
    const { user, system } = process.cpuUsage()
    tell({ kind: 'cpu', microseconds: user + system })
  })
  process.once('disconnect', () => process.exit())
  tell({ kind: 'serving', url })
}

/** Listens on a free port of this machine. */
export const listenLocally = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

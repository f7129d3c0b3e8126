import { once } from 'node:events'
import { createServer, type Server } from 'node:http'

/** So many receivers, each on a port of its own, that read what comes and answer 204. */
const servers: Server[] = []
const targets: string[] = []
for (let n = 0; n < Number(process.argv[2]); n += 1) {
  const server = createServer((request, response) => {
    request.resume()
    request.once('end', () => response.writeHead(204).end())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a receiver has no port')
  targets.push(`http://127.0.0.1:${address.port}`)
  servers.push(server)
}
process.once('disconnect', () => {
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
})
process.send?.(targets)

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

const TYPES = { A: 1, AAAA: 28 } as const

/** What a name has; null: no such name. */
export type Zone = (name: string) => { A?: string[]; AAAA?: string[] } | null | 'silence'

export interface NameServer {
  /** `address:port`. */
  at: string
  /** Every name that was asked for, however often. */
  asked: string[]
}

const ipv4 = (address: string): Buffer => Buffer.from(address.split('.').map(Number))
/** Written in full: eight groups. */
const ipv6 = (address: string): Buffer =>
  Buffer.concat(address.split(':').map((group) => Buffer.from(group.padStart(4, '0'), 'hex')))

/** The question of a query (RFC 1035, 4.1.2): its name, its type, and its own bytes. */
const questionOf = (query: Buffer) => {
  const labels: string[] = []
  let at = 12
  for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + size))
    at += 1 + size
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), bytes: query.subarray(12, at + 5) }
}

const reply = (query: Buffer, question: Buffer, type: number, found: Buffer[] | null): Buffer => {
  const header = Buffer.from(query.subarray(0, 12))
  // A response, with recursion; 3: no such name.
  header.writeUInt16BE(0x8180 | (found === null ? 3 : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(found?.length ?? 0, 6)
  header.writeUInt32BE(0, 8)
  const answers = (found ?? []).map((address) => {
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt32BE(60, 6)
    record.writeUInt16BE(address.length, 10)
    return Buffer.concat([record, address])
  })
  return Buffer.concat([header, question, ...answers])
}

/** A name server on loopback, closed when the test ends. */
export const startNameServer = async (zone: Zone): Promise<NameServer> => {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, type, bytes } = questionOf(query)
    asked.push(name)
    const has = zone(name)
    if (has === 'silence') return
    const found = has && (type === TYPES.A ? (has.A ?? []).map(ipv4) : (has.AAAA ?? []).map(ipv6))
    socket.send(reply(query, bytes, type, found), from.port, from.address)
  })
  const listening = once(socket, 'listening')
  socket.bind(0, '127.0.0.1')
  await listening
  onTestFinished(() => void socket.close())
  return { at: `127.0.0.1:${socket.address().port}`, asked }
}

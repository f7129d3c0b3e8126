/** One message on the wire, its fields by number, each as often as it came: enough to read what an exporter wrote. */
export type Message = ReadonlyMap<number, readonly (bigint | Buffer)[]>

const VARINT = 0
const FIXED64 = 1
const BYTES = 2
const FIXED32 = 5

/** Throws for what is no message, so that a test fails for it. */
export const readMessage = (bytes: Buffer): Message => {
  const fields = new Map<number, (bigint | Buffer)[]>()
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = BigInt(bytes.readUInt8(at++))
      value |= (byte & 0x7fn) << shift
      if ((byte & 0x80n) === 0n) return value
    }
  }
  const take = (count: number): Buffer => {
    if (at + count > bytes.length) throw new Error('a field is longer than its message')
    at += count
    return bytes.subarray(at - count, at)
  }
  const read = (wire: number): bigint | Buffer => {
    if (wire === VARINT) return varint()
    if (wire === FIXED64) return take(8).readBigUInt64LE()
    if (wire === BYTES) return take(Number(varint()))
    if (wire === FIXED32) return BigInt(take(4).readUInt32LE())
    throw new Error(`there is no wire type ${wire}`)
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const field = tag >> 3
    fields.set(field, [...(fields.get(field) ?? []), read(tag & 7)])
  }
  return fields
}

const blobs = (message: Message, field: number): Buffer[] =>
  (message.get(field) ?? []).filter((value) => Buffer.isBuffer(value))

export const messagesIn = (message: Message, field: number): Message[] => blobs(message, field).map(readMessage)
export const textIn = (message: Message, field: number): string => blobs(message, field)[0]?.toString() ?? ''
export const hexIn = (message: Message, field: number): string => blobs(message, field)[0]?.toString('hex') ?? ''
export const numberIn = (message: Message, field: number): number | null => {
  const value = message.get(field)?.[0]
  return typeof value === 'bigint' ? Number(value) : null
}

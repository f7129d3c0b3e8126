import { crc32, deflateSync } from 'node:zlib'
import type { Canvas } from './canvas.ts'

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** An 8-bit RGB PNG of a canvas. */
export const png = ({ widthPx, heightPx, rgb }: Canvas): Buffer => {
  const lineBytes = widthPx * 3
  const rows = Array.from({ length: heightPx }, (_, y) =>
    // Each row is led by the number of its filter: 0, none.
    Buffer.concat([Buffer.alloc(1), rgb.subarray(y * lineBytes, (y + 1) * lineBytes)]),
  )
  const header = Buffer.alloc(13)
  header.writeUInt32BE(widthPx, 0)
  header.writeUInt32BE(heightPx, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = chunk('IDAT', deflateSync(Buffer.concat(rows)))
  return Buffer.concat([signature, chunk('IHDR', header), data, chunk('IEND', Buffer.alloc(0))])
}

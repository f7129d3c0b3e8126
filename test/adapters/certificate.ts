import { generateKeyPairSync, sign } from 'node:crypto'

/** DER: tag, length, content. */
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), content])
}
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts)
const ECDSA_SHA256 = sequence(der(0x06, Buffer.from([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02])))
const COMMON_NAME = der(0x06, Buffer.from([0x55, 0x04, 0x03]))
const date = (text: string): Buffer => der(0x17, Buffer.from(text))

const seconds = (ms: number): string => `${new Date(ms).toISOString().slice(2, 19).replaceAll(/[-T:]/g, '')}Z`
const FROM_MS = Date.UTC(2025, 0, 1)
const UNTIL_MS = Date.UTC(2049, 0, 1)

/** A certificate that nobody vouches for, made anew: no private key lies in the repository. */
export const selfSigned = (untilMs = UNTIL_MS): { key: string; cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('localhost')))))
  const body = sequence(
    der(0x02, Buffer.from([1])),
    ECDSA_SHA256,
    name,
    sequence(date(seconds(Math.min(FROM_MS, untilMs - 1_000))), date(seconds(untilMs))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const base64 = sequence(body, ECDSA_SHA256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  }
}

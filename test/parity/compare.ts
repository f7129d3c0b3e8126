import { headerOf, isJson, isObject, jsonOf, type Answer, type JsonObject } from './exchange.ts'
import { sameText, type References } from './references.ts'

export type Kind = 'status' | 'missing' | 'added' | 'type' | 'value' | 'reference' | 'bytes' | 'order' | 'step'

/** One thing that the gateway answers otherwise than the service. */
export interface Divergence {
  /** `status`, `header.NAME`, `body.PATH` (`[]` for any place of a list), `states`, `step`. */
  readonly place: string
  readonly kind: Kind
  readonly direct: unknown
  readonly gateway: unknown
}

/** How a lane's own origins are read: what it answers under, and what its links to files are under. */
export interface Origins {
  readonly own: string
  readonly files: readonly string[]
}

export interface Sides {
  readonly direct: Origins
  readonly gateway: Origins
  readonly references: References
}

/** Of the connection, not of the answer (RFC 9110, 7.6.1; RFC 9112, 6.1). */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding'])

const FILE = /^\/(?:media|previews)\//

/** Origins by what they are: the ports of two lanes differ. */
const neutral = (text: string, { own, files }: Origins): string =>
  text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, (origin, at: number) => {
    if (origin === own) return '{own}'
    return files.includes(origin) && FILE.test(text.slice(at + origin.length)) ? '{own}' : '{other}'
  })

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)

const compareText = (sides: Sides, place: string, direct: string, gateway: string): Divergence[] => {
  const kind = sameText(sides.references, neutral(direct, sides.direct), neutral(gateway, sides.gateway))
  return kind === null ? [] : [{ place, kind, direct, gateway }]
}

const compareObjects = (sides: Sides, place: string, direct: JsonObject, gateway: JsonObject): Divergence[] => {
  const names = [...new Set([...Object.keys(direct), ...Object.keys(gateway)])]
  return names.flatMap((name): Divergence[] => {
    const at = `${place}.${name}`
    if (!Object.hasOwn(gateway, name)) return [{ place: at, kind: 'missing', direct: direct[name], gateway: undefined }]
    if (!Object.hasOwn(direct, name)) return [{ place: at, kind: 'added', direct: undefined, gateway: gateway[name] }]
    return compareJson(sides, at, direct[name], gateway[name])
  })
}

const compareLists = (
  sides: Sides,
  place: string,
  direct: readonly unknown[],
  gateway: readonly unknown[],
): Divergence[] => {
  if (direct.length !== gateway.length) {
    return [{ place: `${place}.length`, kind: 'value', direct: direct.length, gateway: gateway.length }]
  }
  return direct.flatMap((item, at) => compareJson(sides, `${place}[]`, item, gateway[at]))
}

/** Keys, types and values. */
const compareJson = (sides: Sides, place: string, direct: unknown, gateway: unknown): Divergence[] => {
  if (typeOf(direct) !== typeOf(gateway)) return [{ place, kind: 'type', direct, gateway }]
  if (typeof direct === 'string' && typeof gateway === 'string') return compareText(sides, place, direct, gateway)
  if (Array.isArray(direct) && Array.isArray(gateway)) return compareLists(sides, place, direct, gateway)
  if (isObject(direct) && isObject(gateway)) return compareObjects(sides, place, direct, gateway)
  return Object.is(direct, gateway) ? [] : [{ place, kind: 'value', direct, gateway }]
}

const isHttpDate = (text: string): boolean => new Date(text).toUTCString() === text

/** A length is that of its own body, a date is of a machine's clock; every other value is the same. */
const compareHeader = (sides: Sides, name: string, direct: Answer, gateway: Answer): Divergence[] => {
  const valuesOf = ({ headers }: Answer): string[] => headers.flatMap(([of, value]) => (of === name ? [value] : []))
  const [there, here] = [valuesOf(direct), valuesOf(gateway)]
  const place = `header.${name}`
  if (here.length === 0) return [{ place, kind: 'missing', direct: there.join(', '), gateway: undefined }]
  if (there.length === 0) return [{ place, kind: 'added', direct: undefined, gateway: here.join(', ') }]
  const [told, value] = [there.join(', '), here.join(', ')]
  if (name === 'date' || name === 'last-modified')
    return isHttpDate(value) ? [] : [{ place, kind: 'value', direct: told, gateway: value }]
  if (name === 'content-length') {
    const isOwn = (length: string, { body }: Answer): boolean => body.length === 0 || Number(length) === body.length
    return isOwn(told, direct) && isOwn(value, gateway) ? [] : [{ place, kind: 'value', direct: told, gateway: value }]
  }
  return compareText(sides, place, told, value)
}

/** A body may be told by its length or by its chunks, none by neither: which, only the connection knows. */
const isFraming = ({ place, kind }: Divergence): boolean => place === 'header.content-length' && kind !== 'value'

const compareHeaders = (sides: Sides, direct: Answer, gateway: Answer): Divergence[] => {
  const names = [...new Set([...direct.headers, ...gateway.headers].map(([name]) => name))]
  return names
    .filter((name) => !HOP_BY_HOP.has(name))
    .flatMap((name) => compareHeader(sides, name, direct, gateway))
    .filter((one) => !isFraming(one))
}

const textOf = (answer: Answer): string | null =>
  isJson(answer) || headerOf(answer, 'content-type')?.startsWith('text/') ? answer.body.toString('utf8') : null

/** Byte for byte, but for ids, origins and signatures in what is text. */
const compareBytes = (sides: Sides, direct: Answer, gateway: Answer): Divergence[] => {
  const [there, here] = [textOf(direct), textOf(gateway)]
  if (there !== null && here !== null) {
    return compareText(sides, 'body', there, here).map((one) => ({ ...one, kind: 'bytes' }))
  }
  if (direct.body.equals(gateway.body)) return []
  const told = ({ body }: Answer): string => `${body.length} bytes, ${body.subarray(0, 60).toString('latin1')}`
  return [{ place: 'body', kind: 'bytes', direct: told(direct), gateway: told(gateway) }]
}

/** All that differs between the service's answer and the gateway's. `byBytes`: what is passed through, if it is fine. */
export const compare = (sides: Sides, direct: Answer, gateway: Answer, byBytes = false): Divergence[] => {
  const status: Divergence[] =
    direct.status === gateway.status
      ? []
      : [{ place: 'status', kind: 'status', direct: direct.status, gateway: gateway.status }]
  const isPassed = byBytes && direct.status < 300 && gateway.status < 300
  const isData = isJson(direct) && isJson(gateway) && direct.body.length > 0 && gateway.body.length > 0
  const body =
    isPassed || !isData
      ? compareBytes(sides, direct, gateway)
      : compareJson(sides, 'body', jsonOf(direct), jsonOf(gateway))
  return [...status, ...compareHeaders(sides, direct, gateway), ...body]
}

/** What was captured of a request, as text or raw bytes; all pure, all faults are `Error`s that say what is wrong. */

export interface Capture {
  readonly headers: Map<string, string>
  readonly body: Buffer
}

const add = (headers: Map<string, string>, line: string): void => {
  const [, name, value] = /^([^\s:]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
  if (name === undefined || value === undefined)
    throw new Error(`not a header: "${line.slice(0, 60)}" (expected NAME: VALUE)`)
  const key = name.toLowerCase()
  const before = headers.get(key)
  // As one request may say it twice (RFC 9110, 5.3).
  headers.set(key, before === undefined ? value : `${before}, ${value}`)
}

/** Lines `NAME: VALUE`, or a JSON object as frameworks print it. */
export const headersIn = (text: string): Map<string, string> => {
  const headers = new Map<string, string>()
  if (text.trimStart().startsWith('{')) {
    const parsed: unknown = JSON.parse(text)
    for (const [name, value] of Object.entries(Object(parsed) as Record<string, unknown>))
      headers.set(name.toLowerCase(), Array.isArray(value) ? value.join(', ') : String(value))
    return headers
  }
  for (const line of text.split(/\r?\n/)) if (line.trim() !== '') add(headers, line)
  return headers
}

/** RFC 9112, 7.1. */
const unchunked = (bytes: Buffer): Buffer => {
  const chunks: Buffer[] = []
  for (let at = 0; ;) {
    const end = bytes.indexOf('\n', at)
    const size = end < 0 ? Number.NaN : Number.parseInt(bytes.subarray(at, end).toString('latin1'), 16)
    if (!(size >= 0) || end + 1 + size > bytes.length) throw new Error('the chunked body is incomplete or broken')
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(bytes.subarray(end + 1, end + 1 + size))
    at = bytes.indexOf('\n', end + 1 + size) + 1
    if (at === 0) throw new Error('the chunked body is incomplete or broken')
  }
}

const framed = (headers: ReadonlyMap<string, string>, rest: Buffer): Buffer => {
  // A tool that shows a request often shows the body without its chunks.
  if (/\bchunked\b/i.test(headers.get('transfer-encoding') ?? '') && /^[0-9a-f]+(;.*)?\r?$/im.test(firstLine(rest)))
    return unchunked(rest)
  const length = headers.get('content-length')
  if (length === undefined || !/^\d+$/.test(length)) return rest
  if (rest.length < Number(length))
    throw new Error(`the body is incomplete: content-length says ${length} bytes, but there are ${rest.length}`)
  // What comes after it is of the file: usually the line break at its end.
  return rest.subarray(0, Number(length))
}

const firstLine = (bytes: Buffer): string => bytes.subarray(0, Math.max(0, bytes.indexOf('\n'))).toString('latin1')

/** A raw HTTP/1.1 request: its first line (which may be missing), headers, an empty line, the body. */
export const requestIn = (bytes: Buffer): Capture => {
  const [separator] = /\r?\n\r?\n/.exec(bytes.toString('latin1')) ?? []
  const end = separator === undefined ? -1 : bytes.indexOf(separator)
  if (separator === undefined) throw new Error('not a raw request: there is no empty line between headers and body')
  const lines = bytes.subarray(0, end).toString('utf8').split(/\r?\n/)
  if (/^[A-Z]+ \S+( HTTP\/[\d.]+)?$/.test(lines[0] ?? '')) lines.shift()
  const headers = headersIn(lines.join('\n'))
  return { headers, body: framed(headers, bytes.subarray(end + separator.length)) }
}

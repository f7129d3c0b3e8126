/** One block of a stream of server-sent events (WHATWG HTML, 9.2); `data` keeps its line breaks. */
export interface Block {
  readonly id: string | null
  readonly event: string
  /** null: nothing to hear, a heartbeat or an id alone. */
  readonly data: string | null
}

/** An event is under 20 kB: whatever sends more without an end is no gateway. */
const MAX_BLOCK_CHARS = 1024 * 1024

const blockOf = (lines: readonly string[]): Block => {
  const data: string[] = []
  let id: string | null = null
  let event = ''
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    if (name === 'data') data.push(value)
    else if (name === 'event') event = value
    else if (name === 'id' && !value.includes('\0')) id = value
  }
  return { id, event, data: data.length === 0 ? null : data.join('\n') }
}

/** The blocks of a stream, however its bytes are cut; one that is not ended is none. */
export async function* blocksIn(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Block> {
  const decoder = new TextDecoder()
  let lines: string[] = []
  let rest = ''
  for await (const chunk of bytes) {
    rest += decoder.decode(chunk, { stream: true })
    if (rest.length + lines.reduce((sum, { length }) => sum + length, 0) > MAX_BLOCK_CHARS)
      throw new Error('the gateway sent an incomplete event')
    // A line break of two characters may be cut in between.
    const parts = rest.split(/\r\n|\n|\r(?!$)/)
    rest = parts.pop() ?? ''
    for (const line of parts) {
      if (line !== '') lines.push(line)
      else if (lines.length > 0) {
        yield blockOf(lines)
        lines = []
      }
    }
  }
}

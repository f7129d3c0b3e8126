/** One event of a stream (the HTML standard, "Server-sent events"). */
export interface Frame {
  event: string
  data: string
  /** The last id that the stream told, in this event or before it. */
  lastEventId: string | null
}

export interface FrameReader {
  /** The events that are whole with this text. */
  push(text: string): Frame[]
  /** Also of blocks that are no events. */
  lastEventId(): string | null
  /** How long to wait before coming back; null: the stream said nothing. */
  retryMs(): number | null
}

export const createFrameReader = (firstId: string | null): FrameReader => {
  let rest = ''
  let id = firstId
  let retry: number | null = null
  let event = ''
  let data: string[] = []

  const take = (line: string): void => {
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') event = value
    else if (field === 'data') data.push(value)
    else if (field === 'id' && !value.includes('\0')) id = value
    else if (field === 'retry' && /^\d+$/.test(value)) retry = Number(value)
  }

  const end = (): Frame[] => {
    const frames = data.length === 0 ? [] : [{ event: event || 'message', data: data.join('\n'), lastEventId: id }]
    event = ''
    data = []
    return frames
  }

  return {
    push(text) {
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop() ?? ''
      return lines.flatMap((line) => {
        if (line === '') return end()
        take(line)
        return []
      })
    },
    lastEventId: () => id,
    retryMs: () => retry,
  }
}

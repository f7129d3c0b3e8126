import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { onTestFinished } from 'vitest'

export interface Heard {
  id?: string
  event?: string
  data?: string
  comment?: string
  retry?: string
}

export interface Listener {
  status: number
  headers: IncomingHttpHeaders
  /** Everything that was heard so far. */
  heard: Heard[]
  /** The next block; rejects if the stream ends first. */
  next(): Promise<Heard>
  /** The next block with data, parsed; what is passed over on the way stays in `heard`. */
  event(): Promise<{ id: string; event: string; data: Record<string, unknown>; raw: string }>
  /** Resolves with what else came when the other side ended: `whole`, or a connection that was cut. */
  ended: Promise<'whole' | 'cut'>
  pause(): void
  resume(): void
  hangUp(): void
}

const FIELDS = ['id', 'event', 'data', 'retry'] as const

const blockOf = (text: string): Heard => {
  const heard: Heard = {}
  for (const line of text.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
    const field = FIELDS.find((known) => known === name)
    if (field) heard[field] = value
    else if (name === '') heard.comment = value
  }
  return heard
}

/** Opens a stream and reads it as a browser would; hangs up when the test ends. */
export const listen = async (url: string, headers: Record<string, string>): Promise<Listener> => {
  const sent = request(url, { headers: { accept: 'text/event-stream', ...headers }, agent: false })
  sent.end()
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve)
    sent.once('error', reject)
  })
  onTestFinished(() => void sent.destroy())
  const heard: Heard[] = []
  let taken = 0
  let told = (): void => {}
  let rest = ''
  let isOver = false
  response.setEncoding('utf8')
  response.on('error', () => undefined)
  response.on('data', (chunk: string) => {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    heard.push(...blocks.map(blockOf))
    told()
  })
  const ended = new Promise<'whole' | 'cut'>((resolve) => {
    response.once('close', () => {
      isOver = true
      resolve(response.complete ? 'whole' : 'cut')
      told()
    })
  })
  const next = async (): Promise<Heard> => {
    for (;;) {
      const block = heard[taken]
      if (block) {
        taken += 1
        return block
      }
      if (isOver) throw new Error('the stream is over')
      await new Promise<void>((resolve) => (told = resolve))
    }
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    heard,
    next,
    async event() {
      for (;;) {
        const { id = '', event = '', data } = await next()
        if (data !== undefined) return { id, event, data: JSON.parse(data) as Record<string, unknown>, raw: data }
      }
    },
    ended,
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    hangUp: () => void sent.destroy(),
  }
}

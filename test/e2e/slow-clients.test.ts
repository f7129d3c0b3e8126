import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { stage } from './harness.ts'

test('a caller that never ends its headers is told 408 and cut off', async () => {
  const s = await stage({ headersTimeoutMs: 200 })
  const socket = connect(Number(new URL(s.gateway().gateway.url).port), '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (part: string) => (answer += part))
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  await once(socket, 'close')
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
})

import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { stage } from './harness.ts'

/** The one test that lets real time pass: the limit is node's, and node's clock cannot be injected. */
test('a caller that never ends its headers is told 408 and cut off after ten seconds', async () => {
  const s = await stage()
  const socket = connect(Number(new URL(s.gateway().gateway.url).port), '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (part: string) => (answer += part))
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  await once(socket, 'close')
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
})

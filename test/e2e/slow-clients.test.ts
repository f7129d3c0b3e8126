import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { ProblemView } from '../../src/core/api/videos.ts'
import { KEYS } from '../fakes/gateway.ts'
import { until } from '../fakes/until.ts'
import { stage, type StageOptions } from './harness.ts'

/** All that a caller hears who sends this and then nothing more. */
const answered = async (bytes: string, options: StageOptions): Promise<{ line: string; problem: ProblemView }> => {
  const s = await stage(options)
  const socket = connect(Number(new URL(s.gateway().gateway.url).port), '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (part: string) => (answer += part))
  socket.write(bytes)
  await once(socket, 'close')
  expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  return { line: head.split('\r\n')[0] ?? '', problem: ProblemView.parse(JSON.parse(body)) }
}

test('a caller that never ends its headers is told 408 and cut off', async () => {
  const { line, problem } = await answered('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ', { headersTimeoutMs: 200 })
  expect(line).toBe('HTTP/1.1 408 Request Timeout')
  expect(problem).toMatchObject({ status: 408, code: 'invalid_request', retryable: true })
})

test('a caller that never ends its body, likewise, under the id of its request', async () => {
  const head = `POST /unified/v1/videos HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEYS.anna}\r\nX-Request-Id: slow-1`
  const { line, problem } = await answered(
    `${head}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"text":`,
    { headersTimeoutMs: 200, requestTimeoutMs: 400 },
  )
  expect(line).toBe('HTTP/1.1 408 Request Timeout')
  expect(problem).toMatchObject({ status: 408, code: 'invalid_request', retryable: true, request_id: 'slow-1' })
})

test('a caller that reads nothing of what it asked for is cut off, and its requests are logged as broken off', async () => {
  const s = await stage({ stalledTimeoutMs: 200 })
  const socket = connect(Number(new URL(s.gateway().gateway.url).port), '127.0.0.1')
  socket.on('error', () => {}).pause()
  const path = '/metrics'
  // More than the system takes in for it.
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(1_000))
  const broken = () => s.gateway().logs.filter((line) => line.includes(path) && line.includes('"aborted":true'))
  await until(() => broken().length > 0, 60_000)
  socket.resume()
  // With a reset, so that nothing of it stays in the system's memory.
  await new Promise((resolve) => socket.once('close', resolve))
})

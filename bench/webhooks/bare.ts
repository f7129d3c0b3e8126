import { randomBytes } from 'node:crypto'
import { Agent, request } from 'undici'
import { newWebhookSecret, sign } from '../../src/webhooks/sign.ts'
import { bodyOf, PER_TARGET, serve, TIMEOUT_MS, type Order, type Setup } from './protocol.ts'

/** The reference: signed POSTs in a loop, as many at once as the sender makes, and nothing written down. */
const { targets } = JSON.parse(process.argv[2] ?? '{}') as Setup
const agent = new Agent({ connections: PER_TARGET, pipelining: 1 })
const secrets = [newWebhookSecret(randomBytes)]
let made = 0

const post = async (url: string): Promise<void> => {
  made += 1
  const body = bodyOf(made)
  const headers = sign({ secrets, id: `evt_${made}`, timestampS: Math.floor(Date.now() / 1_000), body })
  const answer = await request(url, {
    dispatcher: agent,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  })
  await answer.body.dump()
  if (answer.statusCode !== 204) throw new Error(`a receiver answered ${answer.statusCode}`)
}

serve(
  async ({ count }: Order) =>
    async () => {
      let left = count
      const work = async (url: string): Promise<void> => {
        while (left > 0) {
          left -= 1
          await post(url)
        }
      }
      await Promise.all(targets.flatMap((target) => Array.from({ length: PER_TARGET }, () => work(`${target}/hook`))))
    },
  () => agent.close(),
)

import { CliError } from '../context.ts'
import type { Verify } from './receiver.ts'

/**
 * The verifier of the npm package `standardwebhooks`: not our code, so that it proves something. A development
 * dependency, hence loaded when it is needed. Throws a `CliError` where it is not installed.
 */
export const loadVerifier = async (): Promise<(secret: string) => Verify> => {
  const { Webhook } = await import('standardwebhooks').catch((cause: unknown) => {
    const message = 'the demo verifies webhooks with the npm package standardwebhooks, which is not installed'
    throw new CliError(1, `talkbridge demo: ${message}: run it in a checkout, after npm ci`, { cause })
  })
  return (secret) => {
    const webhook = new Webhook(secret)
    return (body, headers) => void webhook.verify(body, headers)
  }
}

import type { Verify } from './receiver.ts'

/**
 * The verifier of the npm package `standardwebhooks`: not our code, so that it proves something. Loaded when it is needed:
 * no other command is.
 */
export const loadVerifier = async (): Promise<(secret: string) => Verify> => {
  const { Webhook } = await import('standardwebhooks')
  return (secret) => {
    const webhook = new Webhook(secret)
    return (body, headers) => void webhook.verify(body, headers)
  }
}

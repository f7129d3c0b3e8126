import type { Ports } from '../core/ports.ts'
import type { GuardedAgent } from '../http/guard.ts'
import { createEndpoints, type Endpoints, createReplayer, type Resends } from './endpoints.ts'
import { createWebhookSecrets, type SecretBox, type WebhookSecrets } from './secrets.ts'
import { createSender, type Sender } from './sender.ts'
import type { RandomBytes } from './sign.ts'

interface WebhooksOptions extends Ports {
  resends: Resends
  box: SecretBox
  /** `clients[].webhook_secret` by client. */
  configured: ReadonlyMap<string, string>
  agent: Pick<GuardedAgent, 'check' | 'dispatcher'>
  vet: (url: string, field: string) => Promise<void>
  timeoutMs: number
  concurrency: number
  randomBytes: RandomBytes
  userAgent: string
}

export interface Webhooks {
  secrets: WebhookSecrets
  endpoints: Endpoints
  /** Runs replays, too. */
  sender: Pick<Sender, 'start' | 'stop'>
}

/** How many attempts run at the same time for one target, in one process. */
export const PER_TARGET = 8

/** Everything outbound: the sender, the replays, and what clients do with their endpoints. */
export const createWebhooks = (options: WebhooksOptions): Webhooks => {
  const { store, wake, clock, log, tally, newId, resends, agent, vet, timeoutMs, userAgent } = options
  const secrets = createWebhookSecrets(options)
  const onDue = (ids: readonly string[]): void => ids.forEach((id) => wake.hint('deliver', id, clock.now()))
  const replayer = createReplayer({ store, clock, log, onDue })
  const onDisabled = replayer.wake
  const sender = createSender({ ...options, secretsOf: secrets.live, perTarget: PER_TARGET, onDisabled })
  const sending = { agent, clock, timeoutMs, userAgent }
  return {
    secrets,
    endpoints: createEndpoints({
      store,
      secrets,
      clock,
      tally,
      newId,
      vet,
      sending,
      trial: sender.trial,
      resends,
      onWork: replayer.wake,
      onDue,
      // No video changed, so there is no id and no version.
      onTold: (client) => wake.changed('', 0, client),
    }),
    sender: {
      start() {
        sender.start()
        replayer.start()
      },
      stop: () => Promise.all([sender.stop(), replayer.stop()]).then(() => undefined),
    },
  }
}

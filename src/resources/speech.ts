import type { SpeechClip } from '../core/adapter.ts'
import { notNow, PATIENCE_MS, problemOf } from '../engine/upstream/ask.ts'
import type { Upstream } from '../engine/upstream/tickets.ts'
import type { Aliases } from '../engine/create/route.ts'
import type { Backends } from '../engine/upstream/accounts.ts'
import { pick, type Caller } from './pick.ts'

interface SpeechDeps {
  upstream: Pick<Upstream, 'ask'>
  defaultBackend: string
  aliases: Aliases
}

export interface CreateSpeech {
  text: string
  voiceId: string
  speed: number | null
}

/** Speech from text. Characters are sold, and there are no keys: what began is never sent again. */
export const createSpeech =
  ({ upstream, defaultBackend, aliases }: SpeechDeps) =>
  async ({ visible }: Caller, { text, voiceId, speed }: CreateSpeech): Promise<SpeechClip> => {
    const voice = aliases.voices.read(voiceId, visible)
    const pin = voice.home === null ? null : { backend: voice.home, param: 'voice_id' }
    const having: Backends = new Map([...visible].filter(([, one]) => pin !== null || voice.isOf(one)))
    const backend = pick({ capability: 'speech', what: 'make speech with this voice', pin }, having, defaultBackend)
    const { account } = backend
    const native = voice.on(backend)
    if (typeof native !== 'string') throw new Error('a voice that is of a backend has a name there')
    const asked = await upstream.ask(account, 'create', PATIENCE_MS, () =>
      account.adapter.createSpeech({ text, voiceId: native, speed }),
    )
    if (asked.kind === 'not_now') throw notNow(backend, asked.retryAtMs)
    const { outcome } = asked
    switch (outcome.kind) {
      case 'done':
        return outcome.value
      case 'doubt':
        throw problemOf(outcome.problem, backend, {
          message: `${outcome.problem.message}; you may have paid for the characters, and would pay again if you repeat it`,
          // Only the backend's own invitation counts.
          retryable: outcome.problem.retryAtMs !== null,
        })
      case 'refused':
      case 'unreachable':
        throw problemOf(
          outcome.problem,
          backend,
          outcome.problem.code === 'voice_not_found' ? { param: 'voice_id' } : {},
        )
    }
  }

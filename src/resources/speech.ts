import type { SpeechClip } from '../core/adapter.ts'
import { notNow, PATIENCE_MS, problemOf } from '../videos/ask.ts'
import type { Upstream } from '../videos/upstream.ts'
import { parseId } from '../videos/route.ts'
import { pick, type Caller } from './pick.ts'

export interface SpeechDeps {
  upstream: Pick<Upstream, 'ask'>
  defaultBackend: string
}

export interface CreateSpeech {
  text: string
  voiceId: string
  speed: number | null
}

/** Speech from text. Characters are sold, and there are no keys: what began is never sent again. */
export const createSpeech =
  ({ upstream, defaultBackend }: SpeechDeps) =>
  async ({ visible }: Caller, { text, voiceId, speed }: CreateSpeech): Promise<SpeechClip> => {
    const voice = parseId(voiceId, visible)
    const pin = voice.backend === null ? null : { backend: voice.backend, param: 'voice_id' }
    const backend = pick({ capability: 'speech', what: 'make speech', pin }, visible, defaultBackend)
    const { account } = backend
    const asked = await upstream.ask(account, 'create', PATIENCE_MS, () =>
      account.adapter.createSpeech({ text, voiceId: voice.native, speed }),
    )
    if (asked.kind === 'not_now') throw notNow(backend, asked.retryAtMs)
    const { outcome } = asked
    switch (outcome.kind) {
      case 'done':
        return outcome.value
      case 'doubt':
        throw problemOf(outcome.problem, backend, {
          message: `${outcome.problem.message}; the characters may have been sold, and a repeat sells them again`,
          // Only the backend's own invitation counts.
          retryable: outcome.problem.retryAtMs !== null,
        })
      case 'refused':
      case 'unreachable':
        throw problemOf(outcome.problem, backend)
    }
  }

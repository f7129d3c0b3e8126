import type { Scenario } from './run.ts'

/**
 * No evidence by then, and a create is unknown: much longer than a job of these speeds, its callback and two starts take,
 * also where eight runs at once share a busy machine.
 */
const windowOf = (length: string) => ({
  TALKBRIDGE_ENGINE__RESEND_WINDOW: length,
  TALKBRIDGE_ENGINE__POLL__MIN_INTERVAL: '250ms',
})
const PUPPET = { puppet_id: 'alt:pup_ada', text: 'Hello.' }

export const SCENARIOS = {
  /** Doubts end by the same bytes under the same key. */
  primary: {
    speed: 100,
    env: { ...windowOf('60s'), TALKBRIDGE_BACKENDS__MAIN__SLOTS: '1' },
    isCalledBack: true,
    videos: 2,
    body: { image_url: 'https://example.com/anna.png', text: 'Hello.' },
  },
  /** Doubts end by callbacks alone, which come when the job ends: others may use the account. */
  alternate: {
    speed: 25,
    env: {
      ...windowOf('30s'),
      TALKBRIDGE_BACKENDS__ALT__SLOTS: '1',
      TALKBRIDGE_BACKENDS__ALT__EXCLUSIVE: 'false',
    },
    isCalledBack: true,
    videos: 2,
    body: PUPPET,
  },
  /** Doubts end by the list of an account of our own; nobody calls back. */
  exclusive: {
    speed: 50,
    env: {
      ...windowOf('20s'),
      TALKBRIDGE_BACKENDS__ALT__SLOTS: '1',
      TALKBRIDGE_BACKENDS__ALT__EXCLUSIVE: 'true',
      // The list is walked again when a create can no longer arrive: within the window.
      TALKBRIDGE_BACKENDS__ALT__TIMEOUT: '2s',
      // And once more soon after the window, when it is given up.
      TALKBRIDGE_BACKENDS__ALT__ABSENT_AFTER: '24s',
    },
    isCalledBack: false,
    videos: 1,
    body: PUPPET,
  },
} satisfies Record<string, Scenario>
export type ScenarioName = keyof typeof SCENARIOS

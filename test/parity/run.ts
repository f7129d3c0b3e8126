import { createActor, type Actor } from './actor.ts'
import { createChance } from './chance.ts'
import { requestOf } from './generator.ts'
import { sequenceOf } from './sequences.ts'
import type { Stage, StageOptions } from './stage.ts'
import type { CaseName, Tally } from './tally.ts'
import type { VariantName } from '@talkbridge/sandbox'
import { IMAGES } from './inputs.ts'
import { post } from './script.ts'
import type { Surface } from './vocabulary.ts'

export interface RunOptions {
  readonly surface: Surface
  readonly variant: VariantName
  readonly seed: number
  /** The numbers of the cases. */
  readonly requests: readonly number[]
  readonly sequences: readonly number[]
  readonly tally: Tally
  readonly start: (options: StageOptions) => Promise<Stage>
  readonly progress: (done: number) => void
}

/** So many share a stage: a new one takes as long as some hundred requests, a full one answers lists slowly. */
const REQUESTS_A_STAGE = 500
const SEQUENCES_A_STAGE = 25

const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))

/** What the service itself refuses: a gateway that has seen a refusal words its own like it. */
const REFUSED = {
  primary: {
    operation: 'createVideoFromText',
    ask: post('/api/v1/videos/text', { image: IMAGES[0], text: 'Hi', voice: 'nobody' }),
  },
  alternate: { operation: 'createVideo', ask: post('/v1/videos', { script: 'Hi', puppet_id: 'nobody' }) },
} as const satisfies Record<Surface, object>

interface Staged {
  readonly isLimited: boolean
  readonly isReal: boolean
  readonly keepsRate: boolean
  readonly cases: readonly { readonly name: CaseName; readonly play: (actor: Actor) => Promise<void> }[]
}

const played = async (
  { surface, variant, seed, tally, start, progress }: RunOptions,
  staged: Staged,
): Promise<void> => {
  const { isLimited, isReal, keepsRate, cases } = staged
  const stage = await start({ surface, variant, seed, isLimited, isReal })
  let current: CaseName = 'requests:0'
  const actor = createActor({ stage, keepsRate, note: (comparison) => tally.add(surface, current, comparison) })
  try {
    const { ask, operation } = REFUSED[surface]
    await actor.ask('anna', ask, { operation })
    for (const { name, play } of cases) {
      current = name
      await play(actor)
      progress(1)
    }
  } finally {
    await stage.close()
  }
}

const requestStages = ({ surface, seed, requests }: RunOptions): Staged[] =>
  chunks(requests, REQUESTS_A_STAGE).map((numbers) => ({
    isLimited: false,
    isReal: false,
    keepsRate: true,
    cases: numbers.map((number) => ({
      name: `requests:${number}` as const,
      async play(actor: Actor) {
        const { client, ask, operation, byBytes } = requestOf(surface, seed, number)
        await actor.ask(client, ask, { operation, byBytes })
      },
    })),
  }))

const sequenceStages = ({ surface, seed, sequences }: RunOptions): Staged[] => {
  const drawn = sequences.map((number) => {
    const sequence = sequenceOf(surface, createChance(seed, surface.length, number, 1), number)
    const chance = createChance(seed, surface.length, number, 2)
    const serial = `s${seed}-${number}`
    const play = (actor: Actor): Promise<void> => sequence.play({ actor, chance, serial })
    return { ...sequence, case: { name: `sequences:${number}` as const, play } }
  })
  const shared = drawn.filter(({ isAlone }) => !isAlone)
  const alone = drawn.filter(({ isAlone }) => isAlone)
  return [
    ...chunks(shared, SEQUENCES_A_STAGE).map((some) => ({
      isLimited: false,
      isReal: false,
      keepsRate: true,
      cases: some.map((one) => one.case),
    })),
    // What uses up slots, credits or the rate has them all for itself.
    ...alone.map((one) => ({
      isLimited: one.isLimited,
      isReal: one.isReal,
      keepsRate: one.keepsRate,
      cases: [one.case],
    })),
  ]
}

/** Plays the cases of one surface in all lanes; what differs is in the tally. */
export const run = async (options: RunOptions): Promise<void> => {
  for (const staged of [...requestStages(options), ...sequenceStages(options)]) await played(options, staged)
}

import { beforeAll } from 'vitest'
import { answer } from '../../../test/fakes/receiver.ts'
import { stage, type Stage } from '../../../test/e2e/harness.ts'
import { HOSTILE, STORY_CONFIG, tellStory, type Story } from './story.ts'

/** Fast enough for a test, slow enough to be looked at. */
const SPEED = 20

/** A gateway in front of the sandbox, gone when the test ends. Nothing has happened there yet. */
export const emptyConsole = async (atEnd?: Parameters<typeof stage>[1]): Promise<Stage & { url: string }> => {
  const options = { sandbox: { speed: SPEED, unlimitedCredits: true }, config: STORY_CONFIG }
  const staged = await stage(options, atEnd)
  staged.receiver.respond(({ url }) =>
    url.startsWith('/fails') ? answer(500, { 'content-type': 'text/html' }, HOSTILE) : answer(204),
  )
  return { ...staged, url: staged.gateway().gateway.url }
}

/** As `emptyConsole`, and something of everything has happened there. */
export const toldConsole = async (
  atEnd?: Parameters<typeof stage>[1],
): Promise<Stage & { url: string; story: Story }> => {
  const staged = await emptyConsole(atEnd)
  const { url, sandbox, receiver } = staged
  return { ...staged, story: await tellStory({ url, sandbox, receiverUrl: receiver.url }) }
}

/** As `toldConsole`, for all tests of a file that only look. Call it once, outside of any test. */
export const useToldConsole = (): (() => Awaited<ReturnType<typeof toldConsole>>) => {
  let told: Awaited<ReturnType<typeof toldConsole>> | null = null
  beforeAll(async () => {
    const ends: (() => Promise<void>)[] = []
    told = await toldConsole((end) => ends.unshift(end))
    return async () => {
      for (const end of ends) await end()
    }
  })
  return () => {
    if (!told) throw new Error('the story is told before the tests run')
    return told
  }
}

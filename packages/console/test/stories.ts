import { answer } from '../../../test/fakes/receiver.ts'
import { stage, type Stage } from '../../../test/e2e/harness.ts'
import { HOSTILE, STORY_CONFIG, tellStory, type Story } from './story.ts'

/** Fast enough for a test, slow enough to be looked at. */
const SPEED = 20

/** A gateway in front of the sandbox, gone when the test ends. Nothing has happened there yet. */
export const emptyConsole = async (): Promise<Stage & { url: string }> => {
  const staged = await stage({ sandbox: { speed: SPEED, unlimitedCredits: true }, config: STORY_CONFIG })
  staged.receiver.respond(({ url }) =>
    url.startsWith('/fails') ? answer(500, { 'content-type': 'text/html' }, HOSTILE) : answer(204),
  )
  return { ...staged, url: staged.gateway().gateway.url }
}

/** As `emptyConsole`, and something of everything has happened there. */
export const toldConsole = async (): Promise<Stage & { url: string; story: Story }> => {
  const staged = await emptyConsole()
  const { url, sandbox, receiver } = staged
  return { ...staged, story: await tellStory({ url, sandbox, receiverUrl: receiver.url }) }
}

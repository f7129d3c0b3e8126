import { onTestFinished } from 'vitest'
import type supertest from 'supertest'
import { startSandbox, STANDARD, type SandboxOptions } from '@talkbridge/sandbox'
import { fakeClock } from '../../fakes/clock.ts'
import { bearer, KEYS, testApp, type ConfigDraft } from '../../fakes/gateway.ts'

/** Every job takes the median. */
const DECISIONS = { ...STANDARD, timing: { ...STANDARD.timing, sigma: 0 } }

interface Options extends ConfigDraft {
  sandbox?: Partial<SandboxOptions>
  slots?: number | null
}

/** A gateway before both services of a sandbox, on one clock that stands still. Its engine does, too. */
export const sandboxStage = async ({ sandbox: given, slots = null, ...draft }: Options = {}) => {
  const clock = fakeClock()
  const options = { clock, speed: 1, decisions: DECISIONS, unlimitedRate: true, ...given }
  const sandbox = await startSandbox(options)
  onTestFinished(() => sandbox.close())
  const backends = {
    main: { base_url: sandbox.primaryUrl, api_key: sandbox.primaryKey, slots, ...draft.backends?.['main'] },
    alt: { base_url: sandbox.alternateUrl, api_key: sandbox.alternateKey, ...draft.backends?.['alt'] },
  }
  const app = await testApp({ ...draft, clock, backends: { ...draft.backends, ...backends } })
  const asked = (request: supertest.Test, headers: Record<string, string>): supertest.Test =>
    request.set({ ...bearer(KEYS.anna), ...headers })
  return {
    app,
    clock,
    sandbox,
    get: (path: string) => asked(app.raw.get(path), {}),
    post: (path: string, body: object, headers: Record<string, string> = {}) =>
      asked(app.raw.post(path), { 'content-type': 'application/json', ...headers }).send(body),
    delete: (path: string) => asked(app.raw.delete(path), {}),
    /** What both services were asked, by their names of it. */
    requests: () => sandbox.ledger().requests.map(({ operation }) => operation),
  }
}

import { expect } from 'vitest'
import { bearer, KEYS, testApp, type TestApp } from '../fakes/gateway.ts'
import { expectVideo } from './expect.ts'
import { ALT_BODY, serveAlternate, type Service } from './services.ts'

export interface GivenUp {
  app: TestApp
  alt: Service
  /** The video whose create nothing can tell the outcome of: given up as unknown. */
  id: string
  resolve: (word: object) => ReturnType<TestApp['get']>
}

export const givenUp = async (): Promise<GivenUp> => {
  const app = await testApp({ runsEngine: true })
  const alt = serveAlternate(app.alt)
  app.alt.next({ fault: 'cut' })
  const { id } = expectVideo(await app.post(ALT_BODY), 202)
  await expect
    .poll(async () => (await app.deps.videos.byId(id))?.error, { timeout: 120_000 })
    .toMatchObject({ code: 'create_outcome_unknown' })
  const resolve = (word: object) =>
    app.raw.post(`/unified/v1/admin/videos/${id}/resolve`).set(bearer(KEYS.anna)).send(word)
  return { app, alt, id, resolve }
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Store } from '../../../src/core/store/index.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { bearer, KEYS, openApp, type TestApp } from '../../fakes/gateway.ts'
import { MAIN_BODY, servePrimary } from '../services.ts'
import { ASKED, bodyOf, serveClips } from './alternate-stage.ts'

/**
 * Another client's id and one that does not exist are told apart by nobody: not by bytes, headers, reads of the store or
 * requests to a backend; on every operation of both dialects that takes an id, under every name that a video has.
 */
const SEES = { anna: KEYS.anna, bert: KEYS.bert, carl: 'tb_carl_0123456789abcdef' } as const

const PATHS = ['/api/v1/videos/{id}', '/v1/videos/{id}', '/v1/videos/{id}/download']

describe.each([false, true])('with adopt_existing: %s', (adopts) => {
  let app: TestApp
  let verbs: string[] = []
  /** Of Anna's video on each backend: its names; and names of none, in the same forms. */
  let names: { theirs: string; unknown: string }[] = []

  const recorded = (store: Store): Store =>
    new Proxy(store, {
      get: (target, name: keyof Store) => {
        const verb = target[name] as (...args: unknown[]) => unknown
        return (...args: unknown[]) => {
          verbs.push(name)
          return verb(...args)
        }
      },
    })

  beforeAll(async () => {
    const clients = Object.entries(SEES).map(([id, key]) => ({ id, key, limits: { requests_per_minute: 1_000_000 } }))
    app = await openApp({ clock: fakeClock(), clients, wrapStore: recorded, dropin: { adopt_existing: adopts } })
    servePrimary(app.main).state.onCreate = 'completed'
    serveClips(app.alt).onCreate = 'completed'
    const main = bodyOf(await app.post(MAIN_BODY).expect(200))
    const alt = bodyOf(await app.raw.post('/v1/videos').set(bearer(KEYS.anna)).send(ASKED).expect(201))
    const forms = ({ id }: Record<string, unknown>) => {
      const own = String(id)
      const none = 'vid_0000000000000000000000000Z'
      const [theirs, unknown] = [own, none].map((one) => one.replace('vid_', 'api_video_'))
      return [
        { theirs: own, unknown: none },
        { theirs: theirs ?? '', unknown: unknown ?? '' },
      ]
    }
    names = [
      ...forms(main),
      ...forms(alt),
      { theirs: 'api_video_1', unknown: 'api_video_none' },
      { theirs: 'clip_1', unknown: 'clip_none' },
    ]
  })
  afterAll(() => app.close())

  const asked = async (client: keyof typeof SEES, path: string, id: string) => {
    verbs = []
    const upstream = app.upstream()
    const response = await app.raw
      .get(path.replace('{id}', id))
      .set({ ...bearer(SEES[client]), 'x-request-id': 'same' })
    // An id is told again in the form of the surface.
    const shown = [id, id.replace('vid_', 'api_video_')]
    const nameless = (text: string): string => shown.reduce((before, one) => before.replaceAll(one, '(id)'), text)
    const { date: _date, 'content-length': _length, ...headers } = response.headers as Record<string, string>
    return {
      status: response.status,
      headers: nameless(JSON.stringify(headers)),
      body: nameless(response.text),
      verbs,
      upstream: app.upstream() - upstream,
    }
  }

  test.each(PATHS)('%s', async (path) => {
    expect(names).toHaveLength(6)
    for (const { theirs, unknown } of names) {
      const seen = await asked('bert', path, theirs)
      const expected = await asked('carl', path, unknown)
      expect({ id: theirs, ...seen }).toEqual({ id: theirs, ...expected })
      // A name that no job of the primary contract can have is malformed there.
      const isMalformed = path.startsWith('/api/') && !theirs.startsWith('api_video_')
      expect(seen.status).toBe(isMalformed ? 400 : 404)
      expect(seen.upstream).toBe(adopts ? 1 : 0)
    }
  })

  test.each(PATHS)('%s answers Anna herself, under each name', async (path) => {
    for (const { theirs } of names) expect((await asked('anna', path, theirs)).status).toBe(200)
  })

  test('lists have none of hers', async () => {
    const { pagination } = bodyOf(await app.raw.get('/v1/videos').set(bearer(KEYS.bert)).expect(200))
    expect(pagination).toMatchObject({ total: 0 })
    const own = bodyOf(await app.raw.get('/v1/videos').set(bearer(KEYS.anna)).expect(200))
    expect(own['pagination']).toMatchObject({ total: 2 })
  })
})

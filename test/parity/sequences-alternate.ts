import type { Replies } from './actor.ts'
import type { Chance } from './chance.ts'
import { ALTERNATE_VOICES, PUPPETS } from './inputs.ts'
import { following, get, post, shared, type Script, type Sequence } from './script.ts'
import type { ClientName } from './vocabulary.ts'

const VIDEOS = '/v1/videos'

const bodyOf = (chance: Chance, serial: string, more: object = {}): Record<string, unknown> => ({
  puppet_id: chance.pick(PUPPETS),
  script: `${serial} ${chance.pick(['Hello there.', 'Grüße.', 'A longer text, of some sentences. And another one.'])}`,
  ...(chance.happens(0.5) && { voice_id: chance.pick(ALTERNATE_VOICES) }),
  ...(chance.happens(0.3) && { resolution: chance.pick(['720p', '1080p']) }),
  ...more,
})

const create = ({ actor }: Script, body: object, client: ClientName = 'anna'): Promise<Replies> =>
  actor.ask(client, post(VIDEOS, body), { operation: 'createVideo' })

const videoOf = (made: Replies, suffix = '') => following(made, ['id'], (id) => get(`${VIDEOS}/${id}${suffix}`))
const DETAIL = { operation: 'getVideo' }
const DOWNLOAD = { operation: 'getVideoDownload' }
const LIST = { operation: 'listVideos' }

/** Create, look at once, too early for a download, poll to the end, download. */
const wholeLife = async (script: Script): Promise<void> => {
  const { actor, chance, serial } = script
  const made = await create(script, bodyOf(chance, serial))
  await actor.ask('anna', videoOf(made), DETAIL)
  if (chance.happens(0.5)) await actor.ask('anna', videoOf(made, '/download'), DOWNLOAD)
  await actor.pollToEnd('anna', videoOf(made), DETAIL)
  await actor.ask('anna', videoOf(made, '/download'), DOWNLOAD)
}

/**
 * The file itself. A sandbox that cannot render learns so from the first that is asked for, and tells other lengths from
 * then on: nothing comes after it.
 */
const download = async (script: Script): Promise<void> => {
  const { actor, chance, serial } = script
  const made = await create(script, bodyOf(chance, serial))
  await actor.pollToEnd('anna', videoOf(made), DETAIL)
  const link = await actor.ask('anna', videoOf(made, '/download'), DOWNLOAD)
  await actor.ask('anna', following(link, ['download_url'], get), { operation: 'downloadVideo', byBytes: true })
}

const failing = async (script: Script): Promise<void> => {
  const { actor, chance, serial } = script
  const ending = chance.pick(['[[fail]]', '[[fail-retryable]]'])
  const made = await create(script, bodyOf(chance, serial, { script: `${serial} ${ending}` }))
  await actor.pollToEnd('anna', videoOf(made), DETAIL)
  await actor.ask('anna', videoOf(made, '/download'), DOWNLOAD)
  await actor.ask('anna', get(`${VIDEOS}?status=failed&limit=1`), LIST)
}

/** Refusals that say something of the account; what comes next waits until they say nothing any more. */
const refused = async (script: Script): Promise<void> => {
  const { actor, chance, serial } = script
  const trouble = chance.pick(['[[unavailable]]', '[[no-credits]]'])
  const body = bodyOf(chance, serial, { script: `${serial} ${trouble}` })
  await actor.ask('anna', post(VIDEOS, body), { operation: `refused${trouble}` })
  await actor.pass(300_000)
}

/** Some videos, ended and one not; then the list, by its pages and by its states. */
const lists = async (script: Script): Promise<void> => {
  const { actor, chance, serial } = script
  const count = 1 + chance.below(3)
  for (let made = 0; made < count; made += 1) {
    const video = await create(script, bodyOf(chance, `${serial} ${made}`), 'bert')
    await actor.pollToEnd('bert', videoOf(video), DETAIL)
  }
  await create(script, bodyOf(chance, `${serial} open`), 'bert')
  const limit = chance.pick([1, 2, 3, 20])
  for (const page of [1, 2, 1_000]) await actor.ask('bert', get(`${VIDEOS}?limit=${limit}&page=${page}`), LIST)
  const status = chance.pick(['processing', 'completed', 'failed'])
  await actor.ask('bert', get(`${VIDEOS}?status=${status}&limit=${limit}`), LIST)
  // The next sequence finds no video of this one open.
  await actor.pass(240_000)
}

/** Each other's videos. */
const strangers = async (script: Script): Promise<void> => {
  const { actor, chance, serial } = script
  const body = bodyOf(chance, serial)
  const hers = await create(script, body, 'anna')
  const his = await create(script, body, 'bert')
  await actor.ask('bert', videoOf(hers), DETAIL)
  await actor.ask('anna', videoOf(his), DETAIL)
  await actor.ask('bert', videoOf(hers, '/download'), DOWNLOAD)
  await actor.pollToEnd('bert', videoOf(his), DETAIL)
  await actor.ask('anna', videoOf(his, '/download'), DOWNLOAD)
}

/** The callback of a video that ended, well or not. */
const callback = async ({ actor, chance, serial }: Script): Promise<void> => {
  const ending = chance.pick(['', ' [[fail]]'])
  const body = bodyOf(chance, serial, { script: `${serial} calls back${ending}` })
  const made = await actor.ask('anna', (lane) => post(VIDEOS, { ...body, webhook_url: actor.hookUrl(lane, serial) }), {
    operation: 'createVideo',
  })
  await actor.pollToEnd('anna', videoOf(made), DETAIL)
  await actor.callbacks('anna', serial, { operation: 'callback' })
}

/** What the catalogue shows can be used, and seen. */
const catalog = async ({ actor, chance, serial }: Script): Promise<void> => {
  const voices = await actor.ask('anna', get('/v1/voices'), { operation: 'listVoices', byBytes: true })
  const puppets = await actor.ask('anna', get('/v1/puppets'), { operation: 'listPuppets' })
  const at = String(chance.below(6))
  await actor.ask('anna', following(voices, ['data', at, 'preview_url'], get), { operation: 'preview', byBytes: true })
  await actor.ask('anna', following(puppets, ['data', at, 'thumbnail_url'], get), {
    operation: 'thumbnail',
    byBytes: true,
  })
  const video = following(puppets, ['data', at, 'id'], (id) => post(VIDEOS, { puppet_id: id, script: serial }))
  await actor.ask('anna', video, { operation: 'createVideo' })
}

/** Of what is declared and never drawn. */
const corners = async ({ actor, chance, serial }: Script): Promise<void> => {
  const create = post(VIDEOS, bodyOf(chance, serial))
  const headers = [['Content-Type', 'application/json; charset=iso-8859-1']] as const
  await actor.ask('maker', { ...create, headers }, { operation: 'createVideo' })
}

/** The rate: as many as a minute has, then one more, then the next minute. */
const rate = async ({ actor, chance }: Script): Promise<void> => {
  const asks = [get('/v1/voices'), get(`${VIDEOS}/unknown`), post(VIDEOS, {})]
  const operation = 'useUpRate'
  for (let count = 0; count < 62; count += 1) await actor.ask('anna', chance.pick(asks), { operation })
  await actor.ask('bert', chance.pick(asks), { operation })
  await actor.newWindow()
  await actor.ask('anna', chance.pick(asks), { operation })
}

/** An app that shows the voices and the puppets on each page, for ten minutes. */
const pageLoads = async ({ actor }: Script): Promise<void> => {
  for (let minute = 0; minute < 11; minute += 1) {
    for (let load = 0; load < 25; load += 1) {
      await actor.ask('anna', get('/v1/voices'), { operation: 'listVoices' })
      await actor.ask('anna', get('/v1/puppets'), { operation: 'listPuppets' })
    }
    await actor.newWindow()
  }
}

export const ALTERNATE_SEQUENCES: readonly Sequence[] = [
  shared('whole life', 30, wholeLife),
  { ...shared('download', 2, download), isAlone: true },
  shared('failing', 12, failing),
  // What is refused for ever waits for ever, and nothing else of its stage would be sent at once.
  { ...shared('refused', 6, refused), isAlone: true },
  shared('lists', 14, lists),
  shared('strangers', 14, strangers),
  shared('catalog', 8, catalog),
  shared('callback', 8, callback),
  shared('corners', 1, corners),
  { ...shared('rate', 2, rate), isAlone: true, keepsRate: false },
  { ...shared('page loads', 1, pageLoads), isAlone: true, isReal: true },
]

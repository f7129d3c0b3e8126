import { iso, type Hint } from '../clock.ts'
import { type Operation, Refusal, type Answer, type Call, invalid, type JsonObject, readJson } from '../http.ts'
import { isOver, hint, type World, scenariosIn } from '../world.ts'
import { type Job, type Key, type Quota, DEFAULT_ACCOUNT, type Puppet, type State } from '../state.ts'
import * as fields from './dialect.ts'
import { hintFields, hintHeaders, type Once, refuseIfAsked } from './dialect.ts'
import { portraitPath, PORTRAITS, previewPath } from '../media/media.ts'

/** Primary, "Limits". */
const CREDITS_PER_MONTH = 10
const SLOTS = 2
const CHARACTERS_PER_MONTH = 100_000
const UPLOADS_PER_MONTH = 250
const STORAGE_BYTES = 2 * 1024 ** 3

/** What the account has used in the current UTC month. */
const spentBy = ({ state, clock }: World, account: string): Quota => {
  const month = iso(clock.now()).slice(0, 7)
  return state.quotas.get(`${account} ${month}`) ?? { account, month, credits: 0, characters: 0, uploads: 0 }
}

/** Adds to what the account has used; less than nothing gives it back. */
export const spend = (
  world: World,
  account: string,
  { credits = 0, characters = 0, uploads = 0 }: Partial<Pick<Quota, 'credits' | 'characters' | 'uploads'>>,
): void => {
  const spent = spentBy(world, account)
  world.state.quotas.put(`${account} ${spent.month}`, {
    ...spent,
    credits: spent.credits + credits,
    characters: spent.characters + characters,
    uploads: spent.uploads + uploads,
  })
}

const activeJobs = ({ state, clock }: World, account: string): number =>
  state.jobs
    .values()
    .filter((job) => job.interface === 'primary' && job.account === account && !isOver(job, clock.now())).length

/** Credits left; a full month's when they are unlimited. */
const creditsLeft = (world: World, account: string): number =>
  world.unlimited.credits ? CREDITS_PER_MONTH : Math.max(0, CREDITS_PER_MONTH - spentBy(world, account).credits)

type Blocker = 'credits' | 'slots' | null

/** Can a video be created now, and in every spelling (primary, "Error body fields", video_generation). */
const readinessOf = (
  world: World,
  account: string,
  forced: Blocker = null,
): { blockedBy: Blocker; wait: Hint | null; fields: Record<string, unknown> } => {
  const active = activeJobs(world, account)
  const free = Math.max(0, SLOTS - active)
  const broke = creditsLeft(world, account) < world.decisions.primary.creditsPerVideo
  const busy = !world.unlimited.slots && free === 0
  const blockedBy = forced ?? (broke ? 'credits' : busy ? 'slots' : null)
  const wait = blockedBy === 'slots' ? hint(world, world.decisions.primary.slotRetryMs) : null
  const readiness = {
    can_create: blockedBy === null,
    canCreate: blockedBy === null,
    ...(blockedBy && {
      reason: blockedBy === 'slots' ? SLOTS_FULL : world.decisions.primary.codes.insufficientCredits,
    }),
    active_jobs: active,
    activeJobs: active,
    available_slots: free,
    availableSlots: free,
    ...(wait && hintFields(wait)),
  }
  return { blockedBy, wait, fields: { video_generation: readiness, videoGeneration: readiness } }
}

const SLOTS_FULL = 'concurrent_job_limit_reached'

const creditHeaders = ({ decisions }: World, remaining: number): Record<string, string> => ({
  'X-Service-Credits-Required': String(decisions.primary.creditsPerVideo),
  'X-Service-Credits-Remaining': String(remaining),
})

/** The debit of a job, reported on its create, replays and status reads ("when debit data is available"). */
export const debitHeaders = (world: World, job: Job): Record<string, string> =>
  job.creditsRemaining === null ? {} : creditHeaders(world, job.creditsRemaining)

/** Throws 402 when the month's credits are gone, 429 `concurrent_job_limit_reached` when both slots are busy. */
export const checkReadiness = (world: World, key: Key, forced: Blocker = null): void => {
  const { blockedBy, wait, fields } = readinessOf(world, key.account, forced)
  if (blockedBy === 'credits') {
    const headers = creditHeaders(world, forced ? 0 : creditsLeft(world, key.account))
    const code = world.decisions.primary.codes.insufficientCredits
    throw new Refusal(402, { code }, 'Not enough video credits.', { headers, details: fields })
  }
  if (blockedBy === 'slots') {
    const extras = { retryable: true, retryAfter: wait, details: fields }
    throw new Refusal(429, { code: SLOTS_FULL }, `All ${SLOTS} active job slots are in use.`, extras)
  }
}

/** Debits one video; the answer is the balance afterwards (a full one when credits are unlimited). */
export const charge = (world: World, key: Key, jobId: string): number => {
  const { creditsPerVideo: credits } = world.decisions.primary
  spend(world, key.account, { credits })
  const debit = { jobId, keyId: key.id, account: key.account, credits, atMs: world.clock.now() }
  world.state.charges.put(jobId, debit)
  return creditsLeft(world, key.account)
}

const exceeded = (world: World, what: string): Refusal =>
  new Refusal(429, { code: world.decisions.primary.codes.quotaExceeded }, `The quota is used up: ${what}.`)

const storedBytes = (world: World, account: string): number =>
  world.state.audio.values().reduce((sum, audio) => sum + (audio.account === account ? audio.sizeBytes : 0), 0)

/** Takes room for one hosted file; throws 429 beyond 2 GB, 250 uploads or 100,000 characters ("Limits"). */
export const reserve = (
  world: World,
  account: string,
  wanted: { sizeBytes: number; characters?: number; uploads?: number },
): void => {
  const { characters = 0, uploads = 0, sizeBytes } = wanted
  if (!world.unlimited.credits) {
    const spent = spentBy(world, account)
    if (spent.characters + characters > CHARACTERS_PER_MONTH)
      throw exceeded(world, `${CHARACTERS_PER_MONTH} voice characters a month`)
    if (spent.uploads + uploads > UPLOADS_PER_MONTH) throw exceeded(world, `${UPLOADS_PER_MONTH} audio uploads a month`)
    if (storedBytes(world, account) + sizeBytes > STORAGE_BYTES)
      throw exceeded(world, `${STORAGE_BYTES} bytes of hosted audio`)
  }
  spend(world, account, { characters, uploads })
}

/** getDeveloperApiUsage (primary, "GET /api/v1/usage"): read-only; hints only while the slots are full. */
export const usageOperations = (world: World): Operation[] => [
  {
    method: 'get',
    path: '/api/v1/usage',
    name: 'getDeveloperApiUsage',
    scope: 'videos:read',
    run: ({ key }) => {
      const { wait, fields } = readinessOf(world, key.account)
      const { credits, month } = spentBy(world, key.account)
      const body = world.decisions.primary.usage({
        balance: creditsLeft(world, key.account),
        included: CREDITS_PER_MONTH,
        purchased: 0,
        usedThisMonth: credits,
        month,
        checkoutAvailable: false,
        packs: world.decisions.primary.creditPacks,
        readiness: fields,
      })
      return { status: 200, body, ...(wait && { headers: hintHeaders(wait) }) }
    },
  },
]

/** code, name, gender, language, language code: 45 voices in a believable spread (primary, "Voice list"). */
const ROWS = `
en-us-ava Ava Female|English (United States)|en-US
en-us-noah Noah Male|English (United States)|en-US
en-us-grace Grace Female|English (United States)|en-US
en-us-liam Liam Male|English (United States)|en-US
en-us-zoe Zoe Female|English (United States)|en-US
en-us-mason Mason Male|English (United States)|en-US
en-gb-olivia Olivia Female|English (United Kingdom)|en-GB
en-gb-arthur Arthur Male|English (United Kingdom)|en-GB
en-gb-isla Isla Female|English (United Kingdom)|en-GB
en-gb-george George Male|English (United Kingdom)|en-GB
en-au-ruby Ruby Female|English (Australia)|en-AU
en-in-arjun Arjun Male|English (India)|en-IN
es-es-lucia Lucía Female|Spanish (Spain)|es-ES
es-es-mateo Mateo Male|Spanish (Spain)|es-ES
es-mx-ximena Ximena Female|Spanish (Mexico)|es-MX
es-mx-diego Diego Male|Spanish (Mexico)|es-MX
fr-fr-chloe Chloé Female|French (France)|fr-FR
fr-fr-hugo Hugo Male|French (France)|fr-FR
fr-ca-elodie Élodie Female|French (Canada)|fr-CA
de-de-lena Lena Female|German|de
de-de-jonas Jonas Male|German|de
it-it-giulia Giulia Female|Italian|it
it-it-marco Marco Male|Italian|it
pt-br-camila Camila Female|Portuguese (Brazil)|pt-BR
pt-br-rafael Rafael Male|Portuguese (Brazil)|pt-BR
pt-pt-ines Inês Female|Portuguese (Portugal)|pt-PT
nl-nl-sanne Sanne Female|Dutch|nl
pl-pl-zofia Zofia Female|Polish|pl
sv-se-astrid Astrid Female|Swedish|sv
da-dk-freja Freja Female|Danish|da
nb-no-ingrid Ingrid Female|Norwegian Bokmål|nb
fi-fi-aino Aino Female|Finnish|fi
tr-tr-elif Elif Female|Turkish|tr
el-gr-eleni Eleni Female|Greek|el
uk-ua-oksana Oksana Female|Ukrainian|uk
ar-eg-layla Layla Female|Arabic (Egypt)|ar-EG
he-il-noa Noa Female|Hebrew|he
hi-in-priya Priya Female|Hindi|hi
hi-in-rohan Rohan Male|Hindi|hi
id-id-putri Putri Female|Indonesian|id
vi-vn-linh Linh Female|Vietnamese|vi
ja-jp-yuki Yuki Female|Japanese|ja
ja-jp-haruto Haruto Male|Japanese|ja
ko-kr-minji Minji Female|Korean|ko
zh-cn-mei Mei Female|Chinese (Mandarin)|zh-CN
`

const PROVIDER = 'sandbox'

/** The Voice resource, field by field (primary, "Voice"). */
const VOICES = ROWS.trim()
  .split('\n')
  .map((row) => {
    const [who = '', language = '', languageCode = ''] = row.split('|')
    const [code = '', name = '', gender = ''] = who.split(' ')
    const id = `${PROVIDER}-${code}`
    return {
      id,
      object: 'voice',
      name,
      provider: PROVIDER,
      language,
      language_code: languageCode,
      gender,
      preview_url: previewPath(id),
    }
  })

export const findVoice = (id: string) => VOICES.find((voice) => voice.id === id)

/** listServiceVoices (primary, "GET /api/v1/voices/service"). */
export const voiceOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/v1/voices/service',
    name: 'listServiceVoices',
    scope: 'voices:read',
    run: () => ({ status: 200, body: { object: 'list', data: VOICES } }),
  },
]

/** The seeded portraits of the default account; other accounts start with none. */
export const seedPuppets = (state: State, nowMs: number, idPrefix: string): void => {
  for (const [index, { id, name }] of PORTRAITS.slice(0, 4).entries()) {
    const puppetId = `${idPrefix}_${id}`
    if (state.puppets.get(puppetId)) continue
    // A path: the picture is served under whatever host the caller used.
    const record = {
      id: puppetId,
      account: DEFAULT_ACCOUNT,
      name,
      imageUrl: portraitPath(id),
      createdAtMs: nowMs + index,
      deleted: false,
    }
    state.puppets.put(puppetId, record)
  }
}

/** The four puppet operations (primary, "GET /api/v1/puppets" and the sections after it). */
export const puppetOperations = (world: World, once: (request: Once) => Promise<Answer>): Operation[] => [
  {
    method: 'get',
    path: '/api/v1/puppets',
    name: 'listPuppets',
    scope: 'videos:read',
    run: (call) => list(world, call),
  },
  {
    method: 'post',
    path: '/api/v1/puppets',
    name: 'createPuppet',
    scope: 'videos:create',
    run: async (call) => {
      const rules = { limitBytes: world.decisions.primary.smallBodyBytes, refuseWith: 400 } as const
      const body = await readJson(call.req, rules)
      // The header only: this operation lists no body aliases.
      const key = fields.idempotencyKeyOf(call.req, {}, world.decisions)
      const input = readPuppet(world, body, call)
      const make = () => {
        const puppet = created(world, call, input)
        return { resourceId: puppet.id, answer: { status: 201, body: shown(world, puppet, call) } }
      }
      const replay = (id: string): Answer | null => {
        const puppet = world.state.puppets.get(id)
        return puppet && !puppet.deleted ? { status: 200, body: shown(world, puppet, call) } : null
      }
      return once({ call, endpoint: 'puppets', key, input, make, replay, job: false })
    },
  },
  {
    method: 'get',
    path: '/api/v1/puppets/:puppetId',
    name: 'getPuppet',
    scope: 'videos:read',
    run: (call) => ({ status: 200, body: shown(world, found(world, call), call) }),
  },
  {
    method: 'delete',
    path: '/api/v1/puppets/:puppetId',
    name: 'deletePuppet',
    scope: 'videos:create',
    run: (call) => {
      const puppet = found(world, call)
      world.state.puppets.put(puppet.id, { ...puppet, deleted: true })
      return { status: 204 }
    },
  },
]

const list = (world: World, call: Call): Answer => {
  const limit = limitOf(call.req.query['limit'])
  const all = world.state.puppets.values().filter((puppet) => puppet.account === call.key.account)
  const rest = all.slice(startOf(all, call.req.query['cursor'])).filter(({ deleted }) => !deleted)
  const items = rest.slice(0, limit)
  const body = world.decisions.primary.puppetPage(
    items.map((puppet) => shown(world, puppet, call)),
    rest.length > limit ? (items.at(-1)?.id ?? null) : null,
  )
  return { status: 200, body }
}

const readPuppet = (world: World, body: JsonObject, { origin }: Call) => {
  const image = fields.requiredText(body, ['imageUrl'])
  const scenarios = scenariosIn(image)
  // 502 is no status of this operation.
  refuseIfAsked(world, new Set([...scenarios].filter((name) => name !== 'asset-error')))
  if (scenarios.has('invalid-image')) throw fields.unsupportedImage()
  const name = fields.textOf(body, ['name']) ?? world.decisions.primary.puppetDefaultName
  const { puppetNameMaxChars: max } = world.decisions.primary
  if (name.length > max) throw invalid(`name must have at most ${max} characters.`)
  return { imageUrl: fields.imageUrlOf(image, origin), name }
}

const created = (world: World, { key }: Call, { name, imageUrl }: ReturnType<typeof readPuppet>): Puppet => {
  const puppet: Puppet = {
    id: world.newId(world.decisions.primary.puppetIdPrefix),
    account: key.account,
    name,
    imageUrl,
    createdAtMs: world.clock.now(),
    deleted: false,
  }
  world.state.puppets.put(puppet.id, puppet)
  return puppet
}

const found = ({ state, decisions }: World, { req, key }: Call): Puppet => {
  const id = String(req.params['puppetId'])
  if (!new RegExp(decisions.primary.puppetIdPattern).test(id)) throw invalid('puppetId is no puppet id.')
  const puppet = state.puppets.get(id)
  if (puppet?.account === key.account && !puppet.deleted) return puppet
  throw new Refusal(404, { code: decisions.primary.codes.puppetNotFound }, 'No such puppet is in this workspace.')
}

const shown = ({ decisions }: World, { id, name, imageUrl, createdAtMs }: Puppet, { origin }: Call) =>
  decisions.primary.puppet({
    id,
    name,
    imageUrl: imageUrl.startsWith('/') ? `${origin}${imageUrl}` : imageUrl,
    createdAt: iso(createdAtMs),
  })

const limitOf = (given: unknown): number => {
  if (given === undefined) return 20
  const limit = typeof given === 'string' && /^\d{1,3}$/.test(given) ? Number(given) : 0
  if (limit < 1 || limit > 100) throw invalid('limit must be an integer from 1 to 100.')
  return limit
}

/** The place after the cursor, which is the id of the last puppet of the previous page. */
const startOf = (all: readonly Puppet[], cursor: unknown): number => {
  if (cursor === undefined) return 0
  const place = all.findIndex(({ id }) => id === cursor)
  if (place < 0) throw invalid('cursor is not the nextCursor of a previous page.')
  return place + 1
}

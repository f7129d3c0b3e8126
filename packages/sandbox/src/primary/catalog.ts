import { iso } from '../clock.ts'
import { type Answer, type Call, invalid, type JsonObject, type Operation, readJson, Refusal } from '../http/answer.ts'
import { DEFAULT_ACCOUNT } from '../keys.ts'
import { portraitPath, PORTRAITS } from '../media/routes.ts'
import { previewPath } from '../media/sound.ts'
import { scenariosIn } from '../jobs.ts'
import type { Puppet, State } from '../state.ts'
import type { World } from '../world.ts'
import { type Once, refuseIfAsked } from './dialect.ts'
import * as fields from './fields.ts'

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

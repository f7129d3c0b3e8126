import { iso } from '../../core/time/clock.ts'
import { invalid, Refusal, type Answer } from '../http/answer.ts'
import { readJson, type JsonObject } from '../http/body.ts'
import type { Call, Operation } from '../http/call.ts'
import { DEFAULT_ACCOUNT } from '../keys.ts'
import { portraitPath, PORTRAITS } from '../media/portraits.ts'
import type { Puppet, State } from '../state.ts'
import { scenariosIn } from '../scenarios.ts'
import type { World } from '../world.ts'
import * as fields from './fields.ts'
import type { Once } from './idempotency.ts'
import { refuseIfAsked } from './magic.ts'

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

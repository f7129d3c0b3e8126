import { iso } from '../../core/clock.ts'
import { invalid, Refusal } from '../http/answer.ts'
import type { Call, Operation } from '../http/operation.ts'
import { DEFAULT_ACCOUNT } from '../keys.ts'
import { portraitPath, PORTRAITS } from '../media/portraits.ts'
import type { Puppet, State } from '../state.ts'
import type { World } from '../world.ts'

/** The seeded portraits of the default account; other accounts start with none. */
export const seedPuppets = (state: State, nowMs: number): void => {
  for (const [index, { id, name }] of PORTRAITS.slice(0, 4).entries()) {
    const puppetId = `puppet_${id}`
    if (state.puppets.get(puppetId)) continue
    // A path: the picture is served under whatever host the caller used.
    const record = {
      id: puppetId,
      account: DEFAULT_ACCOUNT,
      name,
      imageUrl: portraitPath(id),
      createdAtMs: nowMs + index,
    }
    state.puppets.put(puppetId, record)
  }
}

/** listPuppets and getPuppet (primary, "GET /api/v1/puppets", "GET /api/v1/puppets/{puppetId}"). */
export const puppetOperations = (world: World): Operation[] => [
  {
    method: 'get',
    path: '/api/v1/puppets',
    name: 'listPuppets',
    scope: 'videos:read',
    run: (call) => {
      const limit = limitOf(call.req.query['limit'])
      const all = puppetsOf(world.state, call.key.account)
      const start = startOf(all, call.req.query['cursor'])
      const items = all.slice(start, start + limit)
      const more = start + limit < all.length
      const body = world.decisions.primary.puppetPage(
        items.map((puppet) => shown(world, puppet, call)),
        more ? (items.at(-1)?.id ?? null) : null,
      )
      return { status: 200, body }
    },
  },
  {
    method: 'get',
    path: '/api/v1/puppets/:puppetId',
    name: 'getPuppet',
    scope: 'videos:read',
    run: (call) => {
      const puppet = world.state.puppets.get(String(call.req.params['puppetId']))
      if (puppet?.account === call.key.account) return { status: 200, body: shown(world, puppet, call) }
      throw new Refusal({
        status: 404,
        reason: { code: world.decisions.primary.codes.puppetNotFound },
        message: 'No such puppet is in this workspace.',
      })
    },
  },
]

const puppetsOf = (state: State, account: string): Puppet[] =>
  state.puppets.values().filter((puppet) => puppet.account === account)

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

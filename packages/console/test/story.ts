import { randomUUID } from 'node:crypto'
import { bearer, KEYS, type ConfigDraft } from '../../../test/fakes/gateway.ts'
import { expectInjected, postFault } from '../../../test/fakes/sandbox-faults.ts'

/** Text that would be seen at once if a page took it for HTML. */
export const HOSTILE = `"><img src=x onerror="document.title='broken in'"><script>document.title='broken in'</script>`

/** Anna is an operator; bert has an app, and no more than that. */
export const STORY_CONFIG: ConfigDraft = {
  clients: [
    { id: 'anna', key: KEYS.anna, limits: { requests_per_minute: 100_000 } },
    {
      id: 'bert',
      key: KEYS.bert,
      scopes: [
        'voices:read',
        'videos:read',
        'videos:create',
        'tts:create',
        'uploads:create',
        'webhooks:read',
        'webhooks:write',
      ],
      limits: { requests_per_minute: 100_000, videos_per_month: 1_000 },
    },
  ],
  backends: { alt: { exclusive: false } },
  // Of nobody's videos here: there is a split to look at.
  routing: {
    rules: [
      {
        when: { metadata: { team: HOSTILE.slice(0, 60) } },
        split: { main: 90, alt: 10 },
        stop_if: { failure_rate: 0.1, of: 50, window: '1h' },
      },
    ],
  },
}

export interface Teller {
  /** Of the gateway. */
  url: string
  sandbox: { alternateUrl: string }
  /** Answers 500 to `/fails`, and 204 to anything else. */
  receiverUrl: string
}

/** What there is when the story has been told: ids of one of each. */
export interface Story {
  completed: string
  failed: string
  waiting: string
  doubtful: string
  endpoint: string
  delivery: string
  key: string
}

interface Listed {
  id: string
}

const talk =
  (url: string, key: string) =>
  async <T>(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<T> => {
    const answer = await fetch(`${url}/unified/v1${path}`, {
      method,
      headers: {
        ...bearer(key),
        'idempotency-key': randomUUID(),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
type Talk = ReturnType<typeof talk>

const videosOf = async (anna: Talk, bert: Talk) => {
  const create = (who: Talk, body: object): Promise<Listed> => who<Listed>('POST', '/videos', body)
  const completed = await create(bert, {
    puppet_id: 'alt:pup_ada',
    text: 'Good morning, and welcome back.',
    metadata: { order: '1001', note: HOSTILE },
  })
  await create(bert, { puppet_id: 'alt:pup_ada', text: 'Your parcel is on its way.', metadata: { order: '1002' } })
  const failed = await create(bert, {
    puppet_id: 'alt:pup_ada',
    text: `[[fail]] ${HOSTILE}`,
    metadata: { order: '1003' },
  })
  const portrait = { image_url: 'https://example.com/anna.png' }
  const hello = await create(anna, { ...portrait, text: 'Hello from the other one.' })
  await anna('GET', `/videos/${hello.id}`, undefined, { prefer: 'wait=60' })
  // Both slots are taken for good, so that what comes next waits in the gateway and is not even tried.
  for (const text of ['[[stuck]] This one never ends.', '[[stuck]] Nor does this one.'])
    await create(anna, { ...portrait, text })
  const waiting = await create(bert, { ...portrait, text: 'This one waits for a slot.' })
  const canceled = await create(bert, { ...portrait, text: 'Nobody wants this one any more.' })
  await bert('POST', `/videos/${canceled.id}/cancel`)
  return { completed, failed, waiting }
}

/** Two jobs of the same words on the account, and no answer to tell which of them is ours. */
const doubtOf = async (bert: Talk, { sandbox }: Teller): Promise<Listed> => {
  await postFault(sandbox.alternateUrl, { operation: 'createVideo', kind: 'reset', when: 'after' })
  const video = await bert<Listed>('POST', '/videos', {
    puppet_id: 'alt:pup_ada',
    text: '[[foreign-twin]] [[never-callback]] Whose job is this?',
  })
  await expectInjected(sandbox.alternateUrl)
  return video
}

/** A bit of everything that a console can show. Ends when its videos and deliveries have. */
export const tellStory = async (teller: Teller): Promise<Story> => {
  const [anna, bert] = [talk(teller.url, KEYS.anna), talk(teller.url, KEYS.bert)]
  const endpoint = await bert<Listed>('POST', '/webhook_endpoints', {
    url: `${teller.receiverUrl}/hook`,
    description: `Orders ${HOSTILE}`,
  })
  await bert('POST', '/webhook_endpoints', {
    url: `${teller.receiverUrl}/fails`,
    description: 'A receiver that is down',
  })
  const { completed, failed, waiting } = await videosOf(anna, bert)
  const doubtful = await doubtOf(bert, teller)
  for (const { id } of [completed, failed]) await bert('GET', `/videos/${id}`, undefined, { prefer: 'wait=60' })
  await anna('POST', '/admin/clients', { id: 'shop', limits: { videos_per_month: 50 } })
  const key = await anna<Listed>('POST', '/admin/keys', { client: 'shop', scopes: ['videos:read', 'videos:create'] })
  const deliveries = await bert<{ data: Listed[] }>('GET', `/deliveries?video=${completed.id}&limit=1`)
  const [delivery] = deliveries.data
  if (!delivery) throw new Error('the story has no delivery')
  return {
    completed: completed.id,
    failed: failed.id,
    waiting: waiting.id,
    doubtful: doubtful.id,
    endpoint: endpoint.id,
    delivery: delivery.id,
    key: key.id,
  }
}

export const NO_STORY: Story = {
  completed: 'vid_none',
  failed: 'vid_none',
  waiting: 'vid_none',
  doubtful: 'vid_none',
  endpoint: 'we_none',
  delivery: 'dlv_none',
  key: 'key_none',
}

/** Every page that there is, by a name for its picture. */
export const pagesOf = (story: Story): readonly { name: string; path: string }[] => [
  { name: 'overview', path: '/console' },
  { name: 'charts', path: '/console?view=charts' },
  { name: 'videos', path: '/console/videos' },
  { name: 'video', path: `/console/videos/${story.completed}` },
  { name: 'video-failed', path: `/console/videos/${story.failed}` },
  { name: 'video-waiting', path: `/console/videos/${story.waiting}` },
  { name: 'video-doubt', path: `/console/videos/${story.doubtful}` },
  { name: 'webhooks', path: '/console/webhooks' },
  { name: 'endpoint', path: `/console/webhooks/${story.endpoint}` },
  { name: 'deliveries', path: '/console/webhooks/deliveries' },
  { name: 'delivery', path: `/console/webhooks/deliveries/${story.delivery}` },
  { name: 'backends', path: '/console/backends' },
  { name: 'backend', path: '/console/backends/main' },
  { name: 'migration', path: '/console/backends?view=migration' },
  { name: 'playground', path: '/console/playground' },
  { name: 'doubts', path: '/console/doubts' },
  { name: 'keys', path: '/console/keys' },
  { name: 'clients', path: '/console/clients' },
  { name: 'audit', path: '/console/audit' },
]

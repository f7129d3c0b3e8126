import type { WireRequest } from '../../src/core/video.ts'
import { notFoundHere, notSupportedHere } from '../../src/adapters/shared/outcome.ts'
import type {
  Adapter,
  CreateOutcome,
  JobPage,
  JobReport,
  Listed,
  ListedJob,
  Page,
  Puppet,
  RateHeaders,
  ReadOutcome,
  Translation,
  Voice,
} from '../../src/core/adapter.ts'
import { CAPABILITIES, type Capabilities, type Capability } from '../../src/core/vocabulary.ts'
import type { AccountPauses } from '../../src/engine/upstream/accounts.ts'
import { pausesOf } from '../../src/engine/routing/pauses.ts'
import type { Account, Backend, Backends } from '../../src/engine/upstream/accounts.ts'
import { accountId, problem, rawAnswer, report } from './records.ts'

export type Call =
  | { operation: 'create'; wire: WireRequest }
  | { operation: 'status' | 'download'; jobId: string }
  | { operation: 'list'; page: number }

/** What a scripted call comes to: at once, or when the test lets it. */
type Scripted<T> = T | Promise<T>

export interface ScriptedAdapter extends Adapter {
  /** What the next creates come to; with none left, jobs are accepted under ids of their own. */
  creates: Scripted<CreateOutcome>[]
  /** What the next polls come to; with none left, the job is processing. */
  polls: Scripted<ReadOutcome<JobReport>>[]
  downloads: Scripted<ReadOutcome<{ url: string; expiresAtMs: number | null }>>[]
  /** What the next list pages come to; with none left, the list is empty. */
  lists: Scripted<ReadOutcome<JobPage>>[]
  /** Every call, in order, with when it came. */
  calls: (Call & { atMs: number })[]
  /** Those of one operation. */
  callsOf(operation: Call['operation']): (Call & { atMs: number })[]
  /** How many calls were open at once, at most. */
  mostAtOnce: number
  /** Replaced by a test that wants orders refused. */
  translation: Translation
}

export const capabilities = (...able: Capability[]): Capabilities => {
  const has = (name: Capability): boolean => able.includes(name)
  const table = Object.fromEntries(CAPABILITIES.map((name) => [name, has(name)]))
  return table as Capabilities
}
export const PRIMARY = capabilities(
  'text_source',
  'image_url',
  'expressiveness',
  'language',
  'native_idempotency',
  'puppet_by_id',
)
export const ALTERNATE = capabilities('text_source', 'puppet_id', 'resolution', 'native_webhook', 'native_list')

/** A poll that finds a running job. */
export const running = (given: Partial<JobReport> = {}, rate: RateHeaders | null = null): ReadOutcome<JobReport> => ({
  ok: true,
  value: report({ status: 'processing', backendStatus: 'processing', ...given }),
  rate,
})
export const completed = (given: Partial<JobReport> = {}): ReadOutcome<JobReport> =>
  running({
    status: 'completed',
    backendStatus: 'completed',
    link: { url: 'https://cdn.example/v.mp4?sig=s', expiresAtMs: null },
    ...given,
  })
/** A line of a list that says no more of its job. */
export const listed = (job: ListedJob): JobPage['items'][number] => {
  const { jobId, status, puppetId, createdAtMs } = job
  return { ...job, report: report({ jobId, status, made: { puppetId, voiceId: null, resolution: null, createdAtMs } }) }
}

export const unread = (lost = false, retryAtMs: number | null = null): ReadOutcome<never> => ({
  ok: false,
  problem: problem({ code: lost ? 'video_not_found' : 'backend_error', retryAtMs }),
  lost,
  rate: null,
})

/** How many calls met each answer that lasts. */
const LASTING = new WeakMap<object, number>()
/** Scripted as the last of its kind, it is what every further call comes to. At least one must come. */
export const lasting = <T extends object>(answer: T): T => {
  LASTING.set(answer, 0)
  return answer
}
const nextOf = <T extends object>(scripted: T[]): T | undefined => {
  const [next] = scripted
  const met = next === undefined ? undefined : LASTING.get(next)
  if (next === undefined || met === undefined) return scripted.shift()
  LASTING.set(next, met + 1)
  return next
}

/** An adapter that does as it is told, and remembers what it was asked. */
export const scriptedAdapter = (
  now: () => number,
  kind: 'primary' | 'alternate' = 'primary',
  able: Capabilities = kind === 'primary' ? PRIMARY : ALTERNATE,
): ScriptedAdapter => {
  let jobs = 0
  let open = 0
  const answer = async <T>(call: Call, scripted: Scripted<T>): Promise<T> => {
    adapter.calls.push({ ...call, atMs: now() })
    open += 1
    adapter.mostAtOnce = Math.max(adapter.mostAtOnce, open)
    try {
      return await scripted
    } finally {
      open -= 1
    }
  }
  const acceptedNext = (): CreateOutcome => {
    jobs += 1
    const value = report({ jobId: `job_${jobs}`, status: 'queued', backendStatus: 'queued' })
    return { kind: 'accepted', jobId: `job_${jobs}`, report: value, credits: { charged: 1, remaining: 9 }, rate: null }
  }
  const none: ReadOutcome<Listed<Voice>> = { ok: true, value: { items: [], raw: rawAnswer('{"data":[]}') }, rate: null }
  const noPuppets: ReadOutcome<Page<Puppet>> = {
    ok: true,
    value: { ...none.value, items: [], nextCursor: null },
    rate: null,
  }
  const noJobs: ReadOutcome<JobPage> = {
    ok: true,
    value: { items: [], total: 0, totalPages: 1, dateMs: null },
    rate: null,
  }
  const adapter: ScriptedAdapter = {
    manner: { createdStatus: null, refusal: null },
    credential: (key) => ({ authorization: `Bearer ${key}` }),
    capabilities: able,
    creates: [],
    polls: [],
    downloads: [],
    lists: [],
    calls: [],
    mostAtOnce: 0,
    translation: { ok: true, warnings: [] },
    callsOf: (operation) => adapter.calls.filter((call) => call.operation === operation),
    translate: () => adapter.translation,
    createRequest: (order, context) => ({
      method: 'POST',
      path: '/videos',
      headers: { 'idempotency-key': context.idempotencyKey },
      body: JSON.stringify({ text: order.text, callback: context.callbackUrl }),
    }),
    create: (wire) => answer({ operation: 'create', wire }, nextOf(adapter.creates) ?? acceptedNext()),
    status: (jobId) => answer({ operation: 'status', jobId }, nextOf(adapter.polls) ?? running()),
    download: (jobId) => answer({ operation: 'download', jobId }, nextOf(adapter.downloads) ?? unread()),
    list: (page) => answer({ operation: 'list', page }, nextOf(adapter.lists) ?? noJobs),
    callbackJobId: (body) => (typeof body === 'string' ? body : null),
    voices: async () => none,
    puppets: async () => noPuppets,
    maxTextCharacters: null,
    maxCreateBytes: null,
    puppet: async () => notFoundHere('capability_not_supported', 'not scripted'),
    createPuppet: async () => notSupportedHere('not scripted'),
    deletePuppet: async () => notSupportedHere('not scripted'),
    createUpload: async () => notSupportedHere('not scripted'),
    createSpeech: async () => notSupportedHere('not scripted'),
    handedThrough: () => ({ rate: null, problem: null, spoke: true }),
    usage: async () => notFoundHere('capability_not_supported', 'not scripted'),
  }
  return adapter
}

const QUEUES = ['creates', 'polls', 'downloads', 'lists'] as const

/** Throws if an answer was scripted that no call came for: the test does not test what it says. */
export const expectAllAsked = (adapter: ScriptedAdapter): void => {
  const left = QUEUES.flatMap((name) => {
    const unmet = adapter[name].filter((one) => (LASTING.get(one) ?? 0) === 0).length
    return unmet === 0 ? [] : [`${unmet} of ${name}`]
  })
  if (left.length > 0) throw new Error(`answers were scripted, and no call came for them: ${left.join(', ')}`)
}

export const NOT_PAUSED: AccountPauses = pausesOf({ now: () => 0 }, () => [])
export const accountOf = (adapter: Adapter, given: Partial<Account> = {}): Account => ({
  id: accountId('main'),
  adapter,
  origin: 'https://main.example',
  backends: ['main'],
  drift: async () => [],
  denied: () => null,
  paused: NOT_PAUSED,
  slots: 2,
  requestsPerMinute: 1_000,
  timeoutMs: 30_000,
  evidence: { exclusive: false, resendWhenAbsent: false, absentAfterMs: 300_000 },
  ...given,
})

export const backendOf = (name: string, account: Account, kind = 'primary'): Backend => ({
  name,
  interface: kind,
  account,
  drain: false,
  pool: null,
})

/** Backends of these names, each of an account of its own. */
export const backendsOf = (...names: string[]): Backends =>
  new Map(
    names.map((name) => [
      name,
      backendOf(
        name,
        accountOf(
          scriptedAdapter(() => 0),
          { id: accountId(name) },
        ),
      ),
    ]),
  )

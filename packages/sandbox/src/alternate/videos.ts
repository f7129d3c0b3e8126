import { request } from 'undici'
import { z } from 'zod'
import { iso, sleepUntil } from '../clock.ts'
import { type Answer, type Call, type Dialect, invalid, type Operation, readJson, Refusal } from '../http.ts'
import {
  isOver,
  planJob,
  type Scenario,
  scenariosIn,
  speechSecondsOf,
  after,
  hint,
  atOnce,
  phaseNow,
  type World,
} from '../world.ts'
import { filmSeconds, portraitPath, PORTRAITS, videoPath, previewPath } from '../media/media.ts'
import type { Job } from '../state.ts'
import type { Decisions } from '../undecided.ts'

/** The alternate's errors: nothing of them is shown, all of it is decided in undecided.ts. */
export const alternateDialect = ({ alternate }: Decisions): Dialect => ({
  interface: 'alternate',
  requestsPerMinute: alternate.requestsPerMinute,
  refuse: ({ status, reason, message, retryAfter, headers }) => ({
    status,
    headers: { ...headers, ...(retryAfter && { 'Retry-After': String(retryAfter.seconds) }) },
    body: alternate.error(
      typeof reason === 'string' ? alternate.codes[reason] : reason.code,
      retryAfter ? `${message} Try again at ${iso(retryAfter.atMs)}.` : message,
    ),
  }),
})

/** The alternate has no `queued` ("States and transitions"). */
const statusOf = (world: World, job: Job): 'processing' | 'completed' | 'failed' => {
  const { status } = phaseNow(world, job)
  return status === 'queued' ? 'processing' : status
}

/** What a create and a detail both show (alternate, "Resources and their fields"). */
const shared = (world: World, job: Job): Record<string, unknown> => ({
  id: job.id,
  status: statusOf(world, job),
  puppet_id: job.puppetId,
  voice_id: job.voiceId,
  resolution: job.resolution,
})

const durationOf = (world: World, job: Job): number | null =>
  statusOf(world, job) === 'completed' ? filmSeconds(job.speechSeconds) : null

const notFound = ({ decisions }: World, what: 'video' | 'puppet' | 'voice'): Refusal =>
  new Refusal(404, { code: decisions.alternate.codes[`${what}NotFound`] }, `No such ${what}.`)

/** "Signed download URL expires after 1 hour" (alternate, "Limits"), divided by the speed. */
const downloadUrl = (world: World, job: Job, origin: string): { url: string; expiresAtMs: number } => {
  const expiresAtMs = after(world, world.decisions.alternate.downloadLinkMs)
  return { url: `${origin}${world.links.sign(videoPath(job.id), expiresAtMs)}`, expiresAtMs }
}

const VOICES = [
  { id: 'voice_amber', name: 'Amber', gender: 'female', language: 'en-US' },
  { id: 'voice_brook', name: 'Brook', gender: 'male', language: 'en-US' },
  { id: 'voice_cedar', name: 'Cedar', gender: 'male', language: 'en-GB' },
  { id: 'voice_dune', name: 'Dune', gender: 'female', language: 'es-ES' },
  { id: 'voice_elm', name: 'Elm', gender: 'male', language: 'fr-FR' },
  { id: 'voice_fern', name: 'Fern', gender: 'female', language: 'de-DE' },
  { id: 'voice_gale', name: 'Gale', gender: 'female', language: 'pt-BR' },
  { id: 'voice_haze', name: 'Haze', gender: 'female', language: 'ja-JP' },
]

/** Every portrait is a puppet here; the last is `custom`. Each has a default voice ("Create body", voice_id). */
const PUPPETS = PORTRAITS.map(({ id, name }, index) => ({
  id: `pup_${id}`,
  name,
  type: index === PORTRAITS.length - 1 ? 'custom' : 'stock',
  portrait: id,
  defaultVoiceId: VOICES[index % VOICES.length]?.id ?? 'voice_amber',
}))

export const findVoice = (id: string) => VOICES.find((voice) => voice.id === id)
const findPuppet = (id: string) => PUPPETS.find((puppet) => puppet.id === id)

/** GET /v1/voices and GET /v1/puppets (alternate, "Endpoints"). */
export const catalogOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/v1/voices',
    name: 'listVoices',
    run: ({ origin }: Call) => {
      const data = VOICES.map((voice) => ({ ...voice, preview_url: `${origin}${previewPath(voice.id)}` }))
      return { status: 200, body: { data } }
    },
  },
  {
    method: 'get',
    path: '/v1/puppets',
    name: 'listPuppets',
    run: ({ origin }: Call) => {
      const data = PUPPETS.map(({ id, name, type, portrait }) => {
        return { id, name, type, thumbnail_url: `${origin}${portraitPath(portrait)}` }
      })
      return { status: 200, body: { data } }
    },
  },
]

const MAX_SCRIPT_CHARS = 5_000

const isWebUrl = (text: string): boolean => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '')

/** The create body (alternate, "Endpoints"); unknown fields are ignored. */
const createSchema = (maxUrlChars: number) =>
  z.object({
    script: z.string().max(MAX_SCRIPT_CHARS).regex(/\S/, 'must not be blank'),
    puppet_id: z.string().min(1),
    voice_id: z.string().min(1).optional(),
    resolution: z.enum(['720p', '1080p']).default('1080p'),
    webhook_url: z.string().max(maxUrlChars).refine(isWebUrl, 'must be an http or https URL').optional(),
  })
type CreateInput = z.infer<ReturnType<typeof createSchema>>

/** Who asks, as far as a new job needs it. */
type Asker = Pick<Call, 'key' | 'origin'>

/** Makes the job of a create, and somebody else's twin of it when `[[foreign-twin]]` asks for one. */
const create = (world: World, callbacks: Callbacks, call: Call, input: CreateInput): Answer => {
  const scenarios = scenariosIn(input.script)
  const job = newJob(world, call, input, scenarios)
  refuseIfAsked(world, scenarios)
  world.state.jobs.put(job.id, job)
  callbacks.arm(job)
  call.entry.job_id = job.id
  if (scenarios.has('foreign-twin')) putTwin(world, call, input)
  const body = {
    ...shared(world, job),
    duration_estimate_sec: job.speechSeconds,
    created_at: iso(job.createdAtMs),
  }
  return { status: world.decisions.alternate.createdStatus, body }
}

/**
 * A video that somebody else made on the account with the same request at the same moment: what a client that looks
 * for its own lost create in the list must not take for it.
 */
const putTwin = (world: World, asker: Asker, input: CreateInput): void => {
  const { webhook_url: _, ...rest } = input
  const twin = newJob(world, asker, rest, scenariosIn(input.script))
  world.state.jobs.put(twin.id, { ...twin, keyId: 'somebody-else' })
}

const refuseIfAsked = (world: World, scenarios: ReadonlySet<Scenario>): void => {
  const { codes, transientRetryMs } = world.decisions.alternate
  if (scenarios.has('no-credits')) throw new Refusal(402, { code: codes.insufficientCredits }, 'Not enough credits.')
  if (scenarios.has('unavailable')) {
    const retryAfter = hint(world, transientRetryMs)
    throw new Refusal(503, { code: codes.unavailable }, 'Temporarily unavailable.', { retryAfter })
  }
}

const newJob = (world: World, { key, origin }: Asker, input: CreateInput, scenarios: ReadonlySet<Scenario>): Job => {
  const { timing, alternate } = world.decisions
  const puppet = findPuppet(input.puppet_id)
  if (!puppet) throw notFound(world, 'puppet')
  const voiceId = input.voice_id ?? puppet.defaultVoiceId
  if (!findVoice(voiceId)) throw notFound(world, 'voice')
  const nowMs = world.clock.now()
  const speechSeconds = speechSecondsOf(input.script.length, timing)
  return {
    id: world.newId(alternate.idPrefix),
    interface: 'alternate',
    keyId: key.id,
    account: key.account,
    createdAtMs: nowMs,
    ...planJob({ nowMs, speechSeconds, scenarios, speed: world.speed }, timing, world.random),
    resolution: input.resolution,
    speechSeconds,
    failingReads: null,
    voiceId,
    imageUrl: portraitPath(puppet.portrait),
    puppetId: puppet.id,
    origin,
    creditsRemaining: null,
    callback: input.webhook_url === undefined ? null : owed(input.webhook_url, scenarios),
  }
}

const owed = (url: string, scenarios: ReadonlySet<Scenario>) => ({
  url,
  owed: scenarios.has('never-callback') ? 0 : scenarios.has('callback-twice') ? 2 : 1,
  settled: false,
})

const integer = (min: number, max: number, byDefault: number) =>
  z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(min).max(max)).default(byDefault)

/** The list query (alternate, "Endpoints"). */
const ListQuery = z.object({
  page: integer(1, Number.MAX_SAFE_INTEGER, 1),
  limit: integer(1, 100, 20),
  status: z.enum(['processing', 'completed', 'failed']).optional(),
})

const parsed = <T>(schema: z.ZodType<T>, input: unknown): T => {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw invalid(result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
}

/** POST /v1/videos, GET /v1/videos, GET /v1/videos/:id and its download (alternate, "Endpoints"). */
export const videoOperations = (world: World, callbacks: Callbacks): Operation[] => {
  const { webhookUrlMaxChars, bodyBytes } = world.decisions.alternate
  const schema = createSchema(webhookUrlMaxChars)
  const rules = { limitBytes: bodyBytes }
  return [
    {
      method: 'post',
      path: '/v1/videos',
      name: 'createVideo',
      run: async (call) => {
        const input = parsed(schema, await readJson(call.req, rules))
        await call.during()
        return create(atOnce(world), callbacks, call, input)
      },
      unheard: async (call) => {
        const input = schema.safeParse(await readJson(call.req, rules).catch(() => null))
        if (input.success && scenariosIn(input.data.script).has('foreign-twin')) putTwin(world, call, input.data)
      },
    },
    { method: 'get', path: '/v1/videos', name: 'listVideos', run: (call) => list(atOnce(world), call) },
    { method: 'get', path: '/v1/videos/:id', name: 'getVideo', run: (call) => detail(atOnce(world), call) },
    {
      method: 'get',
      path: '/v1/videos/:id/download',
      name: 'getVideoDownload',
      run: (call) => download(atOnce(world), call),
    },
  ]
}

const list = (world: World, { req, key }: Call): Answer => {
  const { page, limit, status } = parsed(ListQuery, req.query)
  const all = world.state.jobs
    .values()
    .filter((job) => job.interface === 'alternate' && job.account === key.account)
    .filter((job) => status === undefined || statusOf(world, job) === status)
    .toReversed()
  const data = all.slice((page - 1) * limit, page * limit).map((job) => ({
    id: job.id,
    status: statusOf(world, job),
    puppet_id: job.puppetId,
    duration_sec: durationOf(world, job),
    created_at: iso(job.createdAtMs),
  }))
  const pagination = { page, limit, total: all.length, total_pages: Math.ceil(all.length / limit) }
  return { status: 200, body: { data, pagination } }
}

const found = (world: World, { req, key, entry }: Call): Job => {
  const id = String(req.params['id'])
  const job = world.state.jobs.get(id)
  if (!job || job.interface !== 'alternate' || job.account !== key.account) throw notFound(world, 'video')
  entry.job_id = id
  return job
}

const detail = (world: World, call: Call): Answer => {
  const job = found(world, call)
  const now = phaseNow(world, job)
  const completed = now.status === 'completed'
  return {
    status: 200,
    body: {
      ...shared(world, job),
      duration_sec: durationOf(world, job),
      download_url: completed ? downloadUrl(world, job, call.origin).url : null,
      thumbnail_url: `${call.origin}${job.imageUrl}`,
      created_at: iso(job.createdAtMs),
      ...(completed && { completed_at: iso(now.endedAtMs) }),
      ...(now.status === 'failed' && { error: world.decisions.alternate.videoError(now.retryable) }),
    },
  }
}

const download = (world: World, call: Call): Answer => {
  const job = found(world, call)
  if (statusOf(world, job) !== 'completed') {
    const reason = { code: world.decisions.alternate.codes.notReady }
    throw new Refusal(409, reason, 'The video is not completed.')
  }
  const { url, expiresAtMs } = downloadUrl(world, job, call.origin)
  return { status: 200, body: { download_url: url, expires_at: iso(expiresAtMs) } }
}

const MAX_REPLY_BYTES = 65_536

/** One POST. Never throws: a refusal, a timeout or a broken connection is a line in the ledger. */
const post = async (
  world: World,
  url: string,
  body: string,
): Promise<{ status: number | null; error: string | null }> => {
  // Real time, not the sandbox's: the receiver is a real one, however fast the clock is made to run.
  const giveUp = AbortSignal.timeout(world.decisions.alternate.callbackTimeoutMs)
  const signal = AbortSignal.any([giveUp, world.closing])
  try {
    const headers = { 'content-type': 'application/json', 'user-agent': 'sandbox-alternate/1' }
    const reply = await request(url, { method: 'POST', headers, body, signal })
    await reply.body.dump({ limit: MAX_REPLY_BYTES, signal })
    return { status: reply.statusCode, error: null }
  } catch (cause) {
    return { status: null, error: cause instanceof Error ? cause.message : String(cause) }
  }
}

const payloadOf = (world: World, job: Job): string => {
  const completed = phaseNow(world, job).status === 'completed'
  return JSON.stringify(
    world.decisions.alternate.callback({
      id: job.id,
      completed,
      puppetId: job.puppetId ?? '',
      downloadUrl: completed ? downloadUrl(world, job, job.origin).url : null,
      endedAt: iso(job.endsAtMs ?? world.clock.now()),
    }),
  )
}

/** Sends one announcement, again once when it was not taken. */
const announce = async (world: World, job: Job, url: string): Promise<void> => {
  const { callbackTries, callbackRetryMs } = world.decisions.alternate
  const body = payloadOf(atOnce(world), job)
  for (let attempt = 1; attempt <= callbackTries && !world.closing.aborted; attempt += 1) {
    if (attempt > 1) await sleepUntil(world.clock, after(world, callbackRetryMs), world.closing)
    const { status, error } = await post(world, url, body)
    const target = URL.parse(url)
    const shown = target ? `${target.origin}${target.pathname}` : ''
    world.ledger.callback({ at: iso(world.clock.now()), job_id: job.id, url: shown, try: attempt, status, error })
    if (status !== null && status >= 200 && status < 300) return
  }
}

/** Announces ended videos at their webhook_url (alternate, "Events"). */
export const createCallbacks = (world: World) => {
  const running = new Set<Promise<void>>()
  const run = async (job: Job): Promise<void> => {
    const { callback } = job
    if (!callback || job.endsAtMs === null) return
    await sleepUntil(world.clock, job.endsAtMs, world.closing)
    // Closing wakes the sleeper early: the callback stays due, and a restart on the same data sends it.
    if (world.closing.aborted || !isOver(job, world.clock.now())) return
    const wanted = job.outcome === 'completed' || world.decisions.alternate.callbackOnFailure ? callback.owed : 0
    for (let sent = 0; sent < wanted; sent += 1) await announce(world, job, callback.url)
    if (!world.closing.aborted) world.state.jobs.put(job.id, { ...job, callback: { ...callback, settled: true } })
  }
  return {
    /** Waits for the end of the job; call it again for every unsettled job after a restart. */
    arm(job: Job): void {
      if (!job.callback || job.callback.settled) return
      const task = run(job).finally(() => running.delete(task))
      running.add(task)
    },
    /** Resolves when nothing is on its way any more; abort `world.closing` first. */
    idle: async (): Promise<void> => void (await Promise.allSettled(running)),
  }
}
export type Callbacks = ReturnType<typeof createCallbacks>

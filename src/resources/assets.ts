import type { HostedUpload, SpeechClip } from '../core/adapter.ts'
import { ownKindOf } from '../core/ids.ts'
import type { Store } from '../core/store/index.ts'
import { inOrder } from '../engine/create/route.ts'
import { unsignedUrl, type UploadLookup, type UploadRecord } from '../core/media.ts'
import { keyOf, type Keyed, ownersOf, pick, type Caller, type ResourcesDeps } from './keyed.ts'
import { notNow, PATIENCE_MS, problemOf, readThrough } from '../engine/upstream/ask.ts'
import { type Backends, type Backend, namedBy } from '../engine/upstream/accounts.ts'
import { Problem, type ProblemExtras } from '../core/errors.ts'

interface CreateUpload {
  /** Method and path, for the scope of its key. */
  operation: string
  contentType: string
  sizeBytes: number
  requireVideoReadiness: boolean
}

interface CreatedUpload {
  upload: UploadRecord
  /** Signed now. */
  hosted: HostedUpload
  replayed: boolean
}

/** Places for a client's own audio. The file goes straight from the client to the backend's storage. */
export const createUploads = ({
  store,
  clock,
  newId,
  keyed,
  defaultBackend,
  ranked,
}: ResourcesDeps & { keyed: Keyed }) => ({
  /** Reserves a place, or finds the one that this key reserved and has it signed anew. */
  async create(
    { client, visible }: Caller,
    request: CreateUpload,
    idempotencyKey: string | null,
  ): Promise<CreatedUpload> {
    const { operation, contentType, sizeBytes, requireVideoReadiness } = request
    const key = keyOf(client, operation, idempotencyKey, { contentType, sizeBytes, requireVideoReadiness })
    const able = await ranked(visible)
    const route = () => pick({ capability: 'uploads', what: 'host audio', pin: null }, able, defaultBackend)
    const attempt = await keyed.begin(key, visible, route, () => newId('upl'))
    const { backend, replayed } = attempt
    const { adapter, id: account } = backend.account
    // Said only where it is wanted: to some it may be one more thing to refuse.
    const asked = { contentType, sizeBytes, requireVideoReadiness: requireVideoReadiness || null }
    const hosted = await keyed.send(attempt, (outboundKey) => adapter.createUpload(asked, outboundKey))
    const id = attempt.resource ?? newId('upl')
    const known = replayed ? await store.uploadOf(client, id) : null
    const upload: UploadRecord = {
      id,
      client,
      account,
      backend: backend.name,
      contentType,
      sizeBytes,
      audioUrl: hosted.audioUrl,
      createdAtMs: known?.createdAtMs ?? clock.now(),
    }
    await store.made({ kind: 'upload', record: upload }, key)
    return { upload, hosted, replayed }
  },
})

/** How a create finds the upload that it names: only by indexed reads. */
export const createUploadLookup = (store: Pick<Store, 'uploadOf' | 'uploadAt'>): UploadLookup => ({
  byId: (client, id) => store.uploadOf(client, id),
  async byUrl(client, audioUrl) {
    const upload = await store.uploadAt(client, unsignedUrl(audioUrl))
    if (!upload) return { kind: 'unknown' }
    return upload.client === client ? { kind: 'own', upload } : { kind: 'foreign' }
  },
})

interface CreateSpeech {
  text: string
  voiceId: string
  speed: number | null
}

/** Speech from text. Characters are sold, and there are no keys: what began is never sent again. */
export const createSpeech =
  ({ upstream, defaultBackend, aliases, ranked }: ResourcesDeps) =>
  async ({ visible }: Caller, { text, voiceId, speed }: CreateSpeech): Promise<SpeechClip> => {
    const voice = aliases.voices.read(voiceId, visible)
    const pin = voice.home === null ? null : { backend: voice.home, param: 'voice_id' }
    const having: Backends = new Map([...(await ranked(visible))].filter(([, one]) => pin !== null || voice.isOf(one)))
    const backend = pick({ capability: 'speech', what: 'make speech with this voice', pin }, having, defaultBackend)
    const { account } = backend
    const native = voice.on(backend)
    if (typeof native !== 'string') throw new Error('a voice that is of a backend has a name there')
    const asked = await upstream.ask(account, 'create', PATIENCE_MS, () =>
      account.adapter.createSpeech({ text, voiceId: native, speed }),
    )
    if (asked.kind === 'not_now') throw notNow(backend, asked.retryAtMs)
    const { outcome } = asked
    switch (outcome.kind) {
      case 'done':
        return outcome.value
      case 'doubt':
        throw problemOf(outcome.problem, backend, {
          message: `${outcome.problem.message}; you may have paid for the characters, and would pay again if you repeat it`,
          // Only the backend's own invitation counts.
          retryable: outcome.problem.retryAtMs !== null,
        })
      case 'refused':
      case 'unreachable':
        throw problemOf(
          outcome.problem,
          backend,
          outcome.problem.code === 'voice_not_found' ? { param: 'voice_id' } : {},
        )
    }
  }

interface CreatePuppet {
  /** Method and path, for the scope of its key. */
  operation: string
  imageUrl: string
  name: string | null
  backend: string | null
}

const ID_AT_MOST = 200

/** `extras`: of the backend's own answer. */
const unknownPuppet = (id: string, extras: ProblemExtras = {}): Problem =>
  new Problem('puppet_not_found', `there is no puppet ${id.slice(0, 64)}`, extras)

/** By an id of a form that it never gives out, a backend may not even look: to a client that is the same. */
const saysUnknown = ({ code, extras }: Problem): boolean =>
  code === 'puppet_not_found' || (code === 'invalid_request' && extras.backendError?.status === 400)

/** Saved portraits: the workspace's are there for all its clients, and deleted by only those who created them. */
export const createPuppets = ({
  store,
  upstream,
  catalog,
  keyed,
  defaultBackend,
  aliases,
  ranked,
}: ResourcesDeps & { keyed: Keyed }) => {
  const ownersOr404 = (id: string, visible: Backends): { backend: Backend; id: string }[] => {
    const kind = ownKindOf(id)
    if (kind !== null) throw new Problem('puppet_not_found', `${id} is not a puppet: it is the id of ${kind}`)
    const found = id.length > ID_AT_MOST ? [] : ownersOf(aliases.puppets.read(id, visible), visible, defaultBackend)
    if (found.length === 0) throw unknownPuppet(id)
    return found
  }

  /** At the first of them that has it. If none has it, one that cannot be read now counts: it may. */
  const lookUp = async (id: string, owners: readonly { backend: Backend; id: string }[], client: string) => {
    let failed = unknownPuppet(id)
    for (const owner of owners) {
      try {
        return { owner, ...(await catalog.puppet(owner.backend.name, owner.id, client)) }
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        if (saysUnknown(failed)) failed = saysUnknown(error) ? unknownPuppet(id, error.extras) : error
      }
    }
    throw failed
  }

  /** Who has it, of those that may. The one that it was created on through the gateway is asked nothing. */
  const ownerOf = async (id: string, visible: Backends, client: string) => {
    const owners = ownersOr404(id, visible)
    for (const owner of owners) {
      const made = await store.puppetMade(owner.backend.account.id, owner.id)
      if (made) return { owner, made }
    }
    const [only, ...others] = owners
    if (only && others.length === 0) return { owner: only, made: null }
    return { owner: (await lookUp(id, owners, client)).owner, made: null }
  }

  const eachName = ({ account }: Backend, tell: (name: string) => void): void => account.backends.forEach(tell)

  return {
    /** Who keeps saved puppets for a client that sees these backends; null: none can. */
    keeper: (visible: Backends): Backend | null =>
      inOrder(visible, defaultBackend)
        .flatMap((name) => namedBy(name, visible))
        .find(({ account }) => account.adapter.capabilities.puppets_write) ?? null,
    async get({ client, visible }: Caller, id: string) {
      const { value, state, owner } = await lookUp(id, ownersOr404(id, visible), client)
      return { backend: owner.backend.name, puppet: value, state }
    },

    /** Creates a puppet, or finds the one that this key made. */
    async create({ client, visible }: Caller, request: CreatePuppet, idempotencyKey: string | null) {
      const { operation, imageUrl, name, backend: wanted } = request
      const key = keyOf(client, operation, idempotencyKey, { imageUrl, name, wanted })
      const pin = wanted === null ? null : { backend: wanted, param: 'backend' }
      const able = await ranked(visible)
      const route = () => pick({ capability: 'puppets_write', what: 'save puppets', pin }, able, defaultBackend)
      const attempt = await keyed.begin(key, visible, route, () => null)
      const { backend } = attempt
      if (attempt.replayed) {
        const made = await store.puppetMade(backend.account.id, attempt.resource ?? '')
        if (!made) throw new Problem('puppet_not_found', 'the puppet that this Idempotency-Key made was deleted')
        return { backend: backend.name, puppet: made.puppet, replayed: true }
      }
      const { adapter, id: account } = backend.account
      const answered = await keyed.send(attempt, (outboundKey) => adapter.createPuppet({ imageUrl, name }, outboundKey))
      // What the backend did not repeat is as it was asked for.
      const puppet = { ...answered, name: answered.name ?? name, imageUrl: answered.imageUrl ?? imageUrl }
      await store.made({ kind: 'puppet', record: { client, account, puppet } }, key)
      eachName(backend, (one) => catalog.puppetMade(one, puppet))
      return { backend: backend.name, puppet, replayed: false }
    },

    /**
     * Throws `not_owner` unless this client created it through the gateway; with `orUnowned`, one that nobody created
     * through it may go, too.
     */
    async delete({ client, visible }: Caller, id: string, { orUnowned = false } = {}): Promise<void> {
      const { owner, made } = await ownerOf(id, visible, client)
      const { backend, id: native } = owner
      const { account } = backend
      if (made?.client !== client) {
        await lookUp(id, [owner], client)
        if (made || !orUnowned)
          throw new Problem('not_owner', 'only the client that saved this puppet can delete it', {
            backend: backend.name,
          })
      }
      const asked = await upstream.ask(account, 'create', PATIENCE_MS, () => account.adapter.deletePuppet(native))
      if (asked.kind === 'not_now') throw notNow(backend, asked.retryAtMs)
      if (asked.outcome.kind !== 'done') throw problemOf(asked.outcome.problem, backend)
      await store.forgetPuppet(account.id, native)
      eachName(backend, (one) => catalog.puppetGone(one, native))
    },

    /** What its backend lists behind a cursor of its own: one that no list shows any more is still a place there. */
    async idsAfter(backend: Backend, cursor: string, client: string): Promise<string[]> {
      const { adapter } = backend.account
      const { items } = await readThrough(upstream, backend, () => adapter.puppets(cursor), client)
      return items.map(({ id }) => id)
    },

    /** As `portraitOf`, but only from what is in memory or the store; null: unknown. */
    async knownPortraitOf({ name, account }: Backend, id: string): Promise<string | null> {
      const made = await store.puppetMade(account.id, id)
      return made?.puppet.imageUrl ?? catalog.fresh.puppets(name)?.find((puppet) => puppet.id === id)?.imageUrl ?? null
    },

    /** The image of a saved portrait, for a backend that only takes images; null where none is known. */
    async portraitOf({ name, account }: Backend, id: string, { client, visible }: Caller): Promise<string | null> {
      const made = await store.puppetMade(account.id, id)
      if (made?.puppet.imageUrl) return made.puppet.imageUrl
      try {
        return await catalog.portrait(name, id, client)
      } catch (error) {
        if (!(error instanceof Problem) || !saysUnknown(error)) throw error
        const has = (other: string): boolean =>
          catalog.fresh.puppets(other)?.some((puppet) => puppet.id === id) ?? false
        const there = [...visible.keys()].find((other) => other !== name && has(other))
        const hint = there === undefined ? '' : `: ${there} has one, ${there}:${id}`
        const message = `backend ${name} does not have this puppet${hint}`
        throw new Problem('puppet_not_found', message, {
          backend: name,
          param: 'puppet_id',
          errors: [{ path: 'puppet_id', message }],
        })
      }
    },
  }
}

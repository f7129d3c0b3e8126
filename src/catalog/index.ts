import type { Listed, Puppet, PuppetList, RawAnswer, Voice } from '../core/adapter.ts'
import { Problem, type ProblemCode } from '../core/errors.ts'
import { type Clock, isoOrNull } from '../core/time/clock.ts'
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { fingerprintOf } from '../core/ids.ts'
import type { PuppetView, VoiceView } from '../core/api/videos.ts'

interface Change {
  sequence: number
  id: string
  /** Null: it is gone. */
  puppet: Puppet | null
}

/** Of one backend, since its list was read. */
const CHANGES_AT_MOST = 1_000

/**
 * What became of puppets since a list of them was read: laid over the list, so that a create or a delete shows
 * immediately, costs no request, and is not undone by an older reading that arrives later.
 */
const createChanges = () => {
  const changes = new Map<string, Change[]>()
  let sequence = 0
  return {
    /** To be taken before a list is asked for. */
    mark: (): number => sequence,
    note(backend: string, id: string, puppet: Puppet | null): void {
      sequence += 1
      const others = (changes.get(backend) ?? []).filter((one) => one.id !== id)
      changes.set(backend, [...others, { sequence, id, puppet }].slice(-CHANGES_AT_MOST))
    },
    /** `items`, read after `since` was marked, as they are now. */
    applied(backend: string, items: Puppet[], since: number): Puppet[] {
      const later = (changes.get(backend) ?? []).filter((one) => one.sequence > since)
      changes.set(backend, later)
      if (later.length === 0) return items
      const touched = new Set(later.map(({ id }) => id))
      const made = later.flatMap(({ puppet }) => (puppet ? [puppet] : []))
      return [...items.filter(({ id }) => !touched.has(id)), ...made]
    },
  }
}

/** Anybody may ask, without a key: a backend that fails is asked once in this time for all of them. */
const PREVIEWS_PAUSE_MS = 60_000

const sampleName = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

/** Without what a signature changes at each read. */
const unsigned = (url: string): string => url.split(/[?#]/, 1)[0] ?? url

/** By URL, a name for each sample. */
export const sampleNames = (voices: readonly Voice[]): ReadonlyMap<string, string> => {
  const urls = new Set(voices.flatMap(({ previewUrl }) => previewUrl ?? []))
  const alike = Map.groupBy(urls, unsigned)
  // Of several at one path, the query says which.
  const partOf = (url: string): string => (alike.get(unsigned(url))?.length === 1 ? unsigned(url) : url)
  return new Map([...urls].map((url) => [url, sampleName(partOf(url))]))
}

interface Samples {
  urls: ReadonlySet<string>
  byName: ReadonlyMap<string, string>
}
const samplesOf = (voices: readonly Voice[]): Samples => {
  const names = sampleNames(voices)
  return { urls: new Set(names.keys()), byName: new Map([...names].map(([url, name]) => [name, url])) }
}
const NO_SAMPLES: Samples = { urls: new Set(), byName: new Map() }

/** The samples of a backend's voices, by what `load` answers. Voices that were read before are looked through once. */
const createSamples = (clock: Pick<Clock, 'now'>, load: (backend: string) => Promise<readonly Voice[]>) => {
  const pauses = new Map<string, number>()
  const known = new WeakMap<readonly Voice[], Samples>()
  return async (backend: string): Promise<Samples> => {
    if (clock.now() < (pauses.get(backend) ?? 0)) return NO_SAMPLES
    try {
      const voices = await load(backend)
      const samples = known.get(voices) ?? samplesOf(voices)
      known.set(voices, samples)
      return samples
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      pauses.set(backend, clock.now() + PREVIEWS_PAUSE_MS)
      return NO_SAMPLES
    }
  }
}

type CacheState = 'hit' | 'miss' | 'stale'

interface Cached<T> {
  value: T
  state: CacheState
}

/** Lists of several backends as one. `missing`: whose list could not be had, and why. */
export interface Gathered<T> extends Cached<T> {
  missing: { backend: string; code: ProblemCode }[]
}

interface CatalogDeps {
  clock: Clock
  /** Asks the backend of that name; throws a `Problem`. */
  loadVoices: (backend: string) => Promise<Listed<Voice>>
  loadPuppets: (backend: string) => Promise<PuppetList>
  /** One, asked for by itself, by a client; throws `puppet_not_found`. */
  loadPuppet: (backend: string, id: string, client: string) => Promise<Puppet>
}

/** Voices and portraits change rarely, and each read costs one of ten requests a minute. */
const FRESH_MS = 10 * 60_000
const BACKENDS_AT_MOST = 1_000
/** A backend that fails is not asked again for every caller: creates and polls live of the same budget. */
const PAUSE_MS = 10_000

/** How often a list is read again because it lacks something. */
const LOOKED_EVERY_MS = 60_000
const LACKED_AT_MOST = 1_000

/** `load`, but what it met is met again by all who ask within the pause, without a request. */
const pausing = <T>(clock: Clock, load: (backend: string) => Promise<T>) => {
  const failures = new Map<string, { error: unknown; untilMs: number }>()
  return async (backend: string): Promise<T> => {
    const failed = failures.get(backend)
    if (failed && clock.now() < failed.untilMs) throw failed.error
    try {
      const loaded = await load(backend)
      failures.delete(backend)
      return loaded
    } catch (error) {
      const hintMs = error instanceof Problem ? error.extras.retryAtMs : null
      failures.set(backend, { error, untilMs: Math.min(hintMs ?? Infinity, clock.now() + PAUSE_MS) })
      throw error
    }
  }
}

/**
 * One backend's list, for however many ask at the same time; a stale one is answered immediately and refreshed behind
 * it.
 */
const cached = <T extends object>(clock: Clock, read: (backend: string) => Promise<T>) => {
  const begun = new WeakMap<T, number>()
  const load = pausing(clock, async (backend) => {
    const beganAtMs = clock.now()
    const value = await read(backend)
    begun.set(value, beganAtMs)
    return value
  })
  const cache = new LRUCache<string, T>({
    max: BACKENDS_AT_MOST,
    ttl: FRESH_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now() },
    allowStale: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: (backend) => load(backend),
  })
  const triedAtMs = new Map<string, number>()
  /** Reads it again because it lacks something. Null: it was tried less than a minute ago, or it cannot be read now. */
  const again = async (backend: string): Promise<T | null> => {
    if (clock.now() - (triedAtMs.get(backend) ?? -Infinity) < LOOKED_EVERY_MS) return null
    triedAtMs.set(backend, clock.now())
    return cache.fetch(backend, { forceRefresh: true, allowStale: false }).then(
      (value) => value ?? null,
      (error: unknown) => {
        if (error instanceof Problem) return null
        throw error
      },
    )
  }
  /** When a client first named each thing that a list lacked. */
  const lackedSinceMs = new LRUCache<string, number>({ max: LACKED_AT_MOST })
  /**
   * A list that has `what`, or one of the last minute, read after somebody looked for it first. Null: nobody knows
   * whether it is there.
   */
  const lookUp = async (backend: string, what: string, has: (value: T) => boolean): Promise<T | null> => {
    const held = cache.peek(backend)
    if (held === undefined || has(held)) return held ?? null
    const key = fingerprintOf([backend, what])
    const sinceMs = lackedSinceMs.get(key) ?? clock.now()
    lackedSinceMs.set(key, sinceMs)
    const readAtMs = begun.get(held) ?? 0
    return readAtMs >= sinceMs && clock.now() - readAtMs < LOOKED_EVERY_MS ? held : again(backend)
  }
  return {
    async load(backend: string): Promise<Cached<T>> {
      const status: LRUCache.Status<string, T> = {}
      const value = await cache.fetch(backend, { status })
      if (value === undefined)
        throw new Problem('backend_unavailable', 'the gateway cannot read the catalogue now', { backend })
      const state = status.fetch === 'hit' ? 'hit' : status.returnedStale ? 'stale' : 'miss'
      return { value, state }
    },
    /** As far as it is in memory and not stale; asks nobody. */
    fresh: (backend: string): T | null => cache.peek(backend, { allowStale: false }) ?? null,
    lookUp,
    /** Reads a list of a minute ago again if it lacks something, in the background: later reads get the new one. */
    lookAgain(backend: string, has: (value: T) => boolean): void {
      const held = cache.peek(backend)
      const isRecent = FRESH_MS - cache.getRemainingTTL(backend) < LOOKED_EVERY_MS
      if (held !== undefined && !has(held) && !isRecent) void again(backend).catch(() => undefined)
    },
  }
}

/** What the first of these says that can be read. If none can be, throws what the last one says. */
export const firstRead = <T>(
  [name = '', ...others]: readonly string[],
  read: (backend: string) => Promise<T>,
): Promise<T> =>
  read(name).catch((error: unknown) => {
    if (others.length === 0 || !(error instanceof Problem)) throw error
    return firstRead(others, read)
  })

const WORST = { hit: 0, stale: 1, miss: 2 } as const satisfies Record<CacheState, number>

const voiceView = (backend: string, voice: Voice): VoiceView => ({
  id: `${backend}:${voice.id}`,
  object: 'voice',
  backend,
  name: voice.name,
  provider: voice.provider ?? backend,
  language: voice.language,
  language_code: voice.languageCode,
  gender: voice.gender,
  preview_url: voice.previewUrl,
})

export const puppetView = (backend: string, puppet: Puppet): PuppetView => ({
  id: `${backend}:${puppet.id}`,
  object: 'puppet',
  backend,
  name: puppet.name,
  type: puppet.type,
  image_url: puppet.imageUrl,
  thumbnail_url: puppet.thumbnailUrl,
  created_at: isoOrNull(puppet.createdAtMs),
})

const SINGLES_AT_MOST = 1_000
/** Ids that nobody has are asked for by mistake, or to do harm. */
const NO_SINGLE_MS = 60_000

/** The gateway's own refusal, for now: it cost no request, and may be about one client only. */
const isNotAsked = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'backend_unavailable' && error.extras.backendError === undefined

const isFinal = (error: unknown): boolean => error instanceof Problem && !error.retryable

/**
 * Puppets that are asked for by themselves: one request for all who ask at the same time, its answer good for a short
 * while, and that there is none for longer.
 */
const singly = (clock: Clock, { loadPuppet }: Pick<CatalogDeps, 'loadPuppet'>) => {
  const asked = new LRUCache<string, Promise<Puppet>>({
    max: SINGLES_AT_MOST,
    ttl: PAUSE_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now() },
  })
  const keyOf = (backend: string, id: string): string => JSON.stringify([backend, id])
  return {
    load(backend: string, id: string, client: string): Promise<Puppet> {
      const key = keyOf(backend, id)
      const known = asked.get(key)
      if (known) return known
      const loading = loadPuppet(backend, id, client)
      asked.set(key, loading)
      loading.catch((error: unknown) => {
        // It may have been made meanwhile.
        if (asked.peek(key) !== loading) return
        if (isNotAsked(error)) asked.delete(key)
        else if (isFinal(error)) asked.set(key, loading, { ttl: NO_SINGLE_MS })
      })
      return loading
    },
    forget: (backend: string, id: string): void => void asked.delete(keyOf(backend, id)),
  }
}

/** Voices and puppets of the backends, cached and coalesced; ids are qualified `<backend>:<native id>`. */
export const createCatalog = ({ clock, loadVoices, loadPuppets, loadPuppet }: CatalogDeps) => {
  const voices = cached(clock, loadVoices)
  const voicesOf = async (backend: string): Promise<Cached<Voice[]>> => {
    const { value, state } = await voices.load(backend)
    return { value: value.items, state }
  }
  const changes = createChanges()
  /** Of readings that broke off: the next may continue with what they read. */
  const marks = new Map<string, number>()
  const listed = cached(clock, async (backend) => {
    const since = marks.get(backend) ?? changes.mark()
    marks.set(backend, since)
    const read = await loadPuppets(backend)
    marks.delete(backend)
    return { since, ...read }
  })
  const single = singly(clock, { loadPuppet })
  const current = (backend: string, { items, since }: { items: Puppet[]; since: number }): Puppet[] =>
    changes.applied(backend, items, since)
  /** Null if the list lacks it and is not whole. */
  const decisive = (
    backend: string,
    list: PuppetList & { since: number },
    is: (one: Puppet) => boolean,
  ): Puppet[] | null => {
    const items = current(backend, list)
    return list.isWhole || items.some(is) ? items : null
  }
  const puppets = async (backend: string): Promise<Cached<Puppet[]>> => {
    const { value, state } = await listed.load(backend)
    return { value: current(backend, value), state }
  }
  const changed = (backend: string, id: string, puppet: Puppet | null): void => {
    single.forget(backend, id)
    changes.note(backend, id, puppet)
  }

  const findPuppet = async (backend: string, id: string, client: string): Promise<Cached<Puppet>> => {
    const list = await puppets(backend).catch((error: unknown) => {
      if (error instanceof Problem) return null
      throw error
    })
    const found = list?.value.find((one) => one.id === id)
    if (list && found) return { value: found, state: list.state }
    // The list may be some minutes old, longer than is read of it, or not to be had, as one request may be.
    const value = await single.load(backend, id, client)
    changes.note(backend, id, value)
    listed.lookAgain(backend, ({ items }) => items.some((one) => one.id === id))
    return { value, state: 'miss' }
  }

  /** Of what can be had: one backend that is down does not hide the others. Throws if none can. */
  const gather = async <T, V>(
    backends: readonly string[],
    list: (backend: string) => Promise<Cached<T[]>>,
    view: (backend: string, item: T) => V,
  ): Promise<Gathered<V[]>> => {
    const settled = await Promise.allSettled(backends.map(list))
    const value: V[] = []
    let state: CacheState = 'hit'
    const missing: Gathered<V[]>['missing'] = []
    for (const [n, backend] of backends.entries()) {
      const one = settled[n]
      if (one?.status === 'fulfilled') {
        if (WORST[one.value.state] > WORST[state]) state = one.value.state
        for (const item of one.value.value) value.push(view(backend, item))
      } else {
        const reason: unknown = one?.reason
        if (!(reason instanceof Problem) || missing.length + 1 === backends.length) throw reason
        missing.push({ backend, code: reason.code })
      }
    }
    return { value, state, missing }
  }

  return {
    /** `instead`: who has the same voices as a backend whose list cannot be read. */
    voices: (backends: readonly string[], instead: (backend: string) => readonly string[] = () => []) =>
      gather(backends, (one) => firstRead([one, ...instead(one)], voicesOf), voiceView),
    puppets: (backends: readonly string[]) => gather(backends, puppets, puppetView),
    /** As their adapters read them, for clients that speak a backend's contract. */
    of: {
      /** Of all members of a pool that can be read. */
      allPuppets: (backends: readonly string[]) => gather(backends, puppets, (_, one) => one),
      voices: (backend: string): Promise<Voice[]> => voicesOf(backend).then(({ value }) => value),
      puppets: (backend: string): Promise<Puppet[]> => puppets(backend).then(({ value }) => value),
    },
    /** What they were read from: the last good answers, whatever became of the backend since. */
    raw: {
      voices: (backend: string): Promise<RawAnswer> => voices.load(backend).then(({ value }) => value.raw),
      puppets: (backend: string): Promise<RawAnswer[]> => listed.load(backend).then(({ value }) => value.pages),
    },
    /** What is in memory and not stale; null if nothing is, or if the list is not whole. Asks nobody. */
    fresh: {
      voices: (backend: string): Voice[] | null => voices.fresh(backend)?.items ?? null,
      puppets(backend: string, is: (one: Puppet) => boolean = () => true): Puppet[] | null {
        const list = listed.fresh(backend)
        return list && decisive(backend, list, is)
      },
    },
    /**
     * What is in memory, for one who looks for `what`. If the list lacks that, it is read again, at most once a minute.
     * Null: nobody knows whether it is there. Puppets that are not in memory are read; throws if they cannot be.
     */
    lookUp: {
      voices: (backend: string, is: (one: Voice) => boolean, what: string): Promise<Voice[] | null> =>
        voices.lookUp(backend, what, ({ items }) => items.some(is)).then((list) => list?.items ?? null),
      async puppets(backend: string, is: (one: Puppet) => boolean, what: string): Promise<Puppet[] | null> {
        await listed.load(backend)
        const found = await listed.lookUp(backend, what, (list) => current(backend, list).some(is))
        return found && decisive(backend, found, is)
      },
    },
    /** What the voices of this backend name as their samples. If its voices cannot be read now: nothing. */
    samples: createSamples(clock, async (backend) => (await voicesOf(backend)).value),
    /** By its native id, from the list where it is there. Throws `puppet_not_found`. */
    puppet: findPuppet,
    /** The image of a saved portrait, null where the backend shows none. Throws `puppet_not_found`. */
    async portrait(backend: string, id: string, client: string): Promise<string | null> {
      const { value } = await findPuppet(backend, id, client)
      // A list may show less of each than there is.
      return value.imageUrl ?? (await single.load(backend, id, client)).imageUrl
    },
    /** A create was accepted with these ids: lists that lack them are old. */
    named(backend: string, { voiceId, puppetId }: { voiceId: string | null; puppetId: string | null }): void {
      voices.lookAgain(backend, ({ items }) => voiceId === null || items.some(({ id }) => id === voiceId))
      listed.lookAgain(backend, ({ items }) => puppetId === null || items.some(({ id }) => id === puppetId))
    },
    /** A list that was read before shows it now. */
    puppetMade: (backend: string, puppet: Puppet): void => changed(backend, puppet.id, puppet),
    puppetGone: (backend: string, id: string): void => changed(backend, id, null),
  }
}
export type Catalog = ReturnType<typeof createCatalog>

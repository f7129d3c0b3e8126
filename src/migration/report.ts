import type { Place, RecordedStore } from '../core/store/accounts.ts'
import { breath, iso, type Clock } from '../core/time/clock.ts'
import type { LackingView, MigrationReportView } from '../core/api/migration.ts'
import {
  type Lacking,
  fileNameOf,
  puppetsLike,
  voicesLike,
  type Candidate,
  keyOfLacking,
  suggestAliases,
} from './aliases.ts'
import {
  type BackendOrPool,
  type Side,
  readSide,
  type CatalogueReader,
  leadsTo,
  nativeOn,
  type Judge,
} from './verdict.ts'
import {
  withoutQuery,
  type SeenNamed,
  type Tallies,
  compare,
  createObserved,
  createTop,
  keyOfKind,
  shareOf,
  createTallies,
  noVerdicts,
  type SeenLoss,
} from './tallies.ts'
import { sourceOf, type VideoRecord } from '../core/video.ts'
import type { AliasConfig, Aliases } from '../engine/create/route.ts'
import { allNames, type Backend, type Backends } from '../engine/upstream/accounts.ts'

/** How long other work waits for a slice of this: far less than anybody notices. */
const SLICE_MS = 4
/** Read at a time: parsing as many takes about as long as a slice. */
const PAGE = 50

/** What there is to read, oldest first: pages of it behind a place. */
interface Source<T> {
  page: (after: Place, limit: number) => Promise<readonly T[]>
  placeOf: (item: T) => NonNullable<Place>
  /** Items of later than this are not part of it. */
  untilMs: number
}

/**
 * Gives each item to `take`, a page at a time, and lets other work run after every few milliseconds. Rejects with the
 * signal's reason when it aborts.
 */
export const walk = async <T>(
  { page, placeOf, untilMs }: Source<T>,
  signal: AbortSignal,
  take: (item: T) => Promise<void> | void,
  onPage: (atMs: number) => void = () => undefined,
): Promise<void> => {
  let after: Place = null
  for (;;) {
    await breath()
    signal.throwIfAborted()
    let sinceMs = performance.now()
    const items: readonly T[] = await page(after, PAGE)
    for (const item of items) {
      if (placeOf(item).atMs > untilMs) return
      await take(item)
      if (performance.now() - sinceMs < SLICE_MS) continue
      await breath()
      sinceMs = performance.now()
    }
    const last = items.at(-1)
    if (last === undefined) return
    after = placeOf(last)
    onPage(after.atMs)
  }
}

/** Of each list. */
const LISTED = 200

interface Described extends Lacking, Pick<LackingView, 'language' | 'gender'> {}

const imageOwner = ({ puppets }: Side, id: string) =>
  [...(puppets?.values() ?? [])].find(({ imageUrl }) => imageUrl !== null && withoutQuery(imageUrl) === id)

/** What the old backend says of it, and what the new one has that is like it. */
const described = ({ kind, id, videos }: SeenNamed & { videos: number }, from: Side, to: Side): Described => {
  if (kind === 'voice') {
    const voice = from.voices?.get(id)
    const candidates = voice && to.voices ? voicesLike(voice, to.voices.values()) : []
    const { name = null, languageCode: language = null, gender = null } = voice ?? {}
    return { kind, id, videos, name, language, gender, candidates }
  }
  const saved = kind === 'puppet' ? from.puppets?.get(id) : imageOwner(from, id)
  const told = saved?.name ?? null
  const name = told ?? (kind === 'image' ? fileNameOf(id) : null)
  const candidates: Candidate[] =
    name !== null && to.puppets ? puppetsLike(name, told !== null, to.puppets.values()) : []
  return { kind, id, videos, name, language: null, gender: null, candidates }
}

/**
 * What is missing, the most used first, with what may represent it. Each is compared with a whole catalogue, so that
 * other work runs after each. Rejects with the signal's reason when it aborts.
 */
export const lackingOf = async (
  { lacking }: Pick<Tallies, 'lacking'>,
  from: Side,
  to: Side,
  signal: AbortSignal,
): Promise<Described[]> => {
  const listed: Described[] = []
  for (const seen of [lacking.voices, lacking.portraits].flatMap((top) => top.list().slice(0, LISTED))) {
    await breath()
    signal.throwIfAborted()
    listed.push(described(seen, from, to))
  }
  return listed
}

interface ReportDeps {
  store: Pick<RecordedStore, 'recorded' | 'shadows' | 'refusals'>
  clock: Pick<Clock, 'now'>
  catalogue: CatalogueReader
  judge: Judge
  aliases: Aliases
  configured: AliasConfig
  backends: Backends
  /** What a client sees, the target among it unless it does not see that. */
  visibleTo: (client: string, target: Backend) => Backends
  /** Of this process, since it began. */
  dropped: () => number
}

interface ReportWish {
  from: BackendOrPool
  to: BackendOrPool
  sinceMs: number
  signal: AbortSignal
  /** `progress` from 0 to 1; `videos` judged so far. */
  onProgress: (progress: number, videos: number) => void
}

const byCreation = (
  store: ReportDeps['store'],
  backend: string,
  sinceMs: number,
  untilMs: number,
): Source<VideoRecord> => ({
  page: (after, limit) => store.recorded(backend, sinceMs, after, limit),
  placeOf: ({ createdAtMs, id }) => ({ atMs: createdAtMs, id }),
  untilMs,
})

const catalogueView = ({ name, voices, puppets, problem }: Side): MigrationReportView['catalogues'][number] => ({
  backend: name,
  voices: voices?.size ?? null,
  puppets: puppets?.size ?? null,
  problem,
})

/** Videos with things that are not listed. */
const unlisted = (top: Tallies['lacking']['voices']): number =>
  top
    .list()
    .slice(LISTED)
    .reduce((sum, { videos }) => sum + videos, top.others())

/** What became of shadows, by the kinds of what they lost. */
const readShadows = async (
  { store, dropped }: ReportDeps,
  { from, to, sinceMs, signal }: ReportWish,
  untilMs: number,
) => {
  const verdicts = noVerdicts()
  const kinds = createTop<Pick<SeenLoss, 'code' | 'field'>>(LISTED)
  let videos = 0
  await walk(
    {
      page: (after, limit) => store.shadows(from.name, to.name, sinceMs, after, limit),
      placeOf: ({ atMs, videoId }) => ({ atMs, id: videoId }),
      untilMs,
    },
    signal,
    ({ verdict, kinds: lost }) => {
      videos += 1
      verdicts[verdict] += 1
      for (const kind of lost) kinds.add(keyOfKind(kind), () => kind)
    },
  )
  return { view: { videos, verdicts, dropped: dropped() }, kinds: kinds.list(), videos }
}

/** Of the walk through what was recorded. The rest is short. */
const JUDGING = 0.9

/**
 * Judges every recorded request of one backend for another, oldest first, and compares that with what the other one was
 * really asked for. Reads the store and two catalogues; sends nothing else, writes nothing. Rejects with the reason of
 * `signal` when that aborts.
 */
export const createReport =
  (deps: ReportDeps) =>
  async (wish: ReportWish): Promise<MigrationReportView> => {
    const { store, clock, catalogue, judge, aliases, backends, visibleTo } = deps
    const { from, to, sinceMs, signal, onProgress } = wish
    const untilMs = clock.now()
    const lengthMs = Math.max(untilMs - sinceMs, 1)
    const [old, target] = [await readSide(from, catalogue), await readSide(to, catalogue)]
    const tallies = createTallies()
    let videos = 0
    let imported = 0
    const progress = (atMs: number, [begin, end]: [number, number]): void =>
      onProgress(begin + (end - begin) * Math.min(Math.max((atMs - sinceMs) / lengthMs, 0), 1), videos)

    const madeOn = ({ backend }: VideoRecord): Backend =>
      from.members.find(({ name }) => name === backend) ?? old.backend
    const take = async (video: VideoRecord): Promise<void> => {
      // Nobody was informed of it: it may be refused still, and then there was none.
      if (!video.told) return
      // It was canceled before it was sent: its request is gone.
      if (video.madeFrom !== null) return
      if (sourceOf(video) === 'import') return void (imported += 1)
      videos += 1
      const visible = visibleTo(video.client, target.backend)
      tallies.count(video, await judge(video, target, visible))
      for (const named of leadsTo(video.input, target, aliases, visible)) {
        const entry = named.isThere === false ? nativeOn(named, madeOn(video), aliases, visible) : null
        if (entry !== null) tallies.countLacking(named.kind, entry)
      }
    }
    /** One member after the other, each in its part of the way. */
    const walkAll = async (
      { members }: BackendOrPool,
      item: (video: VideoRecord) => Promise<void> | void,
      [begin, end]: [number, number],
    ): Promise<void> => {
      const part = (end - begin) / members.length
      for (const [n, { name }] of members.entries())
        await walk(byCreation(store, name, sinceMs, untilMs), signal, item, (atMs) =>
          progress(atMs, [begin + n * part, begin + (n + 1) * part]),
        )
    }
    await walkAll(from, take, [0, JUDGING])

    const observed = createObserved()
    const seen = (video: VideoRecord): void =>
      void (video.told && sourceOf(video) !== 'import' && observed.video(video))
    await walkAll(to, seen, [JUDGING, 1])
    for (const name of new Set([to.name, ...to.members.map((one) => one.name)]))
      observed.refusals(await store.refusals(name, sinceMs))
    const shadows = await readShadows(deps, wish, untilMs)

    const losses = tallies.losses.list()
    const lacking = await lackingOf(tallies, old, target, signal)
    const suggested = suggestAliases(lacking, {
      configured: deps.configured,
      from: [...new Set([from.name, ...from.members.flatMap(({ name, account }) => [name, ...account.backends])])],
      to: to.name,
      backends: allNames(backends),
      // Ids that a request may name: no alias may hide one.
      reserved: new Set(
        [old.voices, old.puppets, target.voices, target.puppets].flatMap((known) => [...(known?.keys() ?? [])]),
      ),
    })
    onProgress(1, videos)
    return {
      object: 'migration_report',
      from: from.name,
      to: to.name,
      since: iso(sinceMs),
      until: iso(untilMs),
      videos,
      imported,
      verdicts: tallies.verdicts,
      catalogues: [catalogueView(old), catalogueView(target)],
      losses: losses.map((loss) => ({ ...loss, share: shareOf(loss.videos, videos) })),
      unverified: tallies.unverified.list(),
      clients: tallies.clients.list(),
      other_clients: tallies.clients.others(),
      pinned: tallies.pinned,
      default_voices: tallies.defaultVoices(),
      lacking: lacking.map(({ candidates, ...one }) => ({
        ...one,
        candidates: candidates.map(({ isGood: _, ...shown }) => shown),
        alias: suggested.chosen.get(keyOfLacking(one))?.alias ?? null,
      })),
      other_lacking: {
        voices: unlisted(tallies.lacking.voices),
        portraits: unlisted(tallies.lacking.portraits),
      },
      aliases: suggested.text,
      shadow: shadows.view,
      observed: observed.totals,
      compared: compare({ kinds: losses, videos }, shadows, observed),
    }
  }

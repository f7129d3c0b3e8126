import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { api, ask, pathFor } from '../../api.ts'
import { useSession } from '../../session.ts'
import { Begin } from '../../ui/begin.tsx'
import { Button } from '../../ui/button.tsx'
import { Select, TextFilter } from '../../ui/field.tsx'
import { useRead, useFilters } from '../../reads.ts'
import {
  type Asked,
  askedOf,
  changed,
  isFiltered,
  NOTHING,
  statusesOf,
  useVideos,
  videoIdIn,
  type VideoPages,
} from './search.ts'
import { Selection } from './selection.tsx'
import { absolute, Instant } from '../../ui/time.tsx'
import { Header } from '../../ui/header.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { Fresh, More } from '../../ui/table.tsx'
import { Rows } from './rows.tsx'
import './videos.css'

const STATUSES = ['queued', 'processing', 'completed', 'failed', 'canceled'] as const

const HOUR_MS = 3_600_000
const todayAt = (): number => new Date().setHours(0, 0, 0, 0)

/** What is asked for most, each a click away: in place of all other filters. */
const PRESETS: readonly (readonly [string, () => Partial<Asked>])[] = [
  ['Last hour', () => ({ from: new Date(Date.now() - HOUR_MS).toISOString() })],
  ['Failed today', () => ({ status: 'failed', ended_since: new Date(todayAt()).toISOString() })],
  ['Slowest today', () => ({ sort: 'took', ended_since: new Date(todayAt()).toISOString() })],
]

const useBackends = (): string[] => {
  const { isAdmin } = useSession()
  const { data } = useRead('backends', () => ask(api.GET(pathFor(isAdmin, 'backends'))))
  return [...(data?.pools ?? []), ...(data?.data ?? [])].map(({ name }) => name)
}

interface FiltersProps {
  asked: Asked
  set: (changes: Partial<Asked>) => void
  /** As `set`, and nothing else is asked for any more. */
  only: (changes: Partial<Asked>) => void
}

const HOOKS = [
  ['', 'Any'],
  ['delivered', 'Arrived'],
  ['pending', 'Pending'],
  ['failed', 'Given up'],
  ['none', 'None'],
] as const

const ALSO = [
  ['phase', 'phase', (phase) => phase],
  ['error_code', 'error', (code) => code],
  ['ended_since', 'ended since', absolute],
  ['ended_before', 'ended before', absolute],
] as const satisfies readonly (readonly [keyof Asked, string, (value: string) => string])[]

/** Filters that have no field: a figure of the overview leads here with them. */
const Also = ({ asked, set }: Pick<FiltersProps, 'asked' | 'set'>) => (
  <>
    {ALSO.filter(([name]) => asked[name] !== '' && asked[name] !== 'in_doubt').map(([name, text, show]) => (
      <Button key={name} title="Take this filter out" onClick={() => set({ [name]: '' })}>
        {text}: {show(asked[name])} ×
      </Button>
    ))}
  </>
)

/** Several statuses together. */
const States = ({ asked, set, only }: FiltersProps) => {
  const chosen = statusesOf(asked)
  const toggle = (status: string, isOn: boolean): void => {
    const next = STATUSES.filter((one) => (one === status ? isOn : chosen.includes(one)))
    set({ phase: '', status: next.length === STATUSES.length ? '' : next.join(',') })
  }
  return (
    <div class="row between">
      <fieldset class="row">
        <legend class="only-read">Status</legend>
        {STATUSES.map((status) => (
          <label key={status} class="chip">
            <input
              type="checkbox"
              checked={chosen.includes(status)}
              onChange={({ currentTarget }) => toggle(status, currentTarget.checked)}
            />
            {status}
          </label>
        ))}
        <label class="chip">
          <input
            type="checkbox"
            checked={asked.phase === 'in_doubt'}
            onChange={({ currentTarget }) => set({ status: '', phase: currentTarget.checked ? 'in_doubt' : '' })}
          />
          in doubt
        </label>
      </fieldset>
      <Also asked={asked} set={set} />
      <span class="actions">
        {PRESETS.map(([text, changes]) => (
          <Button key={text} kind="quiet" onClick={() => only(changes())}>
            {text}
          </Button>
        ))}
        {isFiltered(asked) && <Button onClick={() => only({})}>Clear filters</Button>}
      </span>
    </div>
  )
}

const Filters = (props: FiltersProps) => {
  const { asked, set } = props
  const { isAdmin } = useSession()
  const { route } = useLocation()
  const backends = useBackends()
  const known = asked.backend === '' || backends.includes(asked.backend) ? backends : [...backends, asked.backend]
  const find = (text: string): void => {
    const id = videoIdIn(text)
    if (id === null) set({ find: text })
    else route(`/console/videos/${id}`)
  }
  return (
    <form class="video-filters" role="search" aria-label="Videos" onSubmit={(event) => event.preventDefault()}>
      <States {...props} />
      <div class="filters">
        <TextFilter label="Id or metadata" value={asked.find} placeholder="vid_…, 1001, order=1001" onChange={find} />
        <Select
          label="Backend"
          value={asked.backend}
          options={[['', 'Any'], ...known]}
          onChange={(backend) => set({ backend })}
        />
        <Select label="Webhooks" value={asked.webhook} options={HOOKS} onChange={(webhook) => set({ webhook })} />
        {isAdmin && <TextFilter label="Client" value={asked.client} onChange={(client) => set({ client })} />}
        <Instant label="Created after" value={asked.from} onChange={(from) => set({ from })} />
        <Instant label="Created before" value={asked.to} onChange={(to) => set({ to })} />
      </div>
    </form>
  )
}

/** By when it ended, where it is sorted by how long it took. */
const sorted = (asked: Asked): Partial<Asked> => ({
  sort: 'took',
  ended_since: asked.ended_since || asked.from,
  ended_before: asked.ended_before || asked.to,
})

interface ListProps extends Pick<FiltersProps, 'asked' | 'set'> {
  pages: VideoPages
  selected: ReadonlySet<string>
  select: (id: string) => void
  clear: () => void
}

const List = ({ pages, asked, set, clear, ...selection }: ListProps) => {
  const { rows, hasMore, isLoading, isLoadingMore, error, first, refresh, more } = pages
  if (isLoading) return <Skeleton rows={20} what="videos" />
  const isEmpty = first !== null && rows.length === 0 && !hasMore
  return (
    <>
      {first !== null && !isEmpty && (
        <Rows
          pages={pages}
          {...selection}
          isSorted={asked.sort !== ''}
          sort={(isSorted) => set(isSorted ? sorted(asked) : { sort: '' })}
        />
      )}
      {error && <Failure error={error} retry={refresh} />}
      {isEmpty && !isFiltered(asked) && (
        <Empty title="No videos yet">
          <Begin />
        </Empty>
      )}
      {isEmpty && isFiltered(asked) && (
        <Empty title="No video matches">
          <p>No video matches all filters.</p>
          <Button onClick={clear}>Clear all filters</Button>
        </Empty>
      )}
      <More hasMore={hasMore && !error} isLoading={isLoadingMore} load={more} />
    </>
  )
}

/** How many there are. Where nobody counted: how many rows were read, and a plus if there are more. */
const Count = ({ pages: { rows, hasMore, first } }: { pages: VideoPages }) => {
  if (!first) return null
  const { count, complete } = first.total ?? { count: rows.length, complete: !hasMore }
  return (
    <span class="muted small video-count" role="status">
      {`${count.toLocaleString('en')}${complete ? '' : '+'} ${count === 1 ? 'video' : 'videos'}`}
    </span>
  )
}

const toggled = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  ids.has(id) ? new Set([...ids].filter((one) => one !== id)) : new Set([...ids, id])

export function VideosScreen() {
  const { filters, set, clear } = useFilters()
  const asked = askedOf(filters, useSession().isAdmin)
  const pages = useVideos(asked)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const change = (changes: Partial<Asked>): void => set(changed(asked, changes))
  return (
    <>
      <Header
        title={
          <>
            Videos <Count pages={pages} />
          </>
        }
      >
        <Fresh
          count={pages.fresh}
          one="new video"
          many="new videos"
          show={() => {
            window.scrollTo({ top: 0 })
            pages.restart()
          }}
        />
        <Selection rows={pages.rows} selected={selected} clear={() => setSelected(new Set())} changed={pages.doubt} />
      </Header>
      <Filters asked={asked} set={change} only={(changes) => set({ ...NOTHING, ...changes })} />
      <List
        pages={pages}
        asked={asked}
        selected={selected}
        select={(id) => setSelected((before) => toggled(before, id))}
        set={change}
        clear={clear}
      />
    </>
  )
}

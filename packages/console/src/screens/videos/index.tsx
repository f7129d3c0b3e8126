import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { api, ask } from '../../api.ts'
import { useSession, may } from '../../session.ts'
import { Button, LinkButton, Code } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { useRead, useFilters } from '../../reads.ts'
import { videoIdIn, type Asked, askedOf, type Feed, type FeedState, useFeed } from './feed.ts'
import { Header } from '../../ui/header.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { More } from '../../ui/table.tsx'
import { Rows } from './rows.tsx'
import './videos.css'

/** A reader who types is not done at each letter. */
const PAUSE_MS = 400

const STATUSES = ['queued', 'processing', 'completed', 'failed', 'canceled'] as const

/** A text that counts once nobody types any more. */
const useTyped = (value: string, apply: (text: string) => void) => {
  const [typed, setTyped] = useState(value)
  const said = useRef(value)
  const latest = useRef(apply)
  latest.current = apply
  // Somebody else changed it: the address, or the button that clears all.
  useEffect(() => {
    if (value === said.current) return
    said.current = value
    setTyped(value)
  }, [value])
  const settle = (text: string): void => {
    if (text === said.current) return
    said.current = text
    latest.current(text)
  }
  useEffect(() => {
    const timer = setTimeout(() => settle(typed.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return { typed, setTyped, settle }
}

interface TextProps {
  label: string
  value: string
  hint?: string
  placeholder?: string
  list?: string
  onChange: (text: string) => void
  /** Of each letter: true where it was taken somewhere else. */
  onType?: (text: string) => boolean
}

const Text = ({ label, value, hint, placeholder, list, onChange, onType }: TextProps) => {
  const { typed, setTyped, settle } = useTyped(value, onChange)
  return (
    <Field label={label} {...(hint !== undefined && { hint })}>
      {(id, describedBy) => (
        <input
          id={id}
          type="search"
          aria-describedby={describedBy}
          placeholder={placeholder}
          list={list}
          value={typed}
          onInput={({ currentTarget }) => {
            if (!onType?.(currentTarget.value)) setTyped(currentTarget.value)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') settle(typed.trim())
          }}
        />
      )}
    </Field>
  )
}

/** As the control writes it: local, to the minute. */
const localOf = (at: string): string => {
  if (at === '') return ''
  const ms = Date.parse(at)
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const Instant = ({ label, value, onChange }: { label: string; value: string; onChange: (at: string) => void }) => (
  <Field label={label}>
    {(id) => (
      <input
        id={id}
        type="datetime-local"
        value={localOf(value)}
        onChange={({ currentTarget: { value: local } }) => onChange(local === '' ? '' : new Date(local).toISOString())}
      />
    )}
  </Field>
)

const useBackends = (): string[] => {
  const { isAdmin } = useSession()
  const { data } = useRead('backends', () =>
    isAdmin ? ask(api.GET('/unified/v1/admin/backends')) : ask(api.GET('/unified/v1/backends')),
  )
  return data?.data.map(({ name }) => name) ?? []
}

interface FiltersProps {
  asked: Asked
  set: (changes: Partial<Asked>) => void
  clear: () => void
}

const Filters = ({ asked, set, clear }: FiltersProps) => {
  const { isAdmin } = useSession()
  const { route } = useLocation()
  const backends = useBackends()
  const known = asked.backend === '' || backends.includes(asked.backend) ? backends : [...backends, asked.backend]
  const go = (typed: string): boolean => {
    const id = videoIdIn(typed)
    if (id !== null) route(`/console/videos/${id}`)
    return id !== null
  }
  return (
    <form class="filters video-filters" role="search" aria-label="Videos" onSubmit={(event) => event.preventDefault()}>
      <Text
        label="Id or metadata"
        value={asked.find}
        placeholder="vid_…, 1001, order=1001"
        onChange={(find) => set({ find })}
        onType={go}
      />
      <Select
        label="Status"
        value={asked.status}
        options={[['', 'Any'], ...STATUSES.map((status) => [status, status] as const)]}
        onChange={(status) => set({ status })}
      />
      <Select
        label="Backend"
        value={asked.backend}
        options={[['', 'Any'], ...known.map((name) => [name, name] as const)]}
        onChange={(backend) => set({ backend })}
      />
      {isAdmin && <Text label="Client" value={asked.client} onChange={(client) => set({ client })} />}
      <Instant label="Created after" value={asked.from} onChange={(from) => set({ from })} />
      <Instant label="Created before" value={asked.to} onChange={(to) => set({ to })} />
      {Object.values(asked).some((value) => value !== '') && <Button onClick={clear}>Clear filters</Button>}
    </form>
  )
}

const EXAMPLE = `curl ${location.origin}/unified/v1/videos --oauth2-bearer $KEY \\
  --json '{"puppet_id": "pup_ada", "text": "Hello."}'`

const NoVideos = () => {
  const session = useSession()
  return (
    <Empty title="No videos yet">
      <p>Make the first one, and it appears here immediately.</p>
      <Code text={EXAMPLE} label="curl command" />
      {may(session, 'videos:create') && <LinkButton href="/console/playground">Open the playground</LinkButton>}
    </Empty>
  )
}

const NoMatch = ({ clear }: { clear: () => void }) => (
  <Empty title="No video matches">
    <p>No video matches all filters.</p>
    <Button onClick={clear}>Clear all filters</Button>
  </Empty>
)

/** Its place is kept while there is nothing to say, so that nothing moves. */
const Fresh = ({ feed, count }: { feed: Feed; count: number }) => (
  <div class="videos-fresh" role="status">
    {count > 0 && (
      <Button
        kind="primary"
        onClick={() => {
          window.scrollTo({ top: 0 })
          void feed.takeIn()
        }}
      >
        {count === 1 ? '1 new video' : `${count} new videos`}
      </Button>
    )}
  </div>
)

interface ListProps {
  feed: Feed
  state: FeedState
  isFiltered: boolean
  clear: () => void
}

const List = ({ feed, state, isFiltered, clear }: ListProps) => {
  const { rows, hasMore, isLoading, error, isRead } = state
  const more = (): void => void feed.more()
  if (!isRead) return error ? <Failure error={error} retry={more} /> : <Skeleton rows={8} what="videos" />
  const isEmpty = rows.length === 0 && !hasMore
  return (
    <>
      {!isEmpty && <Rows feed={feed} state={state} />}
      {error && <Failure error={error} retry={more} />}
      {isEmpty && (isFiltered ? <NoMatch clear={clear} /> : <NoVideos />)}
      <More hasMore={hasMore && !error} isLoading={isLoading} load={more} />
    </>
  )
}

export function VideosScreen() {
  const { filters, set, clear } = useFilters()
  const asked: Asked = askedOf(filters, useSession().isAdmin)
  const { feed, state } = useFeed(asked)
  const isFiltered = Object.values(asked).some((value) => value !== '')
  return (
    <>
      <Header title="Videos">
        <Fresh feed={feed} count={state.fresh.size} />
      </Header>
      <Filters asked={asked} set={(changes) => set({ ...asked, ...changes })} clear={clear} />
      <List feed={feed} state={state} isFiltered={isFiltered} clear={clear} />
    </>
  )
}

import { may, useSession } from '../../session.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Code } from '../../ui/copy.tsx'
import { Header } from '../../ui/header.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { More } from '../../ui/table.tsx'
import { useFilters } from '../../use-filters.ts'
import { askedOf, type Asked } from './asked.ts'
import type { Feed, FeedState } from './feed.ts'
import { Filters } from './filters.tsx'
import { Rows } from './rows.tsx'
import { useFeed } from './use-feed.ts'
import './videos.css'

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

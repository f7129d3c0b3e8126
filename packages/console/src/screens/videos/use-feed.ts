import { useEffect, useMemo, useState } from 'preact/hooks'
import { api, ask, errorFrom, type Page, type Schema } from '../../api.ts'
import { useLive } from '../../live.ts'
import { useSession } from '../../session.ts'
import { queryFor, wants, type Asked } from './asked.ts'
import { createFeed, type Feed, type FeedState, type Row } from './feed.ts'

/** As many as the API answers at once. */
const LIMIT = 100

type OwnRow = Schema<'Video'> | Schema<'BackendVideo'>

const reader =
  (asked: Asked, isAdmin: boolean) =>
  async (cursor: string | null): Promise<Page<Row>> => {
    const query = { ...queryFor(asked), limit: LIMIT, ...(cursor !== null && { cursor }) }
    if (isAdmin) return ask(api.GET('/unified/v1/admin/videos', { params: { query } }))
    const { client: _, ...own } = query
    const page = await ask(api.GET('/unified/v1/videos', { params: { query: own } }))
    // The other kind is what a backend lists, for whom asks for that.
    const rows: readonly OwnRow[] = page.data
    return { ...page, data: rows.filter((row) => row.object === 'video') }
  }

/** The list that these filters ask for, live. */
export const useFeed = (asked: Asked): { feed: Feed; state: FeedState } => {
  const { isAdmin } = useSession()
  const key = JSON.stringify(asked)
  const feed = useMemo(
    () => createFeed({ read: reader(asked, isAdmin), wants: (event) => wants(asked, event), errorFrom }),
    [key, isAdmin],
  )
  const [, again] = useState({})
  useEffect(() => {
    const off = feed.listen(() => again({}))
    void feed.more()
    return () => {
      off()
      feed.end()
    }
  }, [feed])
  useLive(
    (event) => feed.hear(event),
    () => {
      feed.doubt()
      again({})
    },
  )
  return { feed, state: feed.state() }
}

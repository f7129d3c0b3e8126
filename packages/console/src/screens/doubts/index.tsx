import { useState } from 'preact/hooks'
import { api, ask, type Page } from '../../api.ts'
import { useLiveReload } from '../../live.ts'
import { Badge, Empty, Failure, Loaded } from '../../ui/states.tsx'
import { Id } from '../../ui/button.tsx'
import { Doubt, type AdminVideo } from '../../ui/doubt.tsx'
import { Header } from '../../ui/header.tsx'
import { More } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction, useRead } from '../../reads.ts'
import './doubts.css'

type Kind = 'open' | 'given_up'

const LIMIT = 20
/** The gateway looks in the meantime: what it found out leaves the list. */
const AGAIN_MS = 10_000

const read = (doubt: Kind, cursor?: string): Promise<Page<AdminVideo>> =>
  ask(
    api.GET('/unified/v1/admin/videos', {
      params: { query: { doubt, limit: LIMIT, ...(cursor !== undefined && { cursor }) } },
    }),
  )

const excerptOf = ({ input, source }: AdminVideo): string => input.text ?? `made from ${source}`

const One = ({ video, onDone }: { video: AdminVideo; onDone: () => void }) =>
  video.doubt && (
    <li class="card">
      <div class="card-head">
        <h3>
          <Id of={video.id} href={`/console/videos/${encodeURIComponent(video.id)}`} label="video id" />
        </h3>
        <span class="muted small">
          {video.client} · {video.backend} · create sent <Time at={video.dispatched_at} />
        </span>
      </div>
      <p class="doubt-text">{excerptOf(video)}</p>
      <Doubt video={{ ...video, doubt: video.doubt }} onDone={onDone} />
    </li>
  )

interface SectionProps {
  kind: Kind
  title: string
  lead: string
  first: Page<AdminVideo>
  onDone: () => void
}

/** The first page is read again and again; what was asked for behind it stays until something is answered. */
const Section = ({ kind, title, lead, first, onDone }: SectionProps) => {
  const [more, setMore] = useState<Page<AdminVideo>[]>([])
  const last = more.at(-1) ?? first
  const next = useAction(async () => {
    const page = await read(kind, last.next_cursor ?? undefined)
    setMore((before) => [...before, page])
  })
  const rows = [first, ...more].flatMap((page) => page.data)
  if (rows.length === 0) return null
  const shown = [...new Map(rows.map((video) => [video.id, video])).values()]
  const done = (): void => {
    setMore([])
    onDone()
  }
  return (
    <section class="stack" aria-label={title}>
      <h2>
        {title} <Badge>{`${shown.length}${last.has_more ? '+' : ''}`}</Badge>
      </h2>
      <p class="muted">{lead}</p>
      <ul class="plain stack">
        {shown.map((video) => (
          <One key={video.id} video={video} onDone={done} />
        ))}
      </ul>
      {next.error && <Failure error={next.error} />}
      <More hasMore={last.has_more} isLoading={next.isRunning} load={() => void next.run()} />
    </section>
  )
}

/** Creates whose outcome is not known, and the operator's answers. */
export function DoubtsScreen() {
  const doubts = useRead('doubts', () => Promise.all([read('open'), read('given_up')]), AGAIN_MS)
  const { reload } = doubts
  useLiveReload(reload, ({ type }) => type === 'video.failed' || type === 'video.processing', 1_000)
  return (
    <>
      <Header title="Doubts" />
      <Loaded read={doubts} what="doubts">
        {([open, givenUp]) => (
          <>
            {open.data.length + givenUp.data.length === 0 && (
              <Empty title="No create is in doubt">
                <p>
                  A create is in doubt when its answer was lost. The gateway searches for its job. If it cannot find
                  out, the create appears here, and you decide.
                </p>
              </Empty>
            )}
            <Section
              kind="open"
              title="Searching"
              lead="The gateway still searches. Answer only if you know more."
              first={open}
              onDone={reload}
            />
            <Section
              kind="given_up"
              title="Given up"
              lead="These failed with create_outcome_unknown. Check the list of the backend, and say what happened to them."
              first={givenUp}
              onDone={reload}
            />
          </>
        )}
      </Loaded>
    </>
  )
}

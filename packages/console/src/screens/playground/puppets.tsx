import { useState } from 'preact/hooks'
import { api, ask, type Page, type Schema } from '../../api.ts'
import { useAction, useRead } from '../../use-read.ts'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { More } from '../../ui/table.tsx'

type Puppet = Schema<'Puppet'>
const A_PAGE = 48

const readPuppets = (backend: string, cursor?: string): Promise<Page<Puppet>> => {
  const query = { limit: A_PAGE, ...(backend !== '' && { backend }), ...(cursor !== undefined && { cursor }) }
  return ask(api.GET('/unified/v1/puppets', { params: { query } }))
}

const Picture = ({ of }: { of: Puppet }) => {
  const [isBroken, setBroken] = useState(false)
  const hasOne = of.thumbnail_url !== null || of.image_url !== null
  if (isBroken || !hasOne) return <span class="play-no-picture">no picture</span>
  return (
    <img
      src={`/console/media/puppets/${encodeURIComponent(of.id)}`}
      alt=""
      loading="lazy"
      width={120}
      height={120}
      onError={() => setBroken(true)}
    />
  )
}

interface PuppetsProps {
  backend: string
  value: string
  describedBy: string | undefined
  onChange: (id: string) => void
}

/** Saved portraits to look at and to choose from. */
export const Puppets = ({ backend, value, describedBy, onChange }: PuppetsProps) => {
  const first = useRead(`puppets ${backend}`, () => readPuppets(backend))
  const [more, setMore] = useState<{ backend: string; page: Page<Puppet> } | null>(null)
  const rest = more?.backend === backend ? more.page : null
  const last = rest ?? first.data
  const puppets = [...(first.data?.data ?? []), ...(rest?.data ?? [])]
  const load = useAction(async () => {
    if (!last?.next_cursor) return
    const page = await readPuppets(backend, last.next_cursor)
    setMore({ backend, page: { ...page, data: [...(rest?.data ?? []), ...page.data] } })
  })
  if (first.isLoading) return <Skeleton rows={4} what="puppets" />
  if (!first.data) return first.error && <Failure error={first.error} retry={first.reload} />
  const isElsewhere = value !== '' && !puppets.some(({ id }) => id === value)
  return (
    <>
      {puppets.length === 0 && (
        <p class="muted">There are no puppets here. Give an image URL instead, or choose another backend.</p>
      )}
      {isElsewhere && (
        <p>
          Chosen: <code>{value}</code>, which is not in this list.
        </p>
      )}
      <ul
        class="play-puppets"
        aria-label="Puppets"
        {...(describedBy !== undefined && { 'aria-describedby': describedBy })}
      >
        {puppets.map((puppet) => (
          <li key={puppet.id}>
            <label>
              <input type="radio" name="puppet" checked={value === puppet.id} onChange={() => onChange(puppet.id)} />
              <Picture of={puppet} />
              <span>
                {puppet.name ?? puppet.id}
                <small class="muted">
                  {puppet.backend} · {puppet.type}
                </small>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {load.error && <Failure error={load.error} />}
      <More hasMore={last?.has_more ?? false} isLoading={load.isRunning} load={() => void load.run()} />
    </>
  )
}

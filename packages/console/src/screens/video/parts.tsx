import type { Page } from '../../api.ts'
import { Loaded, Note } from '../../ui/states.tsx'
import { Button, Id, LinkButton } from '../../ui/button.tsx'
import { DELIVERIES, deliveryColumns } from '../../ui/deliveries.tsx'
import { Card, Facts } from '../../ui/header.tsx'
import { Table } from '../../ui/table.tsx'
import type { Read } from '../../reads.ts'
import type { Delivery, Shown } from './use-video.ts'
import { useState } from 'preact/hooks'

/** Who was informed of it, and whether it arrived. `null`: the key may not read that. */
export const Deliveries = ({ read }: { read: Read<Page<Delivery>> | null }) => (
  <Card title="Deliveries">
    {read === null ? (
      <p class="muted">
        Your key may not read deliveries: it lacks the scope <code>webhooks:read</code>.
      </p>
    ) : (
      <Loaded read={read} what="deliveries" rows={2}>
        {({ data, has_more: hasMore }) =>
          data.length === 0 ? (
            <p class="muted">
              No event of this video was sent yet: a create with <code>webhook_url</code>, or an{' '}
              <a href="/console/webhooks">endpoint</a>, gets its end.
            </p>
          ) : (
            <>
              <Table
                caption="Deliveries of the events of this video"
                columns={deliveryColumns('Client', 'Video')}
                rows={data}
                keyOf={({ id }) => id}
              />
              {hasMore && (
                <p class="muted">
                  These are the newest {data.length}. <a href={DELIVERIES}>All deliveries</a>
                </p>
              )}
            </>
          )
        }
      </Loaded>
    )}
  </Card>
)

const ADVICE: Readonly<Record<string, string>> = {
  backend_job_lost:
    'The backend no longer knows its own job. Give the backend the id of the job, and ask what happened.',
  backend_job_expired: 'It did not end in time (engine.max_age). Give the backend the id of the job, and ask.',
  video_url_missing: 'The backend completed it without a file. Give the backend the id of the job, and ask.',
  create_outcome_unknown:
    'The answer to the create was lost. An operator can check the list of the backend, and say below what happened.',
  insufficient_credits: 'Buy credits at the backend, and send the same request as a new video.',
  quota_exceeded: 'When the backend has renewed or raised the quota, send the same request as a new video.',
}

const adviceFor = (code: string, isRetryable: boolean): string =>
  ADVICE[code] ??
  (isRetryable
    ? 'The same request may succeed as a new video: send it again.'
    : 'The same request would fail again: change it first.')

/** Why it failed, and what to do. */
export const Failed = ({ video }: { video: Shown }) => {
  const { error } = video
  if (!error) return null
  const said = error.backend_error
  return (
    <Card title="Why it failed">
      <p>
        <code>{error.code}</code>: {error.message}
      </p>
      <p>{adviceFor(error.code, error.retryable)}</p>
      {said && (
        <Facts
          rows={[
            ["Backend's code", said.code],
            ["Backend's words", said.message],
            said.status !== null && ['HTTP status', said.status],
            said.block_code !== null && ['Blocked because of', said.block_code],
          ]}
        />
      )}
      {video.replaced_by !== null && (
        <p>
          Its job now belongs to{' '}
          <Id of={video.replaced_by} href={`/console/videos/${encodeURIComponent(video.replaced_by)}`} />
        </p>
      )}
    </Card>
  )
}

/** Played through the gateway: the backend's own link expires, and is of another origin. */
const pathOf = (id: string): string => `/console/media/videos/${encodeURIComponent(id)}`

/** The rendered video. */
export const Film = ({ video }: { video: Shown }) => {
  const [isBroken, setBroken] = useState(false)
  return (
    <Card title="Video" actions={<LinkButton href={video.content_url}>Open the file</LinkButton>}>
      {isBroken ? (
        <Note kind="warn">
          <p>
            The video cannot be played now, because the backend gave no file. It may be too old, or the backend is down.
          </p>
          <Button onClick={() => setBroken(false)}>Try again</Button>
        </Note>
      ) : (
        <video
          class="film"
          controls
          playsInline
          preload="metadata"
          aria-label={`Video ${video.id}`}
          src={pathOf(video.id)}
          onError={() => setBroken(true)}
        />
      )}
    </Card>
  )
}

/** "Puppet", of `puppet_id`. */
const nameOf = (field: string): string => {
  const name = field.replace(/_(id|url)$/, '')
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** What its client asked for, as it was asked. */
export const Request = ({ video }: { video: Shown }) => {
  const asked = Object.entries(video.input).filter(([, value]) => value !== null)
  const metadata = Object.entries(video.metadata)
  return (
    <Card title="Request">
      <Facts
        rows={[
          ...asked.map(([name, value]) => [nameOf(name), String(value)] as const),
          ['Webhook', video.webhook_url],
          video.source === 'import' && ['Made', 'without the gateway: its job was imported'],
          video.source !== 'import' &&
            asked.length === 0 && ['Input', 'deleted: the video was canceled before it was sent'],
        ]}
      />
      {video.warnings.map(({ param, message }) => (
        <Note key={param} kind="warn">
          <code>{param}</code>: {message}
        </Note>
      ))}
      <h3>Metadata</h3>
      {metadata.length === 0 ? <p class="muted">None was given.</p> : <Facts rows={metadata} />}
    </Card>
  )
}

const WHY: Readonly<Record<Shown['routing']['chosen_by'], string>> = {
  request: 'The request names this backend.',
  id: 'The voice, puppet or upload of the request belongs to it.',
  rule: 'A rule of the configuration chose it.',
  default: 'It is the default of the configuration.',
  failover: 'It replaces the backend that was chosen first, which could not accept the create.',
}

/** Which backend makes it, and why that one. */
export const Routing = ({ video }: { video: Shown }) => {
  const { chosen_by: by, rule, considered } = video.routing
  const over = considered.filter(({ verdict }) => verdict === 'passed_over')
  return (
    <Card title="Backend">
      <Facts
        rows={[
          ['Backend', <a href={`/console/backends/${encodeURIComponent(video.backend)}`}>{video.backend}</a>],
          ['Why', rule === null ? WHY[by] : `${WHY[by]} (${rule})`],
          ['Job', video.backend_job_id === null ? null : <Id of={video.backend_job_id} label="job id" />],
          ["Backend's word", video.backend_status],
          ['Credits', video.credits?.charged ?? null],
        ]}
      />
      {over.length > 0 && (
        <ul class="plain">
          {over.map(({ backend, reason }) => (
            <li key={backend}>
              <strong>{backend}</strong> was passed over{reason === null ? '' : `: ${reason}`}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

import { Code, Id } from '../../ui/copy.tsx'
import { Card, Facts } from '../../ui/header.tsx'
import { Note } from '../../ui/states.tsx'
import { curlOf } from './curl.ts'
import type { Shown } from './use-video.ts'

const NAMES: Readonly<Record<string, string>> = {
  image_url: 'Portrait',
  puppet_id: 'Puppet',
  text: 'Text',
  audio_url: 'Audio',
  upload_id: 'Upload',
  voice_id: 'Voice',
  language: 'Language',
  expressiveness: 'Expressiveness',
  resolution: 'Resolution',
}

/** What its client asked for, as it was asked. */
export const Request = ({ video }: { video: Shown }) => {
  const asked = Object.entries(video.input).filter(([, value]) => value !== null)
  const metadata = Object.entries(video.metadata)
  const curl = curlOf(video, location.origin)
  return (
    <Card title="Request">
      <Facts
        rows={[
          ...asked.map(([name, value]) => [NAMES[name] ?? name, String(value)] as const),
          ['Webhook', video.webhook_url],
          ...(video.source === 'import' ? [['Made', 'without the gateway: its job was imported'] as const] : []),
          ...(video.source !== 'import' && asked.length === 0
            ? [['Input', 'deleted: the video was canceled before it was sent'] as const]
            : []),
        ]}
      />
      {video.warnings.map(({ param, message }) => (
        <Note key={param} kind="warn">
          <code>{param}</code>: {message}
        </Note>
      ))}
      <h3>Metadata</h3>
      {metadata.length === 0 ? <p class="muted">None was given.</p> : <Facts rows={metadata} />}
      {curl !== null && (
        <details>
          <summary>The same create as curl</summary>
          <Code text={curl} label="curl" />
          <p class="muted small">
            Put your key into <code>KEY</code> first. It makes a new video, which is paid for.
          </p>
        </details>
      )}
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
export const Routing = ({ video, showsBackend }: { video: Shown; showsBackend: boolean }) => {
  const { chosen_by: by, rule, considered } = video.routing
  const over = considered.filter(({ verdict }) => verdict === 'passed_over')
  const href = showsBackend ? `/console/backends/${encodeURIComponent(video.backend)}` : undefined
  return (
    <Card title="Backend">
      <Facts
        rows={[
          ['Backend', href === undefined ? video.backend : <a href={href}>{video.backend}</a>],
          ['Why', rule === null ? WHY[by] : `${WHY[by]} (${rule})`],
          ['Job', video.backend_job_id === null ? null : <Id key="job" of={video.backend_job_id} label="job id" />],
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

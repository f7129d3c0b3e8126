import { Id } from '../../ui/copy.tsx'
import { Card, Facts } from '../../ui/header.tsx'
import type { Shown } from './use-video.ts'

const ADVICE: Readonly<Record<string, string>> = {
  backend_job_lost:
    'The backend no longer knows its own job. Give the backend the id of the job, and ask what happened.',
  backend_job_expired:
    'The backend did not end the job in time (engine.max_age). Give the backend the id of the job, and ask.',
  video_url_missing:
    'The backend reports it as completed, but gives no file. Give the backend the id of the job, and ask.',
  create_outcome_unknown:
    'The answer to the create was lost. An operator can check the list of the backend, and say below what happened.',
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
            ...(said.status === null ? [] : [['HTTP status', String(said.status)] as const]),
            ...(said.block_code === null ? [] : [['Blocked because of', said.block_code] as const]),
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

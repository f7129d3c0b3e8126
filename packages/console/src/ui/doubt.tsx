import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../api.ts'
import { Badge, toast } from './states.tsx'
import { Button, Id } from './button.tsx'
import { Confirm } from './dialog.tsx'
import { Field } from './field.tsx'
import { Facts } from './header.tsx'
import { Time } from './time.tsx'

export type AdminVideo = Schema<'AdminVideo'>
export type DoubtOf = NonNullable<AdminVideo['doubt']>

type InDoubt = Pick<AdminVideo, 'id' | 'backend' | 'backend_job_id' | 'replaced_by' | 'dispatched_at'> & {
  doubt: DoubtOf
}

const resolve = (id: string, body: Schema<'ResolveVideo'>): Promise<AdminVideo> =>
  ask(api.POST('/unified/v1/admin/videos/{id}/resolve', { params: { path: { id } }, body }))

interface AnswerProps {
  video: InDoubt
  onDone: (video: AdminVideo) => void
  onClose: () => void
}

const OfJob = ({ video, job, onDone, onClose }: AnswerProps & { job: string }) => {
  const [typed, setTyped] = useState(job)
  const act = async (): Promise<void> => {
    onDone(await resolve(video.id, { job_id: typed.trim() }))
    toast('The job now belongs to the video')
  }
  return (
    <Confirm title="Adopt a job" confirm="Adopt the job" act={act} onClose={onClose}>
      <p>
        The gateway asks {video.backend} for the job and continues with it. A job belongs to only one video
        {video.doubt.open ? '.' : ': this video stays failed, and a new video of its client gets the job.'}
      </p>
      <Field label="Id of the job at the backend" hint="As the backend's own list or dashboard shows it">
        {(id, describedBy) => (
          <input
            id={id}
            aria-describedby={describedBy}
            value={typed}
            required
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        )}
      </Field>
    </Confirm>
  )
}

const OfNone = ({ video, onDone, onClose }: AnswerProps) => {
  const { open, attempt } = video.doubt
  const act = async (): Promise<void> => {
    onDone(await resolve(video.id, { absent: true, attempt }))
    toast(open ? 'The create is sent again' : 'Recorded: there was no job')
  }
  return (
    <Confirm
      title="No job was made"
      confirm={open ? 'Send the create again' : 'No job was made'}
      isDanger={open}
      act={act}
      onClose={onClose}
    >
      {open ? (
        <p>
          The gateway sends the create again (attempt {attempt + 1}). If {video.backend} did make a job for attempt{' '}
          {attempt}, the client pays for two videos. Check the backend's own list first.
        </p>
      ) : (
        <p>The gateway sends nothing again. The video stays failed, and leaves the list of doubts.</p>
      )}
    </Confirm>
  )
}

const STATES = { pending: 'is being read', read: 'was read', duplicate: 'is a second job of this video' } as const

/** What is known so far, in words. */
const Evidence = ({ doubt: { since, attempt, evidence, resolved_at: resolvedAt } }: { doubt: DoubtOf }) => (
  <Facts
    rows={[
      ['In doubt since', <Time key="t" at={since} />],
      ['Attempt', String(attempt)],
      ...(evidence.resends > 0 ? [['Sent again', `${evidence.resends} times`] as const] : []),
      [
        "Backend's list",
        evidence.walks.length === 0 ? (
          'not read: it would prove nothing here'
        ) : (
          <ul class="plain">
            {evidence.walks.map(({ at, jobs }) => (
              <li key={at}>
                <Time at={at} />:{' '}
                {jobs === null ? 'could not be read completely' : `${jobs} jobs, none proven to be it`}
              </li>
            ))}
          </ul>
        ),
      ],
      [
        'Callbacks',
        evidence.named.length === 0 ? (
          'named no job'
        ) : (
          <ul class="plain">
            {evidence.named.map(({ job_id: job, state }) => (
              <li key={job}>
                <Id of={job} label="job id" /> {STATES[state]}
              </li>
            ))}
          </ul>
        ),
      ],
      ...(resolvedAt === null ? [] : [['An operator said: none', <Time key="r" at={resolvedAt} />] as const]),
    ]}
  />
)

const Candidates = ({ jobs, choose }: { jobs: readonly string[]; choose: (job: string) => void }) => (
  <ul class="plain stack">
    {jobs.map((job) => (
      <li key={job}>
        <Id of={job} label="job id" /> <Button onClick={() => choose(job)}>Adopt this job</Button>
      </li>
    ))}
  </ul>
)

/** A create whose outcome is not known: what is known, and the operator's two answers. */
export const Doubt = ({ video, onDone }: { video: InDoubt; onDone: (video: AdminVideo) => void }) => {
  const [asked, setAsked] = useState<{ job: string } | 'none' | null>(null)
  const { doubt } = video
  const answer = { video, onDone, onClose: () => setAsked(null) }
  const isAnswered = video.replaced_by !== null
  return (
    <div class="stack">
      <p>
        <Badge tone={doubt.open ? 'warn' : 'bad'}>{doubt.open ? 'searching' : 'given up'}</Badge>{' '}
        {doubt.open
          ? `The create was sent, and nobody knows whether ${video.backend} made a job. The gateway still searches.`
          : `The gateway could not find out whether ${video.backend} made a job.`}
      </p>
      <Evidence doubt={doubt} />
      {doubt.candidates.length > 0 && (
        <>
          <p>Jobs of the backend that it may have made:</p>
          <Candidates jobs={doubt.candidates} choose={(job) => setAsked({ job })} />
        </>
      )}
      {isAnswered ? (
        <p>
          Its job now belongs to <Id of={video.replaced_by ?? ''} href={`/console/videos/${video.replaced_by ?? ''}`} />
        </p>
      ) : (
        <div class="actions">
          <Button onClick={() => setAsked({ job: '' })}>Adopt a job…</Button>
          <Button kind={doubt.open ? 'danger' : 'plain'} onClick={() => setAsked('none')}>
            {doubt.open ? 'No job was made: send it again' : 'No job was made'}
          </Button>
        </div>
      )}
      {asked === 'none' && <OfNone {...answer} />}
      {asked !== null && asked !== 'none' && <OfJob {...answer} job={asked.job} />}
    </div>
  )
}

import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../api.ts'
import { Badge } from './states.tsx'
import { Button, Id } from './button.tsx'
import { Confirm } from './dialog.tsx'
import { Input, NoteInput, noteOf } from './field.tsx'
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
  const [note, setNote] = useState('')
  const act = async (): Promise<void> => onDone(await resolve(video.id, { job_id: typed.trim(), ...noteOf(note) }))
  const said = 'The job now belongs to the video'
  return (
    <Confirm title="Adopt a job" confirm="Adopt the job" act={act} said={said} onClose={onClose}>
      <p>
        The gateway asks {video.backend} for the job and continues with it. A job belongs to only one video
        {video.doubt.open ? '.' : ': this video stays failed, and a new video of its client gets the job.'}
      </p>
      <Input
        label="Id of the job at the backend"
        hint="As the backend's own list or dashboard shows it"
        required
        value={typed}
        set={setTyped}
      />
      <NoteInput value={note} set={setNote} />
    </Confirm>
  )
}

const OfNone = ({ video, onDone, onClose }: AnswerProps) => {
  const { open, attempt } = video.doubt
  const [note, setNote] = useState('')
  const act = async (): Promise<void> => onDone(await resolve(video.id, { absent: true, attempt, ...noteOf(note) }))
  const said = open ? 'The create is sent again' : 'Recorded: there was no job'
  const confirm = open ? 'Send the create again' : 'No job was made'
  return (
    <Confirm title="No job was made" confirm={confirm} isDanger={open} act={act} said={said} onClose={onClose}>
      {open ? (
        <p>
          The gateway sends the create again (attempt {attempt + 1}). If {video.backend} did make a job for attempt{' '}
          {attempt}, the client pays for two videos. Check the backend's own list first.
        </p>
      ) : (
        <p>The gateway sends nothing again. The video stays failed, and leaves the list of doubts.</p>
      )}
      <NoteInput value={note} set={setNote} />
    </Confirm>
  )
}

const STATES = { pending: 'is being read', read: 'was read', duplicate: 'is a second job of this video' } as const

/** What is known so far, in words. */
const Evidence = ({ doubt: { since, attempt, evidence, resolved_at: resolvedAt } }: { doubt: DoubtOf }) => {
  const walks = evidence.walks.map(({ at, jobs }) => (
    <div key={at}>
      <Time at={at} />: {jobs === null ? 'could not be read completely' : `${jobs} jobs, none proven to be it`}
    </div>
  ))
  const named = evidence.named.map(({ job_id: job, state }) => (
    <div key={job}>
      <Id of={job} label="job id" /> {STATES[state]}
    </div>
  ))
  return (
    <Facts
      rows={[
        ['In doubt since', <Time at={since} />],
        ['Attempt', attempt],
        evidence.resends > 0 && ['Sent again', `${evidence.resends} times`],
        ["Backend's list", walks.length === 0 ? 'not read: it would prove nothing here' : walks],
        ['Callbacks', named.length === 0 ? 'named no job' : named],
        resolvedAt !== null && ['An operator said: none', <Time at={resolvedAt} />],
      ]}
    />
  )
}

/** A create whose outcome is not known: what is known, and the operator's two answers. */
export const Doubt = ({ video, onDone }: { video: InDoubt; onDone: (video: AdminVideo) => void }) => {
  const [asked, setAsked] = useState<{ job: string } | 'none' | null>(null)
  const { doubt, backend, replaced_by: other } = video
  const answer = { video, onDone, onClose: () => setAsked(null) }
  return (
    <div class="stack">
      <p>
        <Badge tone={doubt.open ? 'warn' : 'bad'}>{doubt.open ? 'searching' : 'given up'}</Badge>{' '}
        {doubt.open
          ? `The create was sent, and nobody knows whether ${backend} made a job. The gateway still searches.`
          : `The gateway could not find out whether ${backend} made a job.`}
      </p>
      <Evidence doubt={doubt} />
      {doubt.candidates.length > 0 && <p>Jobs of the backend that it may have made:</p>}
      {doubt.candidates.map((job) => (
        <div key={job} class="row">
          <Id of={job} label="job id" /> <Button onClick={() => setAsked({ job })}>Adopt this job</Button>
        </div>
      ))}
      {other === null ? (
        <div class="actions">
          <Button onClick={() => setAsked({ job: '' })}>Adopt a job…</Button>
          <Button kind={doubt.open ? 'danger' : 'plain'} onClick={() => setAsked('none')}>
            {doubt.open ? 'No job was made: send it again' : 'No job was made'}
          </Button>
        </div>
      ) : (
        <p>
          Its job now belongs to <Id of={other} href={`/console/videos/${other}`} />
        </p>
      )}
      {asked === 'none' && <OfNone {...answer} />}
      {asked !== null && asked !== 'none' && <OfJob {...answer} job={asked.job} />}
    </div>
  )
}

import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { api, ask, createBody, pathFor } from '../../api.ts'
import { useAction } from '../../reads.ts'
import { may, type Session, useSession } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { redeliver } from '../../ui/deliveries.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Failure, toast } from '../../ui/states.tsx'
import { isOver, readDeliveries, type Shown } from './use-video.ts'

export const cancel = (id: string, { isAdmin }: Session): Promise<Shown> =>
  ask(api.POST(pathFor(isAdmin, 'videos/{id}/cancel'), { params: { path: { id } } }))

/** All of its events that were sent to anybody. Answers how many deliveries that made. */
export const sendEventsAgain = async (video: string, session: Session): Promise<number> => {
  const { data } = await readDeliveries(video, session)
  const events = [...new Set(data.toReversed().map(({ event_id: id }) => id))]
  let sent = 0
  for (const event of events) sent += (await redeliver(event, session.isAdmin)).deliveries.length
  return sent
}

/** Once it has ended: its events to all who want them, under the same ids. */
export const SendEvents = ({ video, onDone }: { video: Shown; onDone: () => void }) => {
  const session = useSession()
  const { run, isRunning, error } = useAction(async () => {
    const sent = await sendEventsAgain(video.id, session)
    toast(
      sent === 0
        ? 'No event of it was sent to anybody yet'
        : `${sent === 1 ? '1 event is' : `${sent} events are`} on the way`,
    )
    onDone()
  })
  if (!isOver(video) || !(session.isAdmin || may(session, 'webhooks:write'))) return null
  return (
    <>
      <Button isBusy={isRunning} onClick={() => void run()}>
        Send events again
      </Button>
      {error && <Failure error={error} />}
    </>
  )
}

/** Sends the same create again, or opens it in the playground. */
export const MakeAgain = ({ video }: { video: Shown }) => {
  const session = useSession()
  const { client } = session
  const { route } = useLocation()
  const [isAsked, setAsked] = useState(false)
  const body = createBody(video)
  if (!body || !isOver(video) || !may(session, 'videos:create')) return null
  return (
    <>
      <Button kind={video.status === 'failed' ? 'primary' : 'plain'} onClick={() => setAsked(true)}>
        Make it again
      </Button>
      {isAsked && (
        <Confirm
          title="Make this video again?"
          confirm="Make it again"
          onClose={() => setAsked(false)}
          act={async () => {
            const made = await ask(api.POST('/unified/v1/videos', { body }))
            toast('The new video is on its way')
            route(`/console/videos/${made.id}`)
          }}
        >
          <p>
            The gateway makes a new video of the same request
            {video.client !== undefined && video.client !== client && (
              <>
                {' '}
                for your own client, <strong>{client}</strong>, and not for {video.client}
              </>
            )}
            . It costs credits of the backend.
          </p>
          <p>
            Or <a href={`/console/playground?from=${encodeURIComponent(video.id)}`}>change the request first</a>, in the
            playground.
          </p>
        </Confirm>
      )}
    </>
  )
}

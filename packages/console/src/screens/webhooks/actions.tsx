import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { api, ApiError, ask, type Schema } from '../../api.ts'
import { useAction } from '../../reads.ts'
import { useSession } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm, Rotate, SecretDialog } from '../../ui/dialog.tsx'
import { NoteInput, noteOf, Select } from '../../ui/field.tsx'
import { Failure, toast } from '../../ui/states.tsx'
import { absolute, Instant } from '../../ui/time.tsx'
import { doSoon, useIsWaiting } from '../../ui/undo.tsx'
import { EndpointForm, type EndpointDetail, nameOf, type Role } from './parts.tsx'

const HOUR_MS = 3_600_000
const OWN = 'own'
const RANGES = [
  [String(HOUR_MS), 'The last hour'],
  [String(24 * HOUR_MS), 'The last 24 hours'],
  [String(7 * 24 * HOUR_MS), 'The last 7 days'],
  [OWN, 'Another time'],
] as const

interface ReplayProps {
  id: string
  isOperator: boolean
  /** From when on, where that is known. */
  from?: string
  onAsked: () => void
  onClose: () => void
}

/** Sends what happened since a time again. An operator: only what failed, up to now. */
export const Replay = ({ id, isOperator, from = '', onAsked, onClose }: ReplayProps) => {
  const [range, setRange] = useState<string>(from === '' ? RANGES[0][0] : OWN)
  const [own, setOwn] = useState(from)
  const [until, setUntil] = useState('')
  const [onlyFailed, setOnlyFailed] = useState(true)
  const [note, setNote] = useState('')
  const act = async (): Promise<void> => {
    const now = Date.now()
    const since = range === OWN ? own : new Date(now - Number(range)).toISOString()
    const params = { path: { id } }
    const body = {
      since,
      until: range === OWN && until !== '' ? until : new Date(now + HOUR_MS).toISOString(),
      only_failed: onlyFailed,
    }
    const { events } = await ask(
      isOperator
        ? api.POST('/unified/v1/admin/endpoints/{id}/replay', { params, body: { since, ...noteOf(note) } })
        : api.POST('/unified/v1/webhook_endpoints/{id}/replay', { params, body }),
    )
    if (events === 0) throw new ApiError('There is no such event in this time. Nothing is sent.', { code: 'no_events' })
    toast(`${events.toLocaleString('en')} events will be sent`)
    onAsked()
  }
  return (
    <Confirm title="Replay events to this endpoint" confirm="Replay" act={act} onClose={onClose}>
      <p>
        The gateway sends each event{isOperator && ' that it gave up'} again, under its own id, in the order in which
        they happened. At most 10,000 at a time.
      </p>
      <Select label="Events since" value={range} options={RANGES} onChange={setRange} />
      {range === OWN && <Instant label="Since" value={own} onChange={setOwn} required />}
      {range === OWN && !isOperator && <Instant label="Until (empty: now)" value={until} onChange={setUntil} />}
      {isOperator ? (
        <NoteInput value={note} set={setNote} />
      ) : (
        <label>
          <input
            type="checkbox"
            checked={onlyFailed}
            onChange={(event) => setOnlyFailed(event.currentTarget.checked)}
          />{' '}
          Only events that the gateway gave up
        </label>
      )}
    </Confirm>
  )
}

const HOLDS =
  'The gateway sends it nothing. It holds the events of ended videos, at most 10,000, until somebody enables the endpoint.'
const DEEDS = {
  disable: ['Disable', 'Disable endpoint', HOLDS],
  enable: ['Enable', 'Enable endpoint', 'The gateway sends what it holds for it, ten a second.'],
  test: ['Send a test to', 'Send a test', 'The gateway sends one event now, which is about no video.'],
} as const

type Deed = keyof typeof DEEDS

interface OperateProps {
  deed: Deed
  name: string
  act: (note: string) => Promise<unknown>
  onClose: () => void
}

/** What an operator does to the endpoint of a client, and why. */
const Operate = ({ deed, name, act, onClose }: OperateProps) => {
  const [verb, confirm, text] = DEEDS[deed]
  const [note, setNote] = useState('')
  return (
    <Confirm title={`${verb} ${name}?`} confirm={confirm} act={() => act(note)} onClose={onClose}>
      <p>{text}</p>
      <NoteInput value={note} set={setNote} />
    </Confirm>
  )
}

interface EndpointActionsProps {
  endpoint: EndpointDetail
  role: Exclude<Role, null>
  onChanged: () => void
  onTested: (result: Schema<'WebhookTest'>) => void
}

type Open = Deed | 'edit' | 'rotate' | 'replay' | 'delete' | null

export const EndpointActions = ({ endpoint, role, onChanged, onTested }: EndpointActionsProps) => {
  const { route } = useLocation()
  const { isAdmin } = useSession()
  const [open, setOpen] = useState<Open>(null)
  const [made, setMade] = useState<Schema<'WebhookEndpointWithSecret'> | null>(null)
  const onClose = (): void => setOpen(null)
  const { id, url, description, events, enabled } = endpoint
  const [name, params, isOperator] = [nameOf(endpoint), { path: { id } }, role === 'operator']
  const change = (body: Schema<'UpdateWebhookEndpoint'>): Promise<void> =>
    ask(api.PATCH('/unified/v1/webhook_endpoints/{id}', { params, body })).then(onChanged)
  const acts: Record<Deed, (note: string) => Promise<void>> = {
    async disable(note) {
      const act = (): Promise<void> =>
        isOperator
          ? ask(api.POST('/unified/v1/admin/endpoints/{id}/disable', { params, body: noteOf(note) })).then(onChanged)
          : change({ enabled: false })
      doSoon({ key: `disable ${id}`, text: `Disable ${name}: its events are held`, act })
    },
    enable: (note) =>
      // Only an operator undoes what one did.
      isOperator || (isAdmin && endpoint.disabled_reason === 'operator')
        ? ask(api.POST('/unified/v1/admin/endpoints/{id}/enable', { params, body: noteOf(note) })).then(onChanged)
        : change({ enabled: true }),
    test: (note) =>
      ask(
        isOperator
          ? api.POST('/unified/v1/admin/endpoints/{id}/test', { params, body: noteOf(note) })
          : api.POST('/unified/v1/webhook_endpoints/{id}/test', { params }),
      ).then(onTested),
  }
  const { run, isRunning, error } = useAction((deed: Deed) => acts[deed](''))
  const isWaiting = useIsWaiting(`disable ${id}`)
  const press = (deed: Deed): void => (isOperator ? setOpen(deed) : void run(deed))
  return (
    <>
      <Button kind="primary" isBusy={isRunning} onClick={() => press('test')}>
        Send a test
      </Button>
      {!isOperator && <Button onClick={() => setOpen('edit')}>Edit</Button>}
      <Button isBusy={isWaiting} onClick={() => press(enabled ? 'disable' : 'enable')}>
        {enabled ? 'Disable' : 'Enable'}
      </Button>
      {!isOperator && <Button onClick={() => setOpen('rotate')}>Rotate secret</Button>}
      {enabled && <Button onClick={() => setOpen('replay')}>Replay</Button>}
      {!isOperator && (
        <Button kind="danger" onClick={() => setOpen('delete')}>
          Delete
        </Button>
      )}
      {error && <Failure error={error} />}
      {(open === 'disable' || open === 'enable' || open === 'test') && (
        <Operate deed={open} name={name} act={acts[open]} onClose={onClose} />
      )}
      {open === 'edit' && (
        <EndpointForm
          title="Edit the endpoint"
          start={{ url, description, events }}
          submit="Save"
          onClose={onClose}
          act={(draft) => change(draft).then(onClose)}
        />
      )}
      {open === 'rotate' && (
        <Rotate
          title="Rotate the secret"
          confirm="Rotate"
          label="secret"
          act={async (seconds) => {
            const body = { expire_old_in_seconds: seconds }
            setMade(await ask(api.POST('/unified/v1/webhook_endpoints/{id}/rotate_secret', { params, body })))
            onChanged()
          }}
          onClose={onClose}
        >
          <p>
            A new secret signs events from now on. The old one also signs for a while, so that you can change your
            receiver.
          </p>
        </Rotate>
      )}
      {open === null && made && (
        <SecretDialog
          title="The new secret"
          secret={made.secret}
          label="the signing secret"
          use={
            made.old_secret_expires_at === null
              ? 'The old secret no longer signs: put this one into your receiver now.'
              : `Until ${absolute(made.old_secret_expires_at)} the old secret also signs events.`
          }
          onClose={() => setMade(null)}
        />
      )}
      {open === 'replay' && <Replay id={id} isOperator={isOperator} onAsked={onChanged} onClose={onClose} />}
      {open === 'delete' && (
        <Confirm
          title={`Delete ${name}?`}
          confirm="Delete endpoint"
          isDanger
          act={async () => {
            await ask(api.DELETE('/unified/v1/webhook_endpoints/{id}', { params }))
            toast('The endpoint is deleted')
            route('/console/webhooks')
          }}
          onClose={onClose}
        >
          <p>
            The gateway sends nothing more to <strong>{url}</strong>. Deliveries that still wait for it fail. You cannot
            undo this.
          </p>
        </Confirm>
      )}
    </>
  )
}

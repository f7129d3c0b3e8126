import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { api, ask, type Schema } from '../../api.ts'
import { useAction } from '../../use-read.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.tsx'
import { EndpointForm } from './form.tsx'
import type { EndpointDetail } from './model.ts'
import { nameOf } from './model.ts'
import { Replay } from './replay.tsx'
import { Rotate } from './rotate.tsx'

interface EndpointActionsProps {
  endpoint: EndpointDetail
  onChanged: () => void
  onTested: (result: Schema<'WebhookTest'>) => void
}

type Open = 'edit' | 'disable' | 'rotate' | 'replay' | 'delete' | null

const Dialogs = ({ endpoint, open, onChanged, onClose }: EndpointDialogs) => {
  const { route } = useLocation()
  const { id, url, description, events } = endpoint
  const path = { params: { path: { id } } }
  const patch = async (body: Schema<'UpdateWebhookEndpoint'>): Promise<void> => {
    await ask(api.PATCH('/unified/v1/webhook_endpoints/{id}', { ...path, body }))
    onChanged()
  }
  if (open === 'edit') {
    return (
      <Dialog title="Edit the endpoint" onClose={onClose}>
        <EndpointForm
          start={{ url, description, events }}
          submit="Save"
          onCancel={onClose}
          act={async (draft) => {
            await patch(draft)
            onClose()
          }}
        />
      </Dialog>
    )
  }
  if (open === 'disable') {
    return (
      <Confirm
        title={`Disable ${nameOf(endpoint)}?`}
        confirm="Disable endpoint"
        act={() => patch({ enabled: false })}
        onClose={onClose}
      >
        <p>
          The gateway sends it nothing. It holds the events of ended videos, at most 10,000, until you enable the
          endpoint.
        </p>
      </Confirm>
    )
  }
  if (open === 'delete') {
    return (
      <Confirm
        title={`Delete ${nameOf(endpoint)}?`}
        confirm="Delete endpoint"
        isDanger
        act={async () => {
          await ask(api.DELETE('/unified/v1/webhook_endpoints/{id}', path))
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
    )
  }
  if (open === 'rotate') return <Rotate id={id} onRotated={onChanged} onClose={onClose} />
  if (open === 'replay') return <Replay id={id} onAsked={onChanged} onClose={onClose} />
  return null
}

interface EndpointDialogs {
  endpoint: EndpointDetail
  open: Open
  onChanged: () => void
  onClose: () => void
}

export const EndpointActions = ({ endpoint, onChanged, onTested }: EndpointActionsProps) => {
  const [open, setOpen] = useState<Open>(null)
  const params = { path: { id: endpoint.id } }
  const test = useAction(async () => {
    onTested(await ask(api.POST('/unified/v1/webhook_endpoints/{id}/test', { params })))
  })
  const enable = useAction(async () => {
    await ask(api.PATCH('/unified/v1/webhook_endpoints/{id}', { params, body: { enabled: true } }))
    onChanged()
  })
  const failed = test.error ?? enable.error
  return (
    <>
      <Button kind="primary" isBusy={test.isRunning} onClick={() => void test.run()}>
        Send a test
      </Button>
      <Button onClick={() => setOpen('edit')}>Edit</Button>
      {endpoint.enabled ? (
        <Button onClick={() => setOpen('disable')}>Disable</Button>
      ) : (
        <Button isBusy={enable.isRunning} onClick={() => void enable.run()}>
          Enable
        </Button>
      )}
      <Button onClick={() => setOpen('rotate')}>Rotate secret</Button>
      {endpoint.enabled && <Button onClick={() => setOpen('replay')}>Replay</Button>}
      <Button kind="danger" onClick={() => setOpen('delete')}>
        Delete
      </Button>
      {failed && <Failure error={failed} />}
      <Dialogs endpoint={endpoint} open={open} onChanged={onChanged} onClose={() => setOpen(null)} />
    </>
  )
}

import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SecretOnce } from '../../ui/secret.tsx'
import { EndpointForm } from './form.tsx'
import { USUAL_EVENTS } from './model.ts'

interface CreateEndpointProps {
  onCreated: () => void
  /** The secret was seen. */
  onDone: (id: string) => void
  onClose: () => void
}

export const CreateEndpoint = ({ onCreated, onDone, onClose }: CreateEndpointProps) => {
  const [made, setMade] = useState<Schema<'WebhookEndpointWithSecret'> | null>(null)
  if (made) {
    return (
      <Dialog key="made" title="The endpoint is ready" onClose={onClose}>
        <SecretOnce
          secret={made.secret}
          label="the signing secret"
          use="Your receiver checks signatures with it. If you lose it, rotate it."
        />
        <div class="actions">
          <Button
            kind="primary"
            onClick={() => {
              onClose()
              onDone(made.id)
            }}
          >
            I have copied it
          </Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog key="form" title="Add an endpoint" onClose={onClose}>
      <EndpointForm
        start={{ url: '', description: null, events: [...USUAL_EVENTS] }}
        submit="Add endpoint"
        onCancel={onClose}
        act={async (body) => {
          setMade(await ask(api.POST('/unified/v1/webhook_endpoints', { body })))
          onCreated()
        }}
      />
    </Dialog>
  )
}

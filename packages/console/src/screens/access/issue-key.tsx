import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../api.ts'
import { may, useSession } from '../../session.ts'
import { useAction, useRead } from '../../use-read.ts'
import { Button } from '../../ui/button.tsx'
import { Checks } from '../../ui/checks.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { SecretOnce } from '../../ui/secret.tsx'
import { Failure } from '../../ui/states.tsx'
import { expiryOf, LIFETIMES, SCOPES, USUAL_SCOPES, type Scope } from './model.ts'

const MOST_CLIENTS = 100

interface IssueKeyProps {
  /** Whose keys are looked at. */
  client: string
  onIssued: () => void
  onClose: () => void
}

/** A name that is typed, with the clients that there are as suggestions: there may be more than a list can show. */
const ClientField = ({ value, set }: { value: string; set: (value: string) => void }) => {
  const { data } = useRead('clients to choose', () =>
    ask(api.GET('/unified/v1/admin/clients', { params: { query: { limit: MOST_CLIENTS } } })),
  )
  return (
    <Field label="Client" hint="The client that gets the key: from the configuration, or created here.">
      {(id, described) => (
        <>
          <input
            id={id}
            aria-describedby={described}
            list={`${id}-known`}
            required
            autocomplete="off"
            value={value}
            onInput={(event) => set(event.currentTarget.value)}
          />
          <datalist id={`${id}-known`}>
            {data?.data.map(({ id: known }) => (
              <option key={known} value={known} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}

const Form = ({ client: start, onMade, onClose }: FormProps) => {
  const session = useSession()
  const [client, setClient] = useState(start)
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<Scope[]>([...USUAL_SCOPES].filter((scope) => may(session, scope)))
  const [days, setDays] = useState('')
  const { run, isRunning, error } = useAction(async () => {
    const body = { client, name: name || null, scopes, expires_at: expiryOf(days) }
    onMade(await ask(api.POST('/unified/v1/admin/keys', { body })))
  })
  const needs = scopes.length === 0 ? 'Choose at least one.' : null
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (needs === null) void run()
      }}
    >
      <ClientField value={client} set={setClient} />
      <Field label="Name" hint="What the key is for, such as: checkout service.">
        {(id, described) => (
          <input
            id={id}
            aria-describedby={described}
            maxLength={100}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <Checks
        legend="What it may do"
        // Nobody gives out what their own key lacks.
        options={SCOPES.filter(([scope]) => may(session, scope))}
        chosen={scopes}
        onChange={setScopes}
        error={needs}
      />
      <Select label="Expires" value={days} options={LIFETIMES} onChange={setDays} />
      {error && <Failure error={error} />}
      <div class="actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={isRunning}>
          Issue key
        </Button>
      </div>
    </form>
  )
}

interface FormProps {
  client: string
  onMade: (made: Schema<'KeyWithSecret'>) => void
  onClose: () => void
}

export const IssueKey = ({ client, onIssued, onClose }: IssueKeyProps) => {
  const [made, setMade] = useState<Schema<'KeyWithSecret'> | null>(null)
  if (made)
    return (
      <NewKey of={made} use="Give it to the people who run the app. If you lose it, rotate it." onClose={onClose} />
    )
  return (
    <Dialog key="form" title="Issue a key" onClose={onClose}>
      <Form
        client={client}
        onMade={(key) => {
          setMade(key)
          onIssued()
        }}
        onClose={onClose}
      />
    </Dialog>
  )
}

/** The key itself, this once. */
export const NewKey = ({ of, use, onClose }: { of: Schema<'KeyWithSecret'>; use: string; onClose: () => void }) => (
  <Dialog key="made" title={`The key of ${of.client}`} onClose={onClose}>
    <SecretOnce secret={of.key} label="the key" use={use} />
    <div class="actions">
      <Button kind="primary" onClick={onClose}>
        I have copied it
      </Button>
    </div>
  </Dialog>
)

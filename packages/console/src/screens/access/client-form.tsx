import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../api.ts'
import { useAction } from '../../use-read.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Failure } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.tsx'
import type { Client } from './model.ts'

interface Draft {
  description: string
  backends: string
  limits: Record<LimitName, string>
}
type LimitName = keyof Client['limits']

/** [name, label, hint, whether an empty field is "no limit"] */
const LIMITS = [
  ['requests_per_minute', 'Requests a minute', 'To the gateway.', false],
  ['videos_per_month', 'Videos a month', 'Empty: no limit.', true],
  ['credits_per_month', 'Credits a month', 'Empty: no limit.', true],
  ['queued_videos', 'Waiting videos', 'How many may wait in the gateway at the same time.', false],
  ['streams', 'Streams', 'How many may be open at the same time.', false],
] as const satisfies readonly (readonly [LimitName, string, string, boolean])[]

const DEFAULTS: Client['limits'] = {
  requests_per_minute: 600,
  videos_per_month: null,
  credits_per_month: null,
  queued_videos: 100,
  streams: 20,
}

const draftOf = ({ description, backends, limits }: Pick<Client, 'description' | 'backends' | 'limits'>): Draft => ({
  description: description ?? '',
  backends: backends?.join(', ') ?? '',
  limits: Object.fromEntries(LIMITS.map(([name]) => [name, String(limits[name] ?? '')])) as Draft['limits'],
})

const numberOr = <T,>(text: string, none: T): number | T => (text === '' ? none : Number(text))

const bodyOf = ({ description, backends, limits }: Draft): Schema<'UpdateClient'> => {
  const names = backends.split(/[\s,]+/).filter(Boolean)
  return {
    description: description || null,
    backends: names.length === 0 ? null : names,
    limits: {
      requests_per_minute: numberOr(limits.requests_per_minute, DEFAULTS.requests_per_minute),
      videos_per_month: numberOr(limits.videos_per_month, null),
      credits_per_month: numberOr(limits.credits_per_month, null),
      queued_videos: numberOr(limits.queued_videos, DEFAULTS.queued_videos),
      streams: numberOr(limits.streams, DEFAULTS.streams),
    },
  }
}

const Text = ({ label, hint, value, set, ...rest }: TextProps) => (
  <Field label={label} hint={hint}>
    {(id, described) => (
      <input
        id={id}
        aria-describedby={described}
        value={value}
        {...rest}
        onInput={(event) => set(event.currentTarget.value)}
      />
    )}
  </Field>
)
interface TextProps {
  label: string
  hint: string
  value: string
  set: (value: string) => void
  required?: boolean
  maxLength?: number
  pattern?: string
  inputMode?: 'numeric'
}

interface FormProps {
  start: Draft
  isNew: boolean
  submit: string
  act: (id: string, body: Schema<'UpdateClient'>) => Promise<unknown>
  onClose: () => void
}

const Form = ({ start, isNew, submit, act, onClose }: FormProps) => {
  const [id, setId] = useState('')
  const [draft, setDraft] = useState(start)
  const { run, isRunning, error } = useAction(async () => {
    await act(id, bodyOf(draft))
    onClose()
  })
  const setLimit = (name: LimitName) => (value: string) =>
    setDraft((before) => ({ ...before, limits: { ...before.limits, [name]: value } }))
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void run()
      }}
    >
      {isNew && (
        <Text
          label="Id"
          hint="Small letters, digits, _ and -. You cannot change it later."
          value={id}
          set={setId}
          required
          maxLength={63}
          pattern="[a-z0-9][a-z0-9_\-]*"
        />
      )}
      <Text
        label="Description"
        hint="A note for people."
        value={draft.description}
        set={(description) => setDraft({ ...draft, description })}
        maxLength={500}
      />
      <Text
        label="Backends"
        hint="Names, separated by commas. Empty: all of them."
        value={draft.backends}
        set={(backends) => setDraft({ ...draft, backends })}
      />
      <div class="filters">
        {LIMITS.map(([name, label, hint, isOptional]) => (
          <Text
            key={name}
            label={label}
            hint={hint}
            value={draft.limits[name]}
            set={setLimit(name)}
            required={!isOptional}
            pattern="[0-9]+"
            inputMode="numeric"
          />
        ))}
      </div>
      {error && <Failure error={error} />}
      <div class="actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={isRunning}>
          {submit}
        </Button>
      </div>
    </form>
  )
}

export const CreateClient = ({ onDone, onClose }: { onDone: () => void; onClose: () => void }) => (
  <Dialog title="Create a client" onClose={onClose}>
    <Form
      start={draftOf({ description: null, backends: null, limits: DEFAULTS })}
      isNew
      submit="Create client"
      act={async (id, body) => {
        await ask(api.POST('/unified/v1/admin/clients', { body: { ...body, id } }))
        toast(`${id} is there. Issue a key for it.`)
        onDone()
      }}
      onClose={onClose}
    />
  </Dialog>
)

export const EditClient = ({ of, onDone, onClose }: { of: Client; onDone: () => void; onClose: () => void }) => (
  <Dialog title={`Edit ${of.id}`} onClose={onClose}>
    <Form
      start={draftOf(of)}
      isNew={false}
      submit="Save"
      act={async (_id, body) => {
        await ask(api.PATCH('/unified/v1/admin/clients/{id}', { params: { path: { id: of.id } }, body }))
        toast(`${of.id} is changed`)
        onDone()
      }}
      onClose={onClose}
    />
  </Dialog>
)

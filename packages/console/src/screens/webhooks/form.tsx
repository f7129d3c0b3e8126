import { useState } from 'preact/hooks'
import type { ApiError } from '../../api.ts'
import { useAction } from '../../use-read.ts'
import { Button } from '../../ui/button.tsx'
import { Checks } from '../../ui/checks.tsx'
import { Field } from '../../ui/field.tsx'
import { Failure } from '../../ui/states.tsx'
import { EVENT_TYPES, type EventType } from './model.ts'

export interface EndpointDraft {
  url: string
  description: string | null
  events: EventType[]
}

interface EndpointFormProps {
  start: EndpointDraft
  /** What the button says. */
  submit: string
  act: (draft: EndpointDraft) => Promise<unknown>
  onCancel: () => void
}

/** Said beside its field where it is about one, else below. */
const errorAt = (error: ApiError | null, param: string): string | null =>
  error && error.param?.split('.')[0] === param ? error.message : null

export const EndpointForm = ({ start, submit, act, onCancel }: EndpointFormProps) => {
  const [draft, setDraft] = useState(start)
  const { run, isRunning, error } = useAction(act)
  const [urlError, eventsError, textError] = ['url', 'events', 'description'].map((name) => errorAt(error, name))
  const needsEvents = draft.events.length === 0 ? 'Choose at least one.' : null
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (needsEvents === null) void run(draft)
      }}
    >
      <Field label="URL" hint="The https URL that receives events." error={urlError ?? null}>
        {(id, described) => (
          <input
            id={id}
            aria-describedby={described}
            type="url"
            required
            placeholder="https://app.example/hooks/talkbridge"
            value={draft.url}
            onInput={(event) => setDraft({ ...draft, url: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label="Description" hint="A note for people." error={textError ?? null}>
        {(id, described) => (
          <input
            id={id}
            aria-describedby={described}
            maxLength={500}
            value={draft.description ?? ''}
            onInput={(event) => setDraft({ ...draft, description: event.currentTarget.value || null })}
          />
        )}
      </Field>
      <Checks
        legend="Events"
        options={EVENT_TYPES}
        chosen={draft.events}
        onChange={(events) => setDraft({ ...draft, events })}
        error={needsEvents ?? eventsError ?? null}
      />
      {error && !urlError && !eventsError && !textError && <Failure error={error} />}
      <div class="actions">
        <Button onClick={onCancel}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={isRunning}>
          {submit}
        </Button>
      </div>
    </form>
  )
}

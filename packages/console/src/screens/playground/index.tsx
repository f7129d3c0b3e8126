import { useEffect, useState } from 'preact/hooks'
import { api, ask } from '../../api.ts'
import { createCommand } from '../../curl.ts'
import { useFilters } from '../../use-filters.ts'
import { useRead } from '../../use-read.ts'
import { Button } from '../../ui/button.tsx'
import { Copy } from '../../ui/copy.tsx'
import { Select } from '../../ui/field.tsx'
import { Card, Header } from '../../ui/header.tsx'
import { Empty, Failure, Note, Skeleton } from '../../ui/states.tsx'
import { OptionFields, PortraitFields, SourceFields, VoiceFields, type FieldsProps } from './fields.tsx'
import { bodyOf, fromQuery, missing, toQuery, type Form } from './form.ts'
import { Result } from './result.tsx'
import { useCheck, type Checked } from './use-check.ts'
import { useCreate, type Create } from './use-create.ts'
import { refusalOf, verdictOf, type Verdict } from './verdict.ts'
import './playground.css'

const readBackends = () => ask(api.GET('/unified/v1/backends'))

/** The form, and what of it the URL keeps. */
const useForm = () => {
  const { filters, set } = useFilters()
  const [form, setForm] = useState<Form>(() => fromQuery(filters))
  const change = (changes: Partial<Form>): void => setForm((before) => ({ ...before, ...changes }))
  const query = toQuery(form)
  const key = JSON.stringify(query)
  useEffect(() => {
    if (Object.entries(query).some(([name, value]) => (filters[name] ?? '') !== value)) set(query)
  }, [key])
  return { form, change }
}

const Verdicts = ({ checked, verdict }: { checked: Checked; verdict: Verdict | null }) => {
  if (checked.error) return <Failure error={checked.error} />
  if (!verdict) return <p class="muted">{checked.isChecking ? 'Checking…' : ''}</p>
  return (
    <Note kind={verdict.tone === 'bad' ? 'warn' : verdict.tone}>
      <strong>{verdict.title}</strong>
      <ul class="play-lines">
        {verdict.lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Note>
  )
}

interface SendProps {
  lack: ReturnType<typeof missing>
  checked: Checked
  verdict: Verdict | null
  create: Create
}

const Send = ({ lack, checked, verdict, create }: SendProps) => (
  <Card title="Check">
    <div role="status" aria-live="polite" class="stack">
      {lack ? <p>{lack.message}</p> : <Verdicts checked={checked} verdict={verdict} />}
    </div>
    {create.action.error && <Failure error={create.action.error} />}
    {/* Two buttons with keys: one that turned into the other under a click would send the form. */}
    {create.isMade ? (
      // The second click of a double click was meant for the button that was there before.
      <Button key="again" onClick={({ detail }) => void (detail < 2 && create.again())}>
        Make another video from this form
      </Button>
    ) : (
      <Button key="create" kind="primary" type="submit" isBusy={create.action.isRunning}>
        {create.action.error ? 'Try again' : 'Create the video'}
      </Button>
    )}
    <p class="muted small">The check costs nothing. A create costs credits of the backend.</p>
  </Card>
)

/** Wrong at once, and not only when somebody wants the video: what is in them was typed. */
const TYPED: readonly (keyof Form)[] = ['metadata', 'expressiveness']

const Playground = ({ backends }: Pick<FieldsProps, 'backends'>) => {
  const { form, change } = useForm()
  const body = bodyOf(form)
  const lack = missing(form)
  const checked = useCheck(lack ? null : body)
  const create = useCreate(body)
  const [isWanted, setWanted] = useState(false)
  const verdict = checked.check && verdictOf(checked.check, form.backend)
  const told = {
    errors: {
      ...(lack && (isWanted || TYPED.includes(lack.field)) && { [lack.field]: lack.message }),
      ...(checked.error && refusalOf(checked.error)),
      ...(create.action.error && refusalOf(create.action.error)),
      ...verdict?.errors,
    },
    hints: verdict?.hints ?? {},
  }
  const fields = { form, backends, told, change }
  const submit = (event: Event): void => {
    event.preventDefault()
    setWanted(lack !== null)
    if (!lack && !create.isMade) void create.action.run(body)
  }
  return (
    <form class="play" onSubmit={submit} noValidate>
      <div class="stack">
        <Card title="The video">
          <Select
            label="Backend"
            value={form.backend}
            options={[['', 'Let routing decide'], ...backends.map(({ name }) => [name, name] as const)]}
            onChange={(backend) => change({ backend })}
          />
          {told.errors.backend !== undefined && (
            <p class="play-broken" role="alert">
              {told.errors.backend}
            </p>
          )}
          <SourceFields {...fields} />
          <PortraitFields {...fields} />
          <VoiceFields {...fields} />
          <OptionFields {...fields} />
        </Card>
      </div>
      <div class="stack play-side">
        <Send lack={lack} checked={checked} verdict={verdict} create={create} />
        <p class="play-copy">
          Copy as curl <Copy text={createCommand(body, location.origin)} label="as curl" />
        </p>
        {create.made && <Result id={create.made.id} />}
      </div>
    </form>
  )
}

/** Try out a create: look, listen, check, and see the film. */
export function PlaygroundScreen() {
  const { data, error, isLoading, reload } = useRead('backends of the playground', readBackends)
  return (
    <>
      <Header title="Playground" />
      {isLoading && <Skeleton rows={8} what="backends" />}
      {error && !data && <Failure error={error} retry={reload} />}
      {data?.data.length === 0 && (
        <Empty title="You may use no backend">
          <p>Ask your operator to give your client a backend.</p>
        </Empty>
      )}
      {data && data.data.length > 0 && <Playground backends={data.data} />}
    </>
  )
}

import type { ComponentChildren } from 'preact'
import type { Schema } from '../../api.ts'
import { Input, Select } from '../../ui/field.tsx'
import { type Form, lacks, type Verdict } from './form.ts'
import { Puppets, Voices } from './choosers.tsx'

type Backend = Schema<'Backend'>

interface FieldsProps {
  form: Form
  backends: readonly Backend[]
  told: Pick<Verdict, 'errors' | 'hints'>
  change: (changes: Partial<Form>) => void
}

type Typed =
  'text' | 'audio_url' | 'upload_id' | 'image_url' | 'webhook_url' | 'language' | 'expressiveness' | 'metadata'

interface TextProps extends FieldsProps {
  field: Typed
  label: string
  hint?: string
  inputMode?: 'url' | 'decimal'
  placeholder?: string
  rows?: number
}

/** What is said at a field: also what the backends lack. */
const saidAt = ({ form, backends, told }: Omit<FieldsProps, 'change'>, field: keyof Form, hint?: string) => ({
  hint: [hint, lacks(field, form.backend, backends), told.hints[field]].filter(Boolean).join(' ') || undefined,
  error: told.errors[field],
})

const Text = ({ field, hint, form, backends, told, change, ...rest }: TextProps) => (
  <Input
    {...rest}
    {...saidAt({ form, backends, told }, field, hint)}
    name={field}
    value={form[field]}
    set={(value) => change({ [field]: value })}
  />
)

interface PartProps {
  legend: string
  children: ComponentChildren
}

const Part = ({ legend, children }: PartProps) => (
  <fieldset class="stack">
    <legend>{legend}</legend>
    {children}
  </fieldset>
)

interface KindsProps<T extends string> extends PartProps {
  name: string
  value: T
  options: readonly (readonly [T, string])[]
  onChange: (value: T) => void
}

/** A few kinds of which one is chosen, and what belongs to it below. */
const Kinds = <T extends string>({ legend, name, value, options, onChange, children }: KindsProps<T>) => (
  <Part legend={legend}>
    <div class="row">
      {options.map(([of, text]) => (
        <label key={of}>
          <input type="radio" name={name} value={of} checked={value === of} onChange={() => onChange(of)} /> {text}
        </label>
      ))}
    </div>
    {children}
  </Part>
)

/** What is said at a list of choices, which is no single control. */
const Said = ({ field, ...props }: FieldsProps & { field: 'puppet_id' | 'voice_id' }) => {
  const { hint, error } = saidAt(props, field)
  return (
    <div id={`play-${field.replace('_id', '')}`} class="small muted">
      {hint}
      {error && (
        <p class="wrong" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

const PORTRAITS = [
  ['puppet_id', 'A puppet'],
  ['image_url', 'An image by its URL'],
] as const
const SOURCES = [
  ['text', 'A text'],
  ['audio_url', 'Audio by its URL'],
  ['upload_id', 'An upload'],
] as const
/** The policy of the page lets it speak to the gateway only, and files go straight to the backend's storage. */
const UPLOAD_HINT =
  'This page cannot send files, because it may connect only to the gateway. Reserve an upload with POST /unified/v1/uploads, PUT the file there, and give its id here.'

const RESOLUTIONS = [['', 'The backend’s own'], '720p', '1080p'] as const

/** All that a create may have, but its backend. */
export const Fields = (props: FieldsProps) => {
  const { form, change } = props
  const { backend, source, portrait } = form
  return (
    <>
      <Kinds
        legend="What is said"
        name="source"
        value={source}
        options={SOURCES}
        onChange={(value) => change({ source: value })}
      >
        {source === 'text' && <Text {...props} field="text" label="Text" rows={4} />}
        {source === 'audio_url' && (
          <Text
            {...props}
            field="audio_url"
            label="URL of the audio"
            inputMode="url"
            placeholder="https://example.com/hello.mp3"
          />
        )}
        {source === 'upload_id' && (
          <Text {...props} field="upload_id" label="Id of the upload" placeholder="upl_…" hint={UPLOAD_HINT} />
        )}
      </Kinds>
      <Kinds
        legend="Portrait"
        name="portrait"
        value={portrait}
        options={PORTRAITS}
        onChange={(value) => change({ portrait: value })}
      >
        {portrait === 'image_url' ? (
          <Text
            {...props}
            field="image_url"
            label="Image URL"
            inputMode="url"
            placeholder="https://example.com/anna.png"
          />
        ) : (
          <>
            <Said {...props} field="puppet_id" />
            <Puppets backend={backend} value={form.puppet_id} onChange={(puppet_id) => change({ puppet_id })} />
          </>
        )}
      </Kinds>
      {source === 'text' && (
        <Part legend="Voice">
          <Said {...props} field="voice_id" />
          <Voices backend={backend} value={form.voice_id} onChange={(voice_id) => change({ voice_id })} />
        </Part>
      )}
      <Part legend="Options">
        <div class="filters">
          <Text {...props} field="language" label="Language" placeholder="en-GB" />
          <Text {...props} field="expressiveness" label="Expressiveness" inputMode="decimal" />
          <Select
            label="Resolution"
            {...saidAt(props, 'resolution')}
            value={form.resolution}
            options={RESOLUTIONS}
            onChange={(resolution) => change({ resolution })}
          />
        </div>
        <label>
          <input
            type="checkbox"
            checked={form.isLenient}
            onChange={(event) => change({ isLenient: event.currentTarget.checked })}
          />{' '}
          Leave out options that the backend does not have
        </label>
        <Text
          {...props}
          field="webhook_url"
          label="Webhook URL"
          inputMode="url"
          hint="The gateway sends the end of this video there, signed with your webhook secret."
        />
        <Text {...props} field="metadata" label="Metadata" rows={3} hint="One pair on each line, such as order=1001." />
      </Part>
    </>
  )
}

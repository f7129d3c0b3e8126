import type { ComponentChildren } from 'preact'
import type { Schema } from '../../api.ts'
import { Field, Select } from '../../ui/field.tsx'
import { type Form, type Portrait, type Source, lacks, type Verdict } from './form.ts'
import { Puppets, Voices } from './choosers.tsx'

interface ChoiceProps {
  legend: string
  /** Of the radio buttons that belong together. */
  name: string
  value: string
  options: readonly (readonly [string, string])[]
  onChange: (value: string) => void
  children?: ComponentChildren
}

/** A few kinds of which one is chosen, and what belongs to it below. */
const Choice = ({ legend, name, value, options, onChange, children }: ChoiceProps) => (
  <fieldset class="play-choice">
    <legend>{legend}</legend>
    <div class="play-kinds">
      {options.map(([of, text]) => (
        <label key={of}>
          <input type="radio" name={name} value={of} checked={value === of} onChange={() => onChange(of)} />
          {text}
        </label>
      ))}
    </div>
    {children}
  </fieldset>
)

type Backend = Schema<'Backend'>

export interface FieldsProps {
  form: Form
  backends: readonly Backend[]
  told: Pick<Verdict, 'errors' | 'hints'>
  change: (changes: Partial<Form>) => void
}

type TextField = 'audio_url' | 'upload_id' | 'image_url' | 'webhook_url' | 'language' | 'expressiveness'

interface LineProps extends FieldsProps {
  field: TextField
  label: string
  hint?: string
  /** What a phone's keyboard offers. */
  keys?: 'url' | 'text' | 'decimal'
  placeholder?: string
}

/** Together with what the backends lack. */
const hintOf = ({ form, backends, told }: FieldsProps, field: keyof Form, hint?: string): string | undefined => {
  const texts = [hint, lacks(field, form.backend, backends), told.hints[field]].filter(
    (text) => text !== null && text !== undefined,
  )
  return texts.length === 0 ? undefined : texts.join(' ')
}

const Line = ({ field, label, hint, keys = 'text', placeholder, ...props }: LineProps) => {
  const shown = hintOf(props, field, hint)
  return (
    <Field label={label} {...(shown !== undefined && { hint: shown })} error={props.told.errors[field] ?? null}>
      {(id, describedBy) => (
        <input
          id={id}
          name={field}
          type="text"
          inputMode={keys}
          value={props.form[field]}
          autocomplete="off"
          spellcheck={false}
          {...(placeholder !== undefined && { placeholder })}
          {...(describedBy !== undefined && { 'aria-describedby': describedBy })}
          aria-invalid={props.told.errors[field] !== undefined}
          onInput={(event) => props.change({ [field]: event.currentTarget.value })}
        />
      )}
    </Field>
  )
}

const Area = ({
  field,
  label,
  hint,
  rows,
  ...props
}: FieldsProps & { field: 'text' | 'metadata'; label: string; hint?: string; rows: number }) => {
  const shown = hintOf(props, field, hint)
  return (
    <Field label={label} {...(shown !== undefined && { hint: shown })} error={props.told.errors[field] ?? null}>
      {(id, describedBy) => (
        <textarea
          id={id}
          name={field}
          rows={rows}
          value={props.form[field]}
          {...(describedBy !== undefined && { 'aria-describedby': describedBy })}
          aria-invalid={props.told.errors[field] !== undefined}
          onInput={(event) => props.change({ [field]: event.currentTarget.value })}
        />
      )}
    </Field>
  )
}

/** What is said at a list of choices, which is no single control. */
const Told = ({ id, field, ...props }: FieldsProps & { id: string; field: keyof Form }) => {
  const hint = hintOf(props, field)
  const error = props.told.errors[field]
  return (
    <div class="field" id={id} data-wrong={error !== undefined}>
      {hint !== undefined && <p class="hint">{hint}</p>}
      {error !== undefined && (
        <p class="wrong" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

const PORTRAITS: readonly (readonly [Portrait, string])[] = [
  ['puppet_id', 'A puppet'],
  ['image_url', 'An image by its URL'],
]
const SOURCES: readonly (readonly [Source, string])[] = [
  ['text', 'A text'],
  ['audio_url', 'Audio by its URL'],
  ['upload_id', 'An upload'],
]
/** The policy of the page lets it speak to the gateway only, and files go straight to the backend's storage. */
const UPLOAD_HINT =
  'This page cannot send files, because it may connect only to the gateway. Reserve an upload with POST /unified/v1/uploads, PUT the file there, and give its id here.'

export const PortraitFields = (props: FieldsProps) => (
  <Choice
    legend="Portrait"
    name="portrait"
    value={props.form.portrait}
    options={PORTRAITS}
    onChange={(value) => props.change({ portrait: value === 'image_url' ? value : 'puppet_id' })}
  >
    {props.form.portrait === 'puppet_id' ? (
      <>
        <Told {...props} id="play-puppet" field="puppet_id" />
        <Puppets
          backend={props.form.backend}
          value={props.form.puppet_id}
          describedBy="play-puppet"
          onChange={(puppet_id) => props.change({ puppet_id })}
        />
      </>
    ) : (
      <Line {...props} field="image_url" label="Image URL" keys="url" placeholder="https://example.com/anna.png" />
    )}
  </Choice>
)

export const SourceFields = (props: FieldsProps) => (
  <Choice
    legend="What is said"
    name="source"
    value={props.form.source}
    options={SOURCES}
    onChange={(value) => props.change({ source: SOURCES.find(([of]) => of === value)?.[0] ?? 'text' })}
  >
    {props.form.source === 'text' && <Area {...props} field="text" label="Text" rows={4} />}
    {props.form.source === 'audio_url' && (
      <Line
        {...props}
        field="audio_url"
        label="URL of the audio"
        keys="url"
        placeholder="https://example.com/hello.mp3"
      />
    )}
    {props.form.source === 'upload_id' && (
      <Line {...props} field="upload_id" label="Id of the upload" placeholder="upl_…" hint={UPLOAD_HINT} />
    )}
  </Choice>
)

export const VoiceFields = (props: FieldsProps) =>
  props.form.source !== 'text' ? null : (
    <fieldset class="play-choice">
      <legend>Voice</legend>
      <Told {...props} id="play-voice" field="voice_id" />
      <Voices
        backend={props.form.backend}
        value={props.form.voice_id}
        describedBy="play-voice"
        onChange={(voice_id) => props.change({ voice_id })}
      />
    </fieldset>
  )

export const OptionFields = (props: FieldsProps) => {
  const resolution = hintOf(props, 'resolution')
  return (
    <fieldset class="play-choice">
      <legend>Options</legend>
      <div class="play-options">
        <Line {...props} field="language" label="Language" placeholder="en-GB" />
        <Line {...props} field="expressiveness" label="Expressiveness" keys="decimal" />
        <div>
          <Select
            label="Resolution"
            value={props.form.resolution}
            options={[
              ['', 'The backend’s own'],
              ['720p', '720p'],
              ['1080p', '1080p'],
            ]}
            onChange={(value) => props.change({ resolution: value })}
          />
          {resolution !== undefined && <p class="muted small">{resolution}</p>}
          {props.told.errors.resolution !== undefined && (
            <p class="play-broken" role="alert">
              {props.told.errors.resolution}
            </p>
          )}
        </div>
      </div>
      <label>
        <input
          type="checkbox"
          checked={props.form.isLenient}
          onChange={(event) => props.change({ isLenient: event.currentTarget.checked })}
        />{' '}
        Leave out options that the backend does not have
      </label>
      <Line
        {...props}
        field="webhook_url"
        label="Webhook URL"
        keys="url"
        hint="The gateway sends the end of this video there, signed with your webhook secret."
      />
      <Area {...props} field="metadata" label="Metadata" rows={3} hint="One pair on each line, such as order=1001." />
    </fieldset>
  )
}

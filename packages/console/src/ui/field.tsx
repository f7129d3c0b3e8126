import type { ComponentChildren, InputHTMLAttributes } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'

interface LabelProps {
  label: string
  hint?: ComponentChildren
  /** What is wrong with the value. */
  error?: string | null | undefined
}

interface FieldProps extends LabelProps {
  /** The control itself: give it this id, and this `aria-describedby`. */
  children: (id: string, describedBy: string | undefined) => ComponentChildren
}

/** A labelled control with its hint and its error. */
export const Field = ({ label, hint, error, children }: FieldProps) => {
  const id = useId()
  const [hintId, errorId] = [hint && `${id}-hint`, error && `${id}-error`]
  return (
    <div class="field stack tight" data-wrong={Boolean(error)}>
      <label for={id}>{label}</label>
      {children(id, [hintId, errorId].filter(Boolean).join(' ') || undefined)}
      {hintId && (
        <p class="muted small" id={hintId}>
          {hint}
        </p>
      )}
      {errorId && (
        <p class="wrong" id={errorId} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

type Attributes = 'name' | 'required' | 'maxLength' | 'pattern' | 'inputMode' | 'placeholder' | 'onChange'

interface InputProps extends LabelProps, Pick<InputHTMLAttributes, Attributes> {
  type?: 'text' | 'search' | 'url'
  value: string
  set: (value: string) => void
  /** More than one: it takes several lines. */
  rows?: number
  /** Values that may be typed, besides others. */
  known?: readonly string[]
}

/** A line of text, or several. */
export const Input = ({ label, hint, error, value, set, type = 'text', rows = 1, known, ...rest }: InputProps) => (
  <Field label={label} hint={hint} error={error}>
    {(id, describedBy) => {
      const control = { id, value, 'aria-describedby': describedBy, 'aria-invalid': Boolean(error) }
      if (rows > 1)
        return (
          <textarea {...control} name={rest.name} rows={rows} onInput={(event) => set(event.currentTarget.value)} />
        )
      return (
        <>
          <input
            {...rest}
            {...control}
            type={type}
            {...(known && { list: `${id}-known` })}
            autocomplete="off"
            onInput={(event) => set(event.currentTarget.value)}
          />
          {known && (
            <datalist id={`${id}-known`}>
              {known.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          )}
        </>
      )
    }}
  </Field>
)

interface SelectProps extends LabelProps {
  value: string
  /** [value, text] in order; an empty value means no choice. Where both are the same, only that. */
  options: readonly (string | readonly [string, string, ...unknown[]])[]
  onChange: (value: string) => void
}

export const Select = ({ value, options, onChange, ...rest }: SelectProps) => (
  <Field {...rest}>
    {(id, describedBy) => (
      <select
        id={id}
        value={value}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map((option) => {
          const [of, text] = typeof option === 'string' ? [option, option] : option
          return (
            <option key={of} value={of}>
              {text}
            </option>
          )
        })}
      </select>
    )}
  </Field>
)

interface ChecksProps<T extends string> {
  legend: string
  /** [value, text, what it means] in order. */
  options: readonly (readonly [T, string, string?])[]
  chosen: readonly T[]
  onChange: (chosen: T[]) => void
  error?: string | null
}

/** Some of several: answered in the order of the options. */
export const Checks = <T extends string>({ legend, options, chosen, onChange, error }: ChecksProps<T>) => {
  const id = useId()
  const toggle = (value: T, isOn: boolean): void =>
    onChange(options.map(([of]) => of).filter((of) => (of === value ? isOn : chosen.includes(of))))
  return (
    <fieldset class="checks stack tight" {...(error && { 'aria-describedby': id })}>
      <legend>{legend}</legend>
      {options.map(([value, text, means]) => (
        <label key={value}>
          <input
            type="checkbox"
            required={Boolean(error) && chosen.length === 0}
            checked={chosen.includes(value)}
            onChange={(event) => toggle(value, event.currentTarget.checked)}
          />
          <span>{text}</span>
          {means !== undefined && <span class="small muted">{means}</span>}
        </label>
      ))}
      {error && (
        <p class="wrong" id={id} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

interface TextFilterProps {
  label: string
  value: string
  /** When it is left or Enter is pressed: what is half typed would find nothing. */
  onChange: (value: string) => void
  placeholder?: string
}

export const TextFilter = ({ label, value, onChange, placeholder = '' }: TextFilterProps) => {
  // What is half typed stays while the list around it changes.
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  return (
    <Input
      label={label}
      hint={typed.trim() !== value && 'Press Enter'}
      type="search"
      value={typed}
      placeholder={placeholder}
      set={setTyped}
      onChange={(event) => onChange(event.currentTarget.value.trim())}
    />
  )
}

/** Why an operator does something. */
export const NoteInput = (props: Pick<InputProps, 'value' | 'set'>) => (
  <Input label="Note" hint="Why you do it: the audit log keeps it." maxLength={500} {...props} />
)

/** What was written, if anything was. */
export const noteOf = (note: string): { note?: string } => (note.trim() === '' ? {} : { note: note.trim() })

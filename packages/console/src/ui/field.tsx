import type { ComponentChildren } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'

interface FieldProps {
  label: string
  hint?: ComponentChildren
  /** What is wrong with the value. */
  error?: string | null
  /** The control itself: give it this id, and this `aria-describedby`. */
  children: (id: string, describedBy: string | undefined) => ComponentChildren
}

/** A labelled control with its hint and its error. */
export const Field = ({ label, hint, error, children }: FieldProps) => {
  const id = useId()
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`]
  const described = [...(hint === undefined ? [] : [hintId]), ...(error ? [errorId] : [])].join(' ')
  return (
    <div class="field" data-wrong={Boolean(error)}>
      <label for={id}>{label}</label>
      {children(id, described === '' ? undefined : described)}
      {hint !== undefined && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
      {error && (
        <p class="wrong" id={errorId} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

interface SelectProps {
  label: string
  value: string
  /** [value, text] in order; an empty value means no choice. */
  options: readonly (readonly [string, string])[]
  onChange: (value: string) => void
}

export const Select = ({ label, value, options, onChange }: SelectProps) => (
  <Field label={label}>
    {(id) => (
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([of, text]) => (
          <option key={of} value={of}>
            {text}
          </option>
        ))}
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
    <fieldset class="checks" {...(error && { 'aria-describedby': id })}>
      <legend>{legend}</legend>
      {options.map(([value, text, means]) => (
        <label key={value}>
          <input
            type="checkbox"
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
  /** When it is left or Enter is pressed: not at each letter. */
  onChange: (value: string) => void
  placeholder?: string
}

export const TextFilter = ({ label, value, onChange, placeholder = '' }: TextFilterProps) => {
  // What is half typed stays while the list around it changes.
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  return (
    <Field label={label}>
      {(id) => (
        <input
          id={id}
          type="search"
          value={typed}
          placeholder={placeholder}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onChange={(event) => onChange(event.currentTarget.value.trim())}
        />
      )}
    </Field>
  )
}

import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

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
  /** [value, text] in order; an empty value stands for no choice. */
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

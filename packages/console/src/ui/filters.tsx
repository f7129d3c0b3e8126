import { Field } from './field.tsx'

interface TextFilterProps {
  label: string
  value: string
  /** When it is left or Enter is pressed: not at each letter. */
  onChange: (value: string) => void
  placeholder?: string
}

export const TextFilter = ({ label, value, onChange, placeholder = '' }: TextFilterProps) => (
  <Field label={label}>
    {(id) => (
      <input
        id={id}
        type="search"
        value={value}
        placeholder={placeholder}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
      />
    )}
  </Field>
)

import { useId } from 'preact/hooks'

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

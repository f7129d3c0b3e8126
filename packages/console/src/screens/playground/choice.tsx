import type { ComponentChildren } from 'preact'

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
export const Choice = ({ legend, name, value, options, onChange, children }: ChoiceProps) => (
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

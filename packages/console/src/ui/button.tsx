import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** Paths on a field of 16 by 16. */
const PATHS = {
  overview: 'M2 9h5V2H2zM9 14h5V7H9zM2 14h5v-3H2zM9 5h5V2H9z',
  video: 'M2 3h12v10H2zM6.500 6v4l3.500-2z',
  webhook:
    'M8 2.500a2.500 2.500 0 0 1 1.500 4.500l2 3.500M8 5l-2.500 5M4 13.500A2.500 2.500 0 1 1 6 11h5M11.500 13.500a2.500 2.500 0 1 0-.500-5',
  backend: 'M2 3h12v4H2zM2 9h12v4H2zM5 5h.1M5 11h.1',
  play: 'M4 2.500l9 5.500-9 5.500z',
  usage: 'M2 14V8M6 14V3M10 14v-4M14 14V6',
  doubt: 'M5.500 6a2.500 2.500 0 1 1 3.500 2.300c-.700.300-1 .700-1 1.700M8 13h.1',
  key: 'M5.500 13.500a3 3 0 1 1 2.100-5.100L13.500 2.500M11 5l2 2M9.300 6.700l1.500 1.500',
  clients:
    'M6 8a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM1.500 13.500c0-2.500 2-4 4.500-4s4.500 1.500 4.500 4M11 3.500a2.500 2.500 0 0 1 0 4.500M12 9.700c1.500.500 2.500 1.800 2.500 3.800',
  audit: 'M3 2h7l3 3v9H3zM5.500 7h5M5.500 9.500h5M5.500 12h3',
  menu: 'M2 4h12M2 8h12M2 12h12',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.500 10.500L14 14',
  copy: 'M5 5V2h9v9h-3M2 5h9v9H2z',
  check: 'M3 8.500l3.500 3.500L13 4.500',
  close: 'M3 3l10 10M13 3L3 13',
} as const
export type IconName = keyof typeof PATHS

/** Beside words that say the same, so that nobody needs to see it. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
)

type ButtonProps = Omit<ButtonHTMLAttributes, 'class'> & {
  class?: string
  kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  /** What it does is under way. */
  isBusy?: boolean
  children: ComponentChildren
}

/** While it is busy it keeps the focus and does nothing: `disabled` would throw the focus away. */
export const Button = ({
  kind = 'plain',
  isBusy = false,
  class: more = '',
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) => (
  <button
    {...rest}
    type={type}
    class={`button ${kind} ${more}`}
    aria-busy={isBusy}
    {...(isBusy ? { 'aria-disabled': true, onClick: (event: Event) => event.preventDefault() } : { onClick })}
  />
)

interface LinkButtonProps {
  href: string
  /** It is a file, to be kept under this name: no page of ours. */
  file?: string
  children: ComponentChildren
}

/** Goes somewhere, and looks like a button. */
export const LinkButton = ({ href, file, children }: LinkButtonProps) => (
  <a class="button plain" href={href} {...(file !== undefined && { download: file })}>
    {children}
  </a>
)

const SHOWN_MS = 2_000

/** Puts `text` on the clipboard; `label` says what it is. */
export const Copy = ({ text, label }: { text: string; label: string }) => {
  const [said, setSaid] = useState<'copied' | 'failed' | null>(null)
  useEffect(() => {
    if (said === null) return undefined
    const timer = setTimeout(() => setSaid(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [said])
  const copy = (): void =>
    // Over http there is no clipboard, but on this machine.
    void (navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject(new Error('no clipboard'))).then(
      () => setSaid('copied'),
      () => setSaid('failed'),
    )
  return (
    <button type="button" class="copy" onClick={copy} aria-label={`Copy ${label}`} title={`Copy ${label}`}>
      <Icon name={said === 'copied' ? 'check' : 'copy'} />
      <span class={said === 'failed' ? 'small' : 'only-read'} role="status">
        {said ?? ''}
      </span>
    </button>
  )
}

const END = 6

/** The middle is not drawn, but found, read aloud and copied as the rest is. */
export const Cut = ({ of }: { of: string }) => {
  const begin = of.indexOf('_') + 1
  // Such as the path of a key in the configuration.
  if (begin === 0 || of.length <= begin + END + 2) return <>{of}</>
  return (
    <>
      {of.slice(0, begin)}
      <span class="cut">{of.slice(begin, -END)}</span>
      {of.slice(-END)}
    </>
  )
}

interface IdProps {
  of: string
  href?: string | undefined
  label?: string
  /** Of a table: its begin and its end. */
  isShort?: boolean
  /** Shown instead of the id. The copy is of the id. */
  name?: string | null
}

/** An id in the type of code, with a button that copies it. */
export const Id = ({ of, href, label = 'id', isShort = false, name = null }: IdProps) => {
  const shown = { class: name === null ? '' : 'clip', children: name ?? (isShort ? <Cut of={of} /> : of) }
  return (
    <span class="id" {...((isShort || name !== null) && { title: of })}>
      {href === undefined ? <code {...shown} /> : <a {...shown} href={href} />}
      <Copy text={of} label={label} />
    </span>
  )
}

/** JSON in lines of its own; anything else as it is. */
const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Text as it is, never as HTML. `isBody`: it may be JSON, and is copied as it came. */
export const Code = ({ text, label, isBody = false }: { text: string; label: string; isBody?: boolean }) => (
  <div class="code">
    <pre tabIndex={0} role="region" aria-label={label}>
      <code>{isBody ? pretty(text) : text}</code>
    </pre>
    <Copy text={text} label={label} />
  </div>
)

import { useEffect, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

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

/** An id, whole, in the type of code, with a button that copies it. */
export const Id = ({ of, href, label = 'id' }: { of: string; href?: string; label?: string }) => (
  <span class="id">
    {href === undefined ? <code>{of}</code> : <a href={href}>{of}</a>}
    <Copy text={of} label={label} />
  </span>
)

/** Text as it is, never as HTML. */
export const Code = ({ text, label }: { text: string; label: string }) => (
  <div class="code">
    <pre tabIndex={0} role="region" aria-label={label}>
      <code>{text}</code>
    </pre>
    <Copy text={text} label={label} />
  </div>
)

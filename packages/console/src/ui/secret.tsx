import { Code } from './copy.tsx'
import { Note } from './states.tsx'

/** A secret that no read ever answers again. It lives in this part of the page alone. */
export const SecretOnce = ({ secret, label, use }: { secret: string; label: string; use: string }) => (
  <div class="stack">
    <Note kind="warn">
      <strong>Copy it now.</strong>
      <p>It is shown this once. {use}</p>
    </Note>
    <Code text={secret} label={label} />
  </div>
)

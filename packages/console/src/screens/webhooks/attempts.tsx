import { Badge } from '../../ui/badge.tsx'
import { Code } from '../../ui/copy.tsx'
import { Card } from '../../ui/header.tsx'
import { durationOf, Time } from '../../ui/time.tsx'
import type { DeliveryDetail } from './model.ts'

type Attempt = DeliveryDetail['attempts'][number]

const Outcome = ({ of: { status, error } }: { of: Attempt }) => (
  <Badge tone={error === null ? 'good' : 'bad'}>{status ?? 'no answer'}</Badge>
)

const Answer = ({ of: { response_body: body }, n }: { of: Attempt; n: number }) => {
  if (body === null) return null
  if (body === '') return <p class="small muted">The answer had no body.</p>
  return (
    <details>
      <summary>What it answered</summary>
      <Code text={body} label={`the answer to attempt ${n}`} />
    </details>
  )
}

/** Oldest first, as they were made, and the one that is to come. */
export const Attempts = ({ of }: { of: DeliveryDetail }) => {
  const { attempts, attempt_count: all } = of
  const before = all - attempts.length
  return (
    <Card title="Attempts">
      {all === 0 && of.next_attempt_at === null && <p class="muted">There was no attempt yet.</p>}
      {before > 0 && <p class="muted small">The {before} before the latest 100 are not kept.</p>}
      <ol class="attempts" start={before + 1}>
        {attempts.map((one, index) => (
          <li key={`${one.at} ${before + index}`} class={one.error === null ? 'good' : 'bad'}>
            <p>
              <strong>Attempt {before + index + 1}</strong> <Outcome of={one} />{' '}
              <span class="small muted">
                <Time at={one.at} />, took {durationOf(one.duration_ms)}
              </span>
            </p>
            {one.error !== null && <p class="small">{one.error}</p>}
            <Answer of={one} n={before + index + 1} />
          </li>
        ))}
        {of.next_attempt_at !== null && (
          <li key="next" class="next">
            <strong>Next attempt</strong> <Time at={of.next_attempt_at} />
          </li>
        )}
      </ol>
    </Card>
  )
}

import type { Schema } from '../../api.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/copy.tsx'
import { Card, Facts } from '../../ui/header.tsx'
import { durationOf } from '../../ui/time.tsx'

/** What came back of a test. */
export const TestResult = ({ of, onClose }: { of: Schema<'WebhookTest'>; onClose: () => void }) => (
  <Card
    title="The result of the test"
    actions={
      <Button kind="quiet" onClick={onClose}>
        Close
      </Button>
    }
  >
    <Facts
      rows={[
        ['Outcome', of.delivered ? <Badge tone="good">delivered</Badge> : <Badge tone="bad">not delivered</Badge>],
        ['Status', of.status ?? 'No answer'],
        ['Took', durationOf(of.duration_ms)],
        ...(of.error === null ? [] : [['Why not', of.error] as const]),
      ]}
    />
    {of.response_body !== null &&
      (of.response_body === '' ? (
        <p class="muted">The answer had no body.</p>
      ) : (
        <Code text={of.response_body} label="the answer" />
      ))}
  </Card>
)

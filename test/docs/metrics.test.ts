import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { COUNTERS, HISTOGRAMS, LEVELS, type Definition, GAUGES, PROCESS } from '../../src/metrics/definitions.ts'

const textOf = (page: string): string => readFileSync(join(import.meta.dirname, '../..', page), 'utf8')

const rowOf =
  (type: string) =>
  ({ name, help, labels }: Definition): string =>
    `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`

test('docs/metrics.md has every metric as it is', () => {
  const [, below = ''] = textOf('docs/metrics.md').split('| Metric | Type | Labels | Meaning |\n|---|---|---|---|\n')
  const rows = below.split('\n').filter((line) => line.startsWith('|'))
  const types = Object.values(PROCESS).map((one: Definition) =>
    rowOf(one.name.endsWith('_total') ? 'counter' : 'gauge')(one),
  )
  expect(rows).toEqual([
    ...Object.values<Definition>(HISTOGRAMS).map(rowOf('histogram')),
    ...Object.values<Definition>(COUNTERS).map(rowOf('counter')),
    ...Object.values<Definition>(GAUGES).map(rowOf('gauge')),
    ...Object.values<Definition>(LEVELS).map(rowOf('gauge')),
    ...types,
  ])
})

test('names are as Prometheus wants them: ours, in base units, counters with _total', () => {
  const names = (table: object): string[] => Object.values<Definition>({ ...table }).map(({ name }) => name)
  expect(names(COUNTERS).filter((name) => !/^talkbridge_\w+_total$/.test(name))).toEqual([])
  expect(names(HISTOGRAMS).filter((name) => !name.endsWith('_seconds'))).toEqual([])
  expect([...names(GAUGES), ...names(LEVELS)].filter((name) => !name.startsWith('talkbridge_'))).toEqual([])
  expect([...names(GAUGES), ...names(LEVELS)].filter((name) => /_total$|_ms$|milli/.test(name))).toEqual([])
})

const Alerts = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string().optional(),
          labels: z.object({ severity: z.enum(['critical', 'warning']).optional() }).optional(),
          annotations: z
            .object({ summary: z.string().min(5), description: z.string().min(10), runbook_url: z.string() })
            .optional(),
        }),
      ),
    }),
  ),
})

test('docs/operations.md begins with a row for every alert, in its order, where its runbook_url leads', () => {
  const alerts = Alerts.parse(parse(textOf('config/prometheus/alerts.yaml'))).groups.flatMap(({ rules }) =>
    rules.flatMap(({ alert, labels, annotations }) => (alert === undefined ? [] : [{ alert, labels, annotations }])),
  )
  const page = textOf('docs/operations.md')
  const rows = page.split('\n').flatMap((line) => {
    const [, anchor, alert, severity, meaning, action] =
      /^\| <a id="([^"]+)"><\/a>`(\w+)`(?: \((\w+)\))? \| (.+) \| (.+) \|$/.exec(line) ?? []
    return alert === undefined ? [] : [{ anchor, alert, severity, meaning, action }]
  })
  expect(rows.map(({ alert }) => alert)).toEqual(alerts.map(({ alert }) => alert))
  const base = '{{ with query "talkbridge:runbook:info" }}{{ . | first | label "url" }}{{ end }}'
  expect(rows.map(({ anchor }) => `${base}#${anchor}`)).toEqual(
    alerts.map(({ annotations }) => annotations?.runbook_url),
  )
  expect(rows.map(({ severity }) => severity ?? 'warning')).toEqual(alerts.map(({ labels }) => labels?.severity))
  expect(page.indexOf('`TalkbridgeDown`')).toBeLessThan(page.indexOf('## Start and stop'))
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { ALT, MAIN, stage } from '../e2e/harness.ts'
import { promtool, startPrometheus } from '../fakes/prometheus.ts'
import { samplesOf } from '../fakes/scraped.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { until } from '../fakes/until.ts'
import { filled, readDashboard } from './dashboard.ts'

const FOLDER = join(import.meta.dirname, '../../config/prometheus')
const RULES = join(FOLDER, 'alerts.yaml')
const TESTS = join(FOLDER, 'alerts.test.yaml')

const Rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(z.object({ alert: z.string().optional(), record: z.string().optional(), expr: z.string() })),
    }),
  ),
})
const Tests = z.object({ tests: z.array(z.object({ name: z.string() })) })

const rules = () => Rules.parse(parse(readFileSync(RULES, 'utf8'))).groups.flatMap((group) => group.rules)

const Targets = z.object({ activeTargets: z.array(z.object({ health: z.string() })) })
const Groups = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ name: z.string(), health: z.string() })) })),
})
const Found = z.object({ result: z.array(z.object({ metric: z.record(z.string(), z.string()) })) })

test('every alert has its test', () => {
  const alerts = rules().flatMap(({ alert }) => alert ?? [])
  const { tests } = Tests.parse(parse(readFileSync(TESTS, 'utf8')))
  expect(tests.map(({ name }) => name)).toEqual(alerts)
})

describe.skipIf(await skippedWithout(['prometheus']))('Prometheus', () => {
  test('takes the rules, and each alert is quiet and fires as its test says', async () => {
    await promtool(['check', 'rules', RULES])
    await promtool(['test', 'rules', TESTS])
  })

  test('scrapes a gateway, evaluates the rules, and knows all that rules and dashboard ask for', async () => {
    const token = 'scrape-me-0123456789abcdef'
    const s = await stage({ config: { metrics: { token } } })
    await Promise.all((await Promise.all([s.create(MAIN), s.create(ALT)])).map(({ id }) => s.ended(id)))
    const { host, origin } = new URL(s.gateway().gateway.url)
    const scrape = await (await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text()
    expect(await promtool(['check', 'metrics'], scrape)).toBe('')

    const prometheus = await startPrometheus({ target: host, rules: RULES, token })
    onTestFinished(prometheus.close)
    const query = async (expr: string) =>
      Found.parse(await prometheus.ask(`query?query=${encodeURIComponent(expr)}`)).result
    await until(async () => (await query('talkbridge_videos_ended_total > 0')).length > 0)
    const { activeTargets } = Targets.parse(await prometheus.ask('targets'))
    expect(activeTargets.map(({ health }) => health)).toEqual(['up'])
    await until(async () => (await query('talkbridge:http_requests:rate5m')).length > 0)
    const { groups } = Groups.parse(await prometheus.ask('rules'))
    const evaluated = groups.flatMap((group) => group.rules)
    expect(evaluated).toHaveLength(rules().length)
    await until(async () =>
      Groups.parse(await prometheus.ask('rules')).groups.every((group) =>
        group.rules.every(({ health }) => health === 'ok'),
      ),
    )

    const expressions = [
      ...rules().map(({ expr }) => expr),
      ...readDashboard().panels.flatMap(({ targets }) => targets.map(({ expr }) => filled(expr, '5s'))),
    ]
    // Whoever cannot be parsed is refused.
    for (const expr of expressions) await query(expr)
    const exported = new Set([...samplesOf(scrape).map(({ name }) => name), ...namesOf(scrape), 'up'])
    const recorded = rules().flatMap(({ record }) => record ?? [])
    const asked = new Set(expressions.flatMap((expr) => expr.match(METRIC) ?? []))
    expect([...asked].filter((name) => !exported.has(name) && !recorded.includes(name))).toEqual([])
    expect(asked.size).toBeGreaterThan(30)
  })
})

/** Names of metrics as expressions have them: none is a function or a label. */
const METRIC = /\b(?:talkbridge[_:][\w:]+|(?:http_server|process|nodejs)_\w+)|\bup(?=\{)/g

/** Those that have no sample yet, too. */
const namesOf = (scrape: string): string[] =>
  [...scrape.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  )

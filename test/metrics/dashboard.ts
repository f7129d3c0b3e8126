import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Panel = z.object({
  id: z.int(),
  type: z.enum(['row', 'timeseries']),
  title: z.string().min(1),
  gridPos: z.object({ h: z.int(), w: z.int(), x: z.int(), y: z.int() }),
  fieldConfig: z.object({ defaults: z.object({ unit: z.string() }) }).optional(),
  targets: z.array(z.object({ expr: z.string().min(1), legendFormat: z.string() })).default([]),
})
export type Panel = z.infer<typeof Panel>

const Dashboard = z.object({ title: z.string(), schemaVersion: z.int().min(39), panels: z.array(Panel).min(1) })

export const readDashboard = (): z.infer<typeof Dashboard> =>
  Dashboard.parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../config/grafana/talkbridge.json'), 'utf8')))

/** An expression as Grafana would send it, with everything chosen. */
export const filled = (expr: string, rateInterval: string): string =>
  expr.replaceAll('$__rate_interval', rateInterval).replaceAll(/\$(instance|backend)\b/g, '.*')

import type { Config } from '../../config.ts'
import type { Fault } from '../../config/faults.ts'
import { tracingFault } from '../../tracing/index.ts'
import { placeOf } from '../config-file.ts'
import type { Check } from './context.ts'
import { findings, type Finding, type Rows } from './findings.ts'

export const CONFIGURATION_ROWS = {
  config_ok: { level: 'ok', means: 'The configuration has no mistake.', advice: null },
  config_fault: {
    level: 'fault',
    means: 'The configuration has a mistake. The gateway refuses to start, and nothing else was checked.',
    advice: 'Correct it. `talkbridge config check` lists the mistakes, too.',
  },
  tracing_packages: {
    level: 'fault',
    means:
      '`tracing.otlp_endpoint` is set, but the packages that send traces are not installed. The gateway does not start.',
    advice: 'Run the command of the message, or set `tracing.otlp_endpoint` to null.',
  },
  config_warning: {
    level: 'warning',
    means: 'A setting is allowed, but it costs you something, or has no effect.',
    advice: 'Follow the message, or keep the setting if you want it.',
  },
} as const satisfies Rows
const say = findings(CONFIGURATION_ROWS)

export const faultFindings = (file: string, faults: readonly Fault[]): Finding[] =>
  faults.map((fault) => say('config_fault', fault.path || file, `${fault.message}${placeOf(fault)}`))

/** What the file does not show, and a start would refuse. */
export const startFaults = ({ tracing }: Pick<Config, 'tracing'>): Fault[] => {
  const fault = tracingFault(tracing.otlp_endpoint)
  return fault === null ? [] : [{ path: 'tracing.otlp_endpoint', message: fault }]
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`

/** What the reader of the file warns of. */
export const configurationCheck: Check = {
  name: 'configuration',
  run({ file, config, warnings }) {
    const has = [count(Object.keys(config.backends).length, 'backend'), count(config.clients.length, 'client')]
    const warned = warnings.map(({ path, message }) => say('config_warning', path, message))
    const lacking = startFaults(config).map(({ path, message }) => say('tracing_packages', path, message))
    return [say('config_ok', file, has.join(', ')), ...lacking, ...warned]
  },
}

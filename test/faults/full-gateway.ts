import { pino } from 'pino'
import { sandboxConfig } from '../../src/cli/config-file.ts'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startGateway } from '../../src/gateway.ts'
import { seededRandom } from '../fakes/random.ts'
import type { VictimSetup } from './protocol.ts'

/** A gateway in a process whose files may not grow beyond what the system allows it; says where it listens. */
const setup = JSON.parse(process.argv[2] ?? '{}') as VictimSetup
const gateway = await startGateway({
  config: sandboxConfig({ ...setup, port: 0, logLevel: 'silent' }, setup.env),
  clock: createSystemClock(),
  log: pino({ level: 'silent' }),
  secretKey: null,
  random: seededRandom(setup.seed),
  backendsAreLocal: true,
})
process.stdout.write(`${gateway.url}\n`)

import { pino } from 'pino'
import { sandboxConfig } from '../../src/cli/config-file.ts'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startGateway } from '../../src/gateway.ts'
import { seededRandom } from '../fakes/random.ts'
import { createBoundaries } from './boundaries.ts'
import type { FromVictim, ToVictim, VictimSetup } from './protocol.ts'

/** A gateway in a process of its own that dies at a numbered write boundary. Spoken to over IPC only. */
const setup = JSON.parse(process.argv[2] ?? '{}') as VictimSetup
const tell = (message: FromVictim): void => void process.send?.(message)

const boundaries = createBoundaries()
if (setup.killAt !== null) boundaries.arm(setup.killAt)
const gateway = await startGateway({
  config: sandboxConfig({ ...setup, port: 0, logLevel: 'silent' }, setup.env),
  clock: createSystemClock(),
  log: pino({ level: 'silent' }),
  secretKey: null,
  random: seededRandom(setup.seed),
  wrapStore: boundaries.wrapStore,
})

process.on('message', (message: ToVictim) => {
  if (message.kind === 'arm') {
    void boundaries.idle().then(() => {
      boundaries.arm(message.killAt)
      tell({ kind: 'armed' })
    })
  } else {
    void gateway.close().then((clean) => {
      tell({ kind: 'closed', clean, boundaries: [...boundaries.reached()] })
      process.disconnect?.()
    })
  }
})
tell({ kind: 'serving', url: gateway.url })

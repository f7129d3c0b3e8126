import { sqliteStage } from '../webhooks/sqlite-stage.ts'
import { createBoundaries } from './boundaries.ts'
import { fastClock, allSent, type SenderSetup } from './sender-run.ts'

/** A sender in a process of its own that dies at a numbered write boundary; says which it passed if it lives. */
const { folder, killAt } = JSON.parse(process.argv[2] ?? '{}') as SenderSetup
const boundaries = createBoundaries()
const stage = await sqliteStage({ folder, clock: fastClock(), wrapStore: boundaries.wrapStore })
boundaries.arm(killAt)
await allSent(stage)
await stage.close()
process.send?.([...boundaries.reached()])
process.disconnect?.()

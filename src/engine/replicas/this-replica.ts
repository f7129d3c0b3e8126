import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Replica } from '../../core/replica.ts'

/** This start of this process. Containers often have the same process id, and may have the same name. */
export const thisReplica = (isAlone: boolean): Replica => ({
  id: `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`,
  isAlone,
})

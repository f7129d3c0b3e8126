import {
  addDurations,
  claim,
  claimDeliveries,
  exhausted,
  extend,
  giveBack,
  keepDurations,
  learn,
  meta,
  putFacts,
  release,
  serve,
  spend,
} from './work-verbs.ts'
import { begin, countRequests, forgetPuppet, made, unmade } from './resources.ts'
import { changeSplit, countRefusals, purgeRefusals, putShadows } from './routing.ts'
import { beginSession, changeAccess, endSession, keysUsed, purgeKeys, purgeSessions, sessionSeen } from './access.ts'
import { purgeAudit } from './outbox.ts'
import {
  attempted,
  backlogStep,
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  redeliver,
  replay,
  replayStep,
  rotateSecret,
  secrets,
} from './webhook-verbs.ts'
import type { Reader } from './db.ts'
import { purge, purgeResources, purgeWebhooks } from './upkeep.ts'
import { admit, adopt, open, write } from './video-verbs.ts'

/** Does nothing, as a write does. */
const ping = async (db: Reader, _args: object): Promise<void> => {
  await db.get('SELECT 1 AS n')
}

/** All writes. Many are one transaction; where one fails, each is run alone. Arguments and answers are plain data. */
export const VERBS = {
  open,
  adopt,
  admit,
  write,
  claim,
  claimDeliveries,
  extend,
  release,
  attempted,
  secrets,
  rotateSecret,
  createEndpoint,
  changeEndpoint,
  deleteEndpoint,
  redeliver,
  replay,
  replayStep,
  backlogStep,
  purgeWebhooks,
  purge,
  meta,
  keepDurations,
  addDurations,
  putFacts,
  serve,
  spend,
  learn,
  giveBack,
  exhausted,
  ping,
  begin,
  made,
  unmade,
  forgetPuppet,
  countRequests,
  purgeResources,
  changeSplit,
  changeAccess,
  keysUsed,
  purgeKeys,
  beginSession,
  sessionSeen,
  endSession,
  purgeSessions,
  purgeAudit,
  putShadows,
  countRefusals,
  purgeRefusals,
}
export type Verbs = typeof VERBS
export type VerbName = keyof Verbs

/** Writes that need not be durable: a power cut may undo them, and nothing that matters is lost. */
export const QUICK: ReadonlySet<string> = new Set<VerbName>([
  'claim',
  'claimDeliveries',
  'extend',
  'release',
  'keepDurations',
  'addDurations',
  'putFacts',
  'spend',
  'learn',
  'giveBack',
  'exhausted',
  'ping',
  'putShadows',
  'countRefusals',
  'keysUsed',
  'sessionSeen',
])

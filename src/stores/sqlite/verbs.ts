import { begin, countRequests, forgetPuppet, made, purgeResources, unmade } from './resource-verbs.ts'
import { admit, open, write } from './video-verbs.ts'
import { attempted, claim, extend, keepDurations, meta, purge, release, secret, voidLeases } from './work-verbs.ts'

/** Every write there is: run by the writer thread, one savepoint each, many to a commit. Arguments and answers are plain data. */
export const VERBS = {
  open,
  admit,
  write,
  claim,
  extend,
  release,
  attempted,
  secret,
  voidLeases,
  purge,
  meta,
  keepDurations,
  begin,
  made,
  unmade,
  forgetPuppet,
  countRequests,
  purgeResources,
}
export type Verbs = typeof VERBS
export type VerbName = keyof Verbs

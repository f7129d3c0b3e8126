import { type Actor, type AuditAction, entryOf } from '../../core/access.ts'
import { Problem } from '../../core/errors.ts'
import type { Ports } from '../../core/ports.ts'
import type { Pause, PausedWork, PauseState } from '../../core/store/accounts.ts'
import { type Clock, isoOrNull } from '../../core/time/clock.ts'
import type { Account, AccountPauses } from '../upstream/accounts.ts'

const endOf = ({ untilMs }: Pick<Pause, 'untilMs'>): number => untilMs ?? Infinity

/** What these pauses mean for an account now. They are one after the other. */
export const pausesOf = (clock: Pick<Clock, 'now'>, read: () => readonly Pause[]): AccountPauses => {
  const inForce = (): Pause | null => read().findLast((one) => endOf(one) > clock.now()) ?? null
  const lengthMs = (one: Pause, fromMs: number): number =>
    Math.max(0, Math.min(endOf(one), clock.now()) - Math.max(one.sinceMs, fromMs))
  const of = (work: PausedWork): Pause[] => read().filter((one) => one[work])
  const untilMs = (work: PausedWork): number => {
    const pause = inForce()
    return pause?.[work] ? endOf(pause) : 0
  }
  return {
    inForce,
    untilMs,
    isPaused: (work) => untilMs(work) > 0,
    pausedMs: (work, sinceMs) => of(work).reduce((sum, one) => sum + lengthMs(one, sinceMs), 0),
    before: (work, atMs) => of(work).reduceRight((ms, one) => (endOf(one) > ms ? ms - lengthMs(one, 0) : ms), atMs),
  }
}

/** So many pauses of a backend count for the age of its videos: the latest. */
const MOST_KEPT = 100
/** How often a change is decided again because another write came between. */
const MAX_TRIES = 10

const keyOf = (backend: string): string => `pause:${backend}`

export type PauseWish = Pick<Pause, PausedWork | 'untilMs' | 'reason'>

interface PausesDeps extends Pick<Ports, 'store' | 'wake' | 'clock' | 'log' | 'newId'> {
  backends: readonly string[]
}

/** What operators paused, as this process knows it. What counts is in the store. */
export const createPauses = ({ backends, store, wake, clock, log, newId }: PausesDeps) => {
  const known = new Map<string, PauseState>()
  const keys = backends.map(keyOf)

  /** A read that began before a write may end after it. */
  const learn = (state: PauseState): void => {
    if (state.version >= (known.get(state.key)?.version ?? 0)) known.set(state.key, state)
  }
  const load = async (): Promise<void> => (await store.operated(keys)).pauses.forEach(learn)

  /** Of an account under any of its names. */
  const of = (names: readonly string[]): AccountPauses =>
    pausesOf(clock, () => names.flatMap((name) => known.get(keyOf(name))?.pauses ?? []))

  /** Ends the pause in force, and begins another one if `next` is not null. */
  const change = async (
    { id, backends: names }: Pick<Account, 'id' | 'backends'>,
    next: PauseWish | null,
    by: Actor,
    deed: { action: AuditAction; subject: string; detail: Record<string, unknown> },
  ): Promise<void> => {
    await load()
    // Names of one account are paused together.
    const name = names.find((one) => of([one]).inForce()) ?? names[0] ?? ''
    const key = keyOf(name)
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const nowMs = clock.now()
      const { version, pauses } = known.get(key) ?? { version: 0, pauses: [] }
      if (next === null && !of([name]).inForce()) return
      const ended = pauses.map((one) => (endOf(one) > nowMs ? { ...one, untilMs: nowMs } : one))
      const begun = next ? [{ ...next, sinceMs: nowMs, by: by.client }] : []
      const state = { key, version: version + 1, pauses: [...ended, ...begun].slice(-MOST_KEPT) }
      const audit = entryOf(by, newId('aud'), nowMs, deed)
      if (await store.changePause({ pause: state, audit })) {
        learn(state)
        log.info(
          { backends: names, actor: by.client, action: deed.action, ...deed.detail },
          'a backend was paused or resumed',
        )
        return wake.hint('account', id, nowMs)
      }
      await load()
    }
    throw new Problem('store_unavailable', 'others change this backend at the same time: retry')
  }

  return {
    of,
    /** What the refresh of splits reads beside them. */
    keys,
    learn,
    /** In the place of an earlier pause. `backend`: as the operator named it. */
    pause: (account: Pick<Account, 'id' | 'backends'>, backend: string, wish: PauseWish, by: Actor): Promise<void> => {
      const { untilMs, ...detail } = wish
      return change(account, wish, by, {
        action: 'backend.pause',
        subject: backend,
        detail: { ...detail, until: isoOrNull(untilMs) },
      })
    },
    /** Does nothing if it is not paused. */
    resume: (account: Pick<Account, 'id' | 'backends'>, backend: string, by: Actor): Promise<void> =>
      change(account, null, by, { action: 'backend.resume', subject: backend, detail: {} }),
  }
}
export type Pauses = ReturnType<typeof createPauses>

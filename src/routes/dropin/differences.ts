/** One way in which a drop-in surface answers otherwise than the service that it stands in for. */
export interface Difference {
  readonly id: string
  readonly surface: 'primary' | 'alternate'
  /** Which interface stands behind it: the surface's own, the other one, or either. */
  readonly behind: 'same' | 'other' | 'any'
  /** Where it is met. */
  readonly what: string
  /** What the gateway answers. */
  readonly here: string
  /** What the service answers. */
  readonly there: string
  readonly why: string
}

/** All of them: what `docs/dropin.md` shows, and what the tests allow. */
export const DIFFERENCES: readonly Difference[] = []

const MAX_LEVELS = 32

/** Whether a stranger's JSON is no deeper than anybody means: further down, whoever walks through it runs out of stack. */
export const isShallow = (value: unknown, levels = MAX_LEVELS): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1)))

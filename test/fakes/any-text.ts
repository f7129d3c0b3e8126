import * as fc from 'fast-check'

/** As fast-check asks for it: so it also tries `__proto__` and other names that are dangerous to a program. */
const pointOf = (text: unknown): number => {
  const point = typeof text === 'string' ? text.codePointAt(0) : undefined
  if (point === undefined || String.fromCodePoint(point) !== text) throw new Error('it is not one code point')
  return point
}

/**
 * Any code point, also half of a surrogate pair, which the unit `binary` of fast-check leaves out. That one first builds a table of
 * a million texts, which takes four seconds in each process.
 */
export const anyCodePoint = fc.nat(0x10ffff).map((point) => String.fromCodePoint(point), pointOf)

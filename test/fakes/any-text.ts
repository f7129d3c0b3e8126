import * as fc from 'fast-check'

/**
 * Any code point, also the half of a pair. The `binary` of fast-check is the same, and first builds a table of a million texts in each
 * process: four seconds.
 */
export const anyCodePoint = fc.nat(0x10ffff).map((point) => String.fromCodePoint(point))

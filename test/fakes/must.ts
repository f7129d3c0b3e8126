/** The value, where a test cannot go on without one. */
export const must = <T>(value: T | null | undefined): T => {
  if (value === null || value === undefined) throw new Error('the test expected a value here')
  return value
}

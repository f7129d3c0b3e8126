import type { z } from 'zod'

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}
const TOO_LARGE = 'is too large'
const UNITS: Readonly<Record<string, string>> = { string: 'characters', array: 'items' }

/** Names the kind of a JSON value and never the value. */
const kindOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'boolean' ? 'a boolean' : (KINDS[typeof value] ?? typeof value)
}

const ofType = (expected: string, value: unknown): string => {
  if (typeof value === 'number') {
    // `1.5` is a number already, and so is `1e999`, which no computer holds.
    if (expected === 'int') return 'must be a whole number'
    if (expected === 'number') return TOO_LARGE
  }
  return `must be ${KINDS[expected] ?? expected}, not ${kindOf(value)}`
}

const oneOf = (values: readonly unknown[]): string => {
  const listed = values.map((value) => JSON.stringify(value)).join(', ')
  return values.length === 1 ? listed : `one of ${listed}`
}

const atLeast = (origin: string, least: string, inclusive: boolean): string => {
  const unit = UNITS[origin]
  if (unit) return least === '1' ? 'must not be empty' : `must have at least ${least} ${unit}`
  return `must be ${inclusive ? 'at least' : 'more than'} ${least}`
}

const atMost = (origin: string, most: string, inclusive: boolean): string => {
  const unit = UNITS[origin]
  return unit ? `must have at most ${most} ${unit}` : `must be ${inclusive ? 'at most' : 'less than'} ${most}`
}

/**
 * What a client reads of a fault, for every issue that its schema says nothing about: what is wanted, with its limits,
 * in words of JSON. zod's own are for whoever wrote the schema.
 */
export const inPlainWords = (issue: z.core.$ZodRawIssue): string => {
  const { code, input } = issue
  const isRoot = (issue.path ?? []).length === 0
  if (input === undefined && !isRoot)
    return code === 'invalid_value' ? `is required: ${oneOf(issue.values)}` : 'is required'
  switch (code) {
    case 'invalid_type':
      return isRoot ? `the body must be a JSON object, not ${kindOf(input)}` : ofType(issue.expected, input)
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`
    case 'too_small':
      return atLeast(issue.origin, String(issue.minimum), issue.inclusive ?? true)
    case 'too_big':
      // Beyond what a number can count exactly.
      if (issue.maximum === Number.MAX_SAFE_INTEGER) return TOO_LARGE
      return atMost(issue.origin, String(issue.maximum), issue.inclusive ?? true)
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'must be a time in ISO 8601 with its zone, such as 2026-11-20T12:00:00Z'
        : 'is malformed'
    default:
      return 'is not valid'
  }
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSafe } from 'redos-detector'
import ts from 'typescript-5'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '../fakes/gateway.ts'

/**
 * A regular expression whose cost grows faster than its text lets anybody hold the process up who chooses the text. Each
 * one is analysed, not timed: how often it can step back must have a bound that does not depend on the text.
 */

const SRC = join(import.meta.dirname, '../../src')
/** What runs for an operator or in an app, and reads what that person has or wrote, such as a configuration. */
const OF_ITS_USER = /^(cli|client|config|console|migration|sandbox)\//
/** What grows, and why no stranger can use that. */
const BOUNDED: Readonly<Record<string, string>> = {
  'adapters/shared/speaker.ts /\\p{N}.*\\p{N}.*\\p{N}.*\\p{N}|@.*\\.|(?=\\p{L}*\\p{N})[\\p{L}\\p{N}]{12}/u':
    'PLAIN_WORD before it: 60 characters',
  'adapters/shared/problems.ts /\\b(E[A-Z]{4,}|[A-Z]{3,}(_[A-Z0-9]+)+)\\b/': 'cut to 300 characters',
  'adapters/shared/read.ts /\\/+$/': 'the base URL of the configuration',
  'adapters/shared/read.ts /\\S*:\\/\\/\\S*/g': 'cut to 1,000 characters',
  'adapters/shared/read.ts /\\bbearer\\s+\\S+/gi': 'cut to 1,000 characters',
  'adapters/shared/read.ts /\\?\\S*=\\S*/g': 'cut to 1,000 characters',
  'adapters/shared/speaker.ts /\\/+$/': 'the base URL of the configuration',
  'http/carriers.ts /\\/+$/': 'the base URL of the configuration',
  'http/masked.ts /v(?:i(?:d(?:_(?:[0-9A-HJKMNP-TV-Z]{0,25}|[0-9A-HJKMNP-TV-Z]{26}(?:\\.\\d{0,9}|\\.\\d{1,9}\\.[\\w-]{0,42})?))?)?)?$/':
    'the last 84 bytes of a chunk',
  'routes/dropin/passthrough.ts /\\/+$/': 'the base URL of the configuration',
  'routes/dropin/routes.ts /\\/+$/': 'the base URL of the configuration',
  'routes/parse.ts /^\\s*(\\{\\s*\\})?\\s*$/': 'a body of at most 1,024 bytes',
  'routes/middleware/problems.ts /\\(line (\\d+) column (\\d+)\\)$/': 'cut to 300 characters',
  'routes/middleware/request.ts /(\\/hooks\\/+[^/]*\\/).*/i': 'a path cut to 256 characters',
  'routes/openapi/document.ts /\\{(\\w+)\\}/g': "the gateway's own paths",
  'routes/unified/operation.ts /\\{(\\w+)\\}/g': "the gateway's own paths",
  'routes/unified/videos/short-read.ts /^(?:[^;]*,)?\\s*(?:\\*\\/\\*|application\\/json)\\s*(?:,[^;]*)?$/':
    'a header of at most 256 characters, after the key',
  'stores/postgres/pool.ts /\\/\\*postgres (.*?) \\*\\//gs': "the gateway's own statements",
  'webhooks/sign.ts /,\\s*v1,/': 'an operator checks what they captured',
}

const literalsIn = (file: string): string[] => {
  const source = ts.createSourceFile(file, readFileSync(join(SRC, file), 'utf8'), ts.ScriptTarget.Latest)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const grows = (literal: string): boolean => {
  const end = literal.lastIndexOf('/')
  // The analysis knows no `i` beside `u`: which letters are the same changes nothing in how often it steps back.
  const flags = literal.slice(end + 1).replace(/i(?=u)/, '')
  const regex = new RegExp(literal.slice(1, end), flags)
  return !isSafe(regex, { downgradePattern: true, timeout: Infinity }).safe
}

const FOUND = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !OF_ITS_USER.test(file))
  .flatMap((file) => literalsIn(file).map((literal) => ({ file, literal })))

describe('a regular expression that sees text from outside', () => {
  test.each(['/^(?:[^;]*,)?x(?:,[^;]*)?$/', '/\\s+$/', '/^(a+)+$/'])('%s grows', (literal) =>
    expect(grows(literal)).toBe(true),
  )
  test.each(['/^[a-z]+$/', '/^\\d{1,12}$/', '/^v1,[A-Za-z]{43}=$/'])('%s does not', (literal) =>
    expect(grows(literal)).toBe(false),
  )

  test('does not grow faster than the text, or the text has a bound', () => {
    expect(FOUND.length).toBeGreaterThan(100)
    const growing = FOUND.filter(({ literal }) => grows(literal)).map(({ file, literal }) => `${file} ${literal}`)
    expect(new Set(growing)).toEqual(new Set(Object.keys(BOUNDED)))
  })
})

test('15 kB of `Accept`, without a key, are no text for one that grows', async () => {
  const app = await testApp()
  const sources = new Set(Object.keys(BOUNDED).map((place) => /^\S+ \/(.*)\/[a-z]*$/.exec(place)?.[1]))
  const run = vi.spyOn(RegExp.prototype, 'exec')
  onTestFinished(() => run.mockRestore())
  const path = '/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9'
  await app.raw
    .get(path)
    .set('accept', `${'*/*,'.repeat(3_800)};`)
    .expect(401)
  const lengths = run.mock.contexts.flatMap((regex, at) =>
    regex instanceof RegExp && sources.has(regex.source) ? [String(run.mock.calls[at]?.[0]).length] : [],
  )
  expect(Math.max(0, ...lengths)).toBeLessThanOrEqual(1_024)
})

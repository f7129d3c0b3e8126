import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSafe } from 'redos-detector'
import ts from 'typescript-5'
import { describe, expect, test } from 'vitest'
import { TOKEN } from '../../src/core/api/signed.ts'

/**
 * A regular expression whose cost grows faster than its text lets anybody hold the process up who chooses the text. Each
 * one is analysed, not timed: how often it can step back must have a bound that does not depend on the text.
 */

const SRC = join(import.meta.dirname, '../../src')
/**
 * What runs for an operator, and reads what that person has or wrote, such as a configuration. `packages/` is left out for
 * the same reason: the client, the console and the sandbox run where their user is.
 */
const OF_ITS_USER = /^(cli|config)\//
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
  'http/hand-through.ts /v(?:i(?:d(?:_(?:[0-9A-HJKMNP-TV-Z]{0,25}|[0-9A-HJKMNP-TV-Z]{26}(?:\\.\\d{0,9}|\\.\\d{1,9}\\.[\\w-]{0,42})?))?)?)?$/':
    'the last 84 bytes of a chunk',
  'migration/aliases.ts /^[^a-z0-9]+|[^a-z0-9]+$/g': 'cut to 200 characters',
  'migration/tallies.ts /\\?.*$/s': 'the first question mark matches, whatever follows',
  'routes/dropin/passthrough.ts /\\/+$/': 'the base URL of the configuration',
  'routes/dropin/surface.ts /\\/+$/': 'the base URL of the configuration',
  'routes/parse.ts /^\\s*(\\{\\s*\\})?\\s*$/': 'a body of at most 1,024 bytes',
  'routes/middleware/problems.ts /\\(line (\\d+) column (\\d+)\\)$/': 'cut to 300 characters',
  'routes/middleware/request.ts /(\\/hooks\\/+[^/]*\\/).*/i': 'a path cut to 256 characters',
  'routes/openapi/document.ts /\\{(\\w+)\\}/g': "the gateway's own paths",
  'stores/postgres/pool.ts /(?:^|\\s)(?:-c\\s*|--)([\\w.-]+)=((?:\\\\.|[^\\s\\\\])*)/gs':
    'the URL of the configuration',
  'stores/postgres/pool.ts /\\/\\*postgres (.*?) \\*\\//gs': "the gateway's own statements",
  'stores/postgres/schema.ts /;\\s*$/m': "the gateway's own migrations",
  'webhooks/sign.ts /,\\s*v1,/': 'an operator checks what they captured',
}

/** What is put together: the expressions as they stand in the code, and what they make. */
const BUILT: Readonly<Record<string, RegExp>> = {
  'access/keyring.ts new RegExp(`^${PREFIX}[0-9A-Za-z]{${BODY + SUM}}$`)': /^tb_live_[0-9A-Za-z]{49}$/,
  // Of a secret of the characters `a` and `"`.
  "http/exchange.ts new RegExp(secret.split('').map(inAnySpelling).join(''), 'g')":
    /(?:\u0061|\\{1,2}u0061)(?:\\{0,2}\u0022|\\{1,2}u0022)/g,
  "http/hand-through.ts new RegExp(String.raw`${TOKEN.source}(?:[\\w-]{43}|[\\w-]{0,42}(?![\\w-]|$))`, 'g')":
    new RegExp(String.raw`${TOKEN.source}(?:[\w-]{43}|[\w-]{0,42}(?![\w-]|$))`, 'g'),
}

const isBuilt = (node: ts.Node): boolean =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === 'RegExp'

const expressionsIn = (text: string): { literals: string[]; built: string[] } => {
  const source = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest)
  const literals: string[] = []
  const built: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) literals.push(node.text)
    if (isBuilt(node)) built.push(node.getText(source))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { literals, built }
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
  .map((file) => ({ file, ...expressionsIn(readFileSync(join(SRC, file), 'utf8')) }))
/** Those that grow, with their files. */
const growingOf = (files: readonly { file: string; literals: readonly string[] }[]): Set<string> =>
  new Set(files.flatMap(({ file, literals }) => literals.filter(grows).map((literal) => `${file} ${literal}`)))

describe('a regular expression that sees text from outside', () => {
  test.each(['/^(?:[^;]*,)?x(?:,[^;]*)?$/', '/\\s+$/', '/^(a+)+$/'])('%s grows', (literal) =>
    expect(grows(literal)).toBe(true),
  )
  test.each(['/^[a-z]+$/', '/^\\d{1,12}$/', '/^v1,[A-Za-z]{43}=$/'])('%s does not', (literal) =>
    expect(grows(literal)).toBe(false),
  )

  test('does not grow faster than the text, or the text has a bound', () => {
    expect(FOUND.flatMap(({ literals }) => literals).length).toBeGreaterThan(100)
    expect(growingOf(FOUND)).toEqual(new Set(Object.keys(BOUNDED)))
  })

  test('is found where it is put together, too', () => {
    const built = FOUND.flatMap((found) => found.built.map((expression) => `${found.file} ${expression}`))
    expect(new Set(built)).toEqual(new Set(Object.keys(BUILT)))
    expect(Object.values(BUILT).filter((regex) => grows(String(regex)))).toEqual([])
  })

  test('that is quadratic and new would be seen, however it is written', () => {
    const text = 'const a = /\\s+$/\nconst b = new RegExp(`${a.source}`)\nconst c = RegExp("(a+)+$")'
    const { literals, built } = expressionsIn(text)
    expect(growingOf([{ file: 'new.ts', literals }])).toEqual(new Set(['new.ts /\\s+$/']))
    expect(built).toEqual(['new RegExp(`${a.source}`)', 'RegExp("(a+)+$")'])
  })
})

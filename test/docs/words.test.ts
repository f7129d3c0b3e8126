import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { INTERFACES } from '../../src/adapters/index.ts'
import { PROBLEMS } from '../../src/core/errors.ts'
import { documentOf } from '../../src/routes/openapi/document.ts'
import { blocksOf, introducedIn, sentencesOf, wordsIn, type Block } from './prose.ts'
import { EMPHASIS, MEAN_WORDS, MOST_WORDS, ODD_COMMENTS, OURS, SHARE_OVER_25, USUAL } from './vocabulary.ts'

const ROOT = join(import.meta.dirname, '../..')
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

const GLOSSARY = 'docs/glossary.md'
/** The services wrote their contracts, and a script writes one page from them. */
const NOT_OURS = /^docs\/contract/
const PAGES = globSync(['{README,CONTRIBUTING}.md', 'examples/README.md', 'docs/**/*.md'], { cwd: ROOT })
  .filter((page) => !NOT_OURS.test(page))
  .toSorted()

/** The texts of a document that people read. */
const readable = (value: unknown, key: string): string[] => {
  if (typeof value === 'string') return ['description', 'summary', 'title'].includes(key) ? [value] : []
  if (typeof value !== 'object' || value === null || ['value', 'example', 'default', 'enum'].includes(key)) return []
  return Object.entries(value).flatMap(([name, inner]) => readable(inner, name))
}

/** What is put into a message while it runs, as one word. */
const filled = (literal: string): string => literal.slice(1, -1).replaceAll(/\$\{[^}]*\}/g, '0')
const LITERAL = /'[^'\n]*'|"[^"\n]*"|`[^`]*`/.source
const MESSAGE = new RegExp(
  [
    String.raw`\b(?:new Problem|\w*[pP]roblem)\(\s*'\w+',\s*(?:'\w+',\s*)?(${LITERAL})`,
    String.raw`\bmessage:\s*(${LITERAL})`,
    // Of zod: `.refine(isHttps, '…')`, `.regex(/…/, '…')`, `.min(1, '…')`.
    String.raw`\.(?:refine|regex|min|max)\([^'"\`\n]+,\s*(${LITERAL})\s*\)`,
  ].join('|'),
  'g',
)

/** The messages of every `Problem` and every zod schema in the code. */
const messagesOf = (source: string): string[] =>
  Array.from(source.matchAll(MESSAGE), (found) => filled(found.slice(1).find((literal) => literal !== undefined) ?? ''))

/** The texts of a screen: what JSX shows between tags, and literals of three words or more. */
const shownIn = (source: string): string[] => {
  const code = source.replaceAll(/^import [^]*? from '.*'$|\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
  const texts = Array.from(
    code.matchAll(/(?<!=)>([^<>{}[\]=;()]+)(?=[<{])|}([^<>{}[\]=;()]+)(?=[<{])/g),
    ([, a, b]) => a ?? b ?? '',
  )
  const literals = Array.from(code.matchAll(new RegExp(LITERAL, 'g')), ([literal]) => filled(literal))
  return [...texts, ...literals]
    .map((text) => text.trim().replaceAll(/\s+/g, ' '))
    .filter((text) => text.split(' ').length > 2)
}

/** Each comment of a source, as one text: neighbouring lines of `//` are one. */
const commentsIn = (source: string): string[] =>
  Array.from(source.matchAll(/\/\*\*?([^]*?)\*\/|((?:(?<=^|\s)\/\/.*(?:\n[ \t]*(?=\/\/)|$))+)/gm), ([, block, lines]) =>
    (block ?? lines ?? '')
      .replaceAll(/^\s*(?:\*|\/\/) ?/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
const ODD = Object.values(USUAL)
const isOdd = (text: string): boolean => {
  const words = text.replaceAll(/`[^`]*`/g, '')
  return ODD.some((pattern) => pattern.test(words))
}

interface Source {
  readonly name: string
  readonly blocks: readonly Block[]
}
const sourceOf = (name: string, texts: readonly string[]): Source => ({
  name,
  blocks: [...new Set(texts)].flatMap((text) => blocksOf(text)),
})
const SOURCES: readonly Source[] = [
  ...PAGES.map((page) => sourceOf(page, [textOf(page)])),
  sourceOf('OpenAPI', readable(documentOf('all', INTERFACES), '')),
  sourceOf('messages', [
    ...Object.values(PROBLEMS).map(({ title }) => title),
    ...globSync('{src,packages/*/src}/**/*.ts', { cwd: ROOT }).flatMap((file) => messagesOf(textOf(file))),
  ]),
  sourceOf(
    'console',
    globSync('packages/console/src/**/*.{ts,tsx}', { cwd: ROOT }).flatMap((file) => shownIn(textOf(file))),
  ),
]

const TERMS = Array.from(textOf(GLOSSARY).matchAll(/^\| \*\*(.+?)\*\* \|/gm), ([, term = '']) => term)

const lengthsIn = (blocks: readonly Block[]): number[] =>
  blocks.filter(({ isProse }) => isProse).flatMap(({ text }) => sentencesOf(text).map(wordsIn))

/** Everything in a text that is hard to read. */
const faultsIn = (blocks: readonly Block[], terms: readonly string[]): string[] =>
  blocks.flatMap(({ text, isProse }) => [
    ...Object.entries(USUAL).flatMap(([usual, pattern]) => {
      const [found] = pattern.exec(text) ?? []
      return found === undefined ? [] : [`"${found}": rather ${usual}: ${text}`]
    }),
    ...Object.entries(OURS).flatMap(([term, pattern]) =>
      pattern.test(text) && !terms.includes(term) ? [`"${term}" is not in the glossary: ${text}`] : [],
    ),
    ...(isProse ? introducedIn(text) : []).flatMap((term) =>
      [...terms, ...EMPHASIS].includes(term) ? [] : [`"${term}" is bold, and not in the glossary: ${text}`],
    ),
    ...sentencesOf(text).flatMap((sentence) =>
      wordsIn(sentence) > MOST_WORDS ? [`a sentence of ${wordsIn(sentence)} words: ${sentence}`] : [],
    ),
  ])

describe('a reader understands at first reading', () => {
  test.each(SOURCES)('$name', ({ blocks }) => {
    expect(blocks.length).toBeGreaterThan(0)
    expect(faultsIn(blocks, TERMS)).toEqual([])
  })

  test('sentences are short', () => {
    const lengths = SOURCES.flatMap(({ blocks }) => lengthsIn(blocks))
    const mean = lengths.reduce((sum, words) => sum + words, 0) / lengths.length
    expect(mean).toBeLessThanOrEqual(MEAN_WORDS)
    expect(lengths.filter((words) => words > 25).length / lengths.length).toBeLessThanOrEqual(SHARE_OVER_25)
  })
})

describe('a page is read in one sitting', () => {
  /** Looked up, not read: a row for each finding, for each difference, for each measurement. */
  const REFERENCES = ['docs/benchmarks.md', 'docs/doctor.md', 'docs/dropin.md']
  const MOST_ON_A_PAGE = 2_500
  /** Its words without its code. */
  const lengthOf = (page: string): number => blocksOf(textOf(page)).reduce((sum, { text }) => sum + wordsIn(text), 0)

  test('it has 2,500 words at most, unless it is a reference', () => {
    const long = PAGES.filter((page) => lengthOf(page) > MOST_ON_A_PAGE)
    expect(long.map((page) => `${page}: ${lengthOf(page)}`)).toEqual(
      REFERENCES.map((page) => `${page}: ${lengthOf(page)}`),
    )
  })
})

test('comments use the words of the pages: the number of those that do not only falls', () => {
  const comments = globSync('{src,packages/*/src}/**/*.{ts,tsx}', { cwd: ROOT })
    .filter((file) => !file.endsWith('schema.d.ts'))
    .flatMap((file) => commentsIn(textOf(file)).map((text) => ({ file, text })))
  expect(comments.length).toBeGreaterThan(1_000)
  const odd = comments.filter(({ text }) => isOdd(text))
  expect(odd.length, odd.map(({ file, text }) => `${file}: ${text}`).join('\n')).toBeLessThanOrEqual(ODD_COMMENTS)
})

describe('the glossary', () => {
  test('is one page of terms that the pages use', () => {
    expect(TERMS.length).toBeGreaterThan(20)
    expect(textOf(GLOSSARY).split('\n').length).toBeLessThanOrEqual(80)
    const elsewhere = SOURCES.filter(({ name }) => name !== GLOSSARY).flatMap(({ blocks }) => blocks)
    const isUsed = (term: string): boolean => elsewhere.some(({ text }) => OURS[term]?.test(text) === true)
    expect(TERMS.filter((term) => !isUsed(term))).toEqual([])
  })

  test('has each term once', () => expect(TERMS).toEqual([...new Set(TERMS)]))
})

describe('a text that is hard to read is found', () => {
  const faults = (markdown: string, terms: readonly string[] = []): string[] => faultsIn(blocksOf(markdown), terms)

  test('by an unusual word', () => {
    expect(faults('| code | Its reader is told. |')).toEqual([expect.stringMatching(/^"told": rather report/)])
    expect(faults('Run `told`.\n\n```sh\necho told\n```\n')).toEqual([])
  })

  test('by a term that the glossary lacks', () => {
    expect(faults('* It is in doubt.')).toEqual(['"doubt" is not in the glossary: It is in doubt.'])
    expect(faults('* It is in doubt.', ['doubt'])).toEqual([])
    expect(faults('An edge is **fuzzy** then.')).toEqual([
      '"fuzzy" is bold, and not in the glossary: An edge is **fuzzy** then.',
    ])
    expect(faults('**fuzzy**: a label.')).toEqual([])
  })

  test('by a sentence of more than 40 words', () => {
    const words = (count: number): string => 'word '.repeat(count).trim()
    expect(faults(`${words(20)}\n${words(21)}.`)).toEqual([expect.stringMatching(/^a sentence of 41 words/)])
    expect(faults(`${words(40)}. ${words(40)}; Word`)).toHaveLength(1)
    expect(faults(`${words(30)}.\n\n* ${words(30)}\n* ${words(30)}`)).toEqual([])
  })

  test('in a message of the code', () => {
    expect(messagesOf("throw new Problem('not_found', 'nothing was told', {})")).toEqual(['nothing was told'])
    expect(messagesOf("fieldProblem('x', 'path', `no ${a} here`)")).toEqual(['no 0 here'])
    expect(messagesOf("z.string().min(1, 'must not be empty')")).toEqual(['must not be empty'])
    expect(messagesOf("{ code: 'custom', message: 'was told' }")).toEqual(['was told'])
  })

  test('in a comment', () => {
    const source =
      '/** It was told\n * `at once`. */\nconst a = 1 // of b\n// c\n\n// at once\nconst url = "http://told"'
    expect(commentsIn(source)).toEqual(['It was told `at once`.', 'of b c', 'at once'])
    expect(commentsIn(source).map(isOdd)).toEqual([true, false, true])
  })

  test('in a text of the console', () => {
    expect(shownIn("<p class='a b c'>\n  It was told\n  once. <b>x</b> or {y} it was told</p>")).toEqual([
      'It was told once.',
      'it was told',
      'a b c',
    ])
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ATTRIBUTES, SPANS } from '../../src/core/tracing.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/tracing.md'), 'utf8')

test('docs/tracing.md has every span and every attribute as they are', () => {
  const spans = Object.entries(SPANS).map(
    ([name, { kind, place, about }]) => `| \`${name}\` | ${kind} | ${place} | ${about} |`,
  )
  expect(PAGE).toContain(
    ['| Span | Kind | Where it belongs | What it covers |', '|---|---|---|---|', ...spans, ''].join('\n'),
  )
  const attributes = Object.values(ATTRIBUTES).map(
    ({ key, on, about }) => `| \`${key}\` | ${on.join(', ')} | ${about} |`,
  )
  expect(PAGE).toContain(['| Attribute | On | What it says |', '|---|---|---|', ...attributes, ''].join('\n'))
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readPage } from './blocks.ts'
import { poolOf, startProfile, type Profile } from './profile.ts'
import { runPage, skippedWithoutCurl } from './runner.ts'

const ROOT = join(import.meta.dirname, '../..')
const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8')

/** Read in the order of docs/api.md's own list, on one gateway, whose ten credits a month must do for all of it. */
const CHAPTERS = [
  'docs/api.md',
  ...Array.from(textOf('docs/api.md').matchAll(/\((api\/[a-z-]+\.md)\)/g), ([, name]) => `docs/${name}`),
]
const GUIDE = [...new Set(CHAPTERS)]
/** Each on a gateway of its own. Pages for developers are not here: their commands install and build. */
const PAGES = [
  'README.md',
  'docs/install.md',
  'docs/batches.md',
  'docs/pools.md',
  'docs/keys.md',
  'docs/webhooks.md',
  'docs/dropin.md',
]
const OTHERS = globSync(PAGES, { cwd: ROOT }).toSorted()

describe.skipIf(skippedWithoutCurl())('every block does what its page says', () => {
  describe('the guide, from its first page to its last', () => {
    let profile: Profile
    beforeAll(async () => {
      profile = await startProfile()
    })
    afterAll(() => profile.close())

    test.each(GUIDE)('%s', async (page) => {
      expect(await runPage(textOf(page), profile.addresses)).toEqual([])
    })
  })

  describe('other pages', () => {
    const running = OTHERS.filter((page) => readPage(textOf(page)).blocks.length > 0)
    test.each(running)('%s', async (page) => {
      const profile = await startProfile(page === 'docs/pools.md' ? poolOf : undefined)
      onTestFinished(() => profile.close())
      expect(await runPage(textOf(page), profile.addresses)).toEqual([])
    })
  })
})

test('a block that is not run says why', () => {
  const silent = [...GUIDE, ...OTHERS].filter((page) => readPage(textOf(page)).reasons.includes(''))
  expect(silent).toEqual([])
})

test('every claim is right below a block that is run', () => {
  const strays = [...GUIDE, ...OTHERS].flatMap((page) => readPage(textOf(page)).strays.map((line) => `${page}:${line}`))
  expect(strays).toEqual([])
})

test('the guide lists every page of its folder', () => {
  const there = globSync('docs/api/*.md', { cwd: ROOT }).toSorted()
  expect(GUIDE.slice(1).toSorted()).toEqual(there)
})

import { expect, test } from 'vitest'
import { suggestAliases } from '../../src/migration/aliases.ts'
import { lackingOf } from '../../src/migration/report.ts'
import { createTallies } from '../../src/migration/tallies.ts'
import { accountOf, backendOf, scriptedAdapter } from '../fakes/adapter.ts'
import { must } from '../fakes/must.ts'

const sideOf = (name: string) => ({
  name,
  backend: backendOf(name, accountOf(scriptedAdapter(() => 0))),
  voices: new Map(),
  puppets: new Map(),
  problem: null,
})

const missing = (count: number) => {
  const tallies = createTallies()
  for (let n = 0; n < count; n += 1) tallies.countLacking('voice', `voice_${n}`)
  return tallies
}

test('other work runs after each of what is compared with a catalogue', async () => {
  let others = 0
  let isOver = false
  const other = (): void => {
    others += 1
    if (!isOver) setImmediate(other)
  }
  other()
  const listed = await lackingOf(missing(20), sideOf('main'), sideOf('alt'), new AbortController().signal)
  isOver = true
  expect(listed).toHaveLength(20)
  expect(others).toBeGreaterThanOrEqual(20)
})

test('it ends when nobody reads it any more', async () => {
  const signal = AbortSignal.abort(new Error('hung up'))
  await expect(lackingOf(missing(1), sideOf('main'), sideOf('alt'), signal)).rejects.toThrow('hung up')
})

test('images are told without their query, which may sign them, and those that differ in nothing else are one', async () => {
  const tallies = createTallies()
  for (const query of ['?sig=one', '?sig=two&x=1', ''])
    tallies.countLacking('image', { image_url: `https://cdn.example/anna.png${query}` })
  const listed = await lackingOf(tallies, sideOf('main'), sideOf('alt'), new AbortController().signal)
  expect(listed.map(({ id, videos }) => [id, videos])).toEqual([
    ['https://cdn.example/anna.png?…', 2],
    ['https://cdn.example/anna.png', 1],
  ])
  const [signed] = listed
  const good = { id: 'pup_anna', name: 'Anna', language: null, gender: null, score: 1, why: 'the same', isGood: true }
  const known = { configured: { voices: {}, puppets: {} }, from: ['main'], to: 'alt', backends: ['main', 'alt'] }
  const { text } = suggestAliases([{ ...must(signed), candidates: [good] }], { ...known, reserved: new Set() })
  expect(text).toMatch(/# .*anna\.png\?….*an alias cannot name it/)
})

import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseConfig } from '../../src/config.ts'
import { keyOfLacking, suggestAliases, type Lacking } from '../../src/migration/aliases.ts'
import type { AliasConfig, Entry } from '../../src/engine/create/route.ts'
import { seededRandom } from '../fakes/random.ts'

const NAMES = ['main', 'alt', 'true', '1', 'on_call']

/** A configuration with these lines in it, as an operator would paste them. */
const withPasted = (text: string) =>
  parseConfig({
    text: `backends:
${NAMES.map((name) => `  "${name}": { interface: primary, base_url: "https://${name.replace('_', '-')}.example", api_key: key_${name} }`).join('\n')}
clients: [{ id: acme, key: tb_acme_0123456789abcdef }]
routing: { default: main }
${text}`,
    env: { HOME: '/root' },
    readFile: () => 'secret',
  })

const PIECES = [
  Array.from('_-.: "\'\\\n\t\r#{}[],!|>%@`~=$ü👋\u0000\u0007\u0085\u2028\u2029\ufeff\u202e\ud83d\u{e0001}'),
  ['voice', ' # ', '&a', '*a', '${HOME}', '$${', '${', '日本', 'null', 'true', '1.0', '0x1F'],
  ['main:', 'alt:x', 'narrator', 'anna', '__proto__', 'constructor', '<<', '---'],
].flat()

const generator = (seed: number) => {
  const random = seededRandom(seed)
  const upTo = (most: number): number => Math.floor(random() * most)
  const pick = <T>(of: readonly T[]): T => {
    const found = of[upTo(of.length)]
    if (found === undefined) throw new Error('nothing to pick from')
    return found
  }
  const id = (): string => {
    const text = Array.from({ length: 1 + upTo(4) }, () => pick(PIECES)).join('')
    return random() < 0.03 ? text.repeat(80) : text
  }
  const url = (): string =>
    pick([
      `https://cdn.example/${id()}.png`,
      'https://example.com/anna.png',
      'http://plain.example/a',
      'https:///',
      id(),
    ])
  const lacking = (): Lacking => {
    const kind = pick(['voice', 'puppet', 'image'] as const)
    const candidates = Array.from({ length: upTo(4) }, () => {
      return { id: id(), name: id(), language: null, gender: null, score: 0.5, why: id(), isGood: random() < 0.8 }
    })
    return {
      kind,
      id: kind === 'image' ? url() : id(),
      name: random() < 0.8 ? id() : null,
      videos: upTo(100),
      candidates,
    }
  }
  return { lacking, upTo }
}

const CONFIGURED: AliasConfig = {
  voices: { narrator: { main: 'v_1', alt: 'w_1' }, half: { main: 'voice' } },
  puppets: { anna: { main: { image_url: 'https://example.com/anna.png' } }, other: { alt: 'p_1' } },
}

const suggestionFor = (lacking: readonly Lacking[], configured: AliasConfig = CONFIGURED) =>
  suggestAliases(lacking, {
    configured,
    from: ['main'],
    to: 'alt',
    backends: NAMES,
    reserved: new Set(['lena', 'voice']),
  })

const entryOf = ({ kind, id }: Lacking): Entry => (kind === 'image' ? { image_url: id } : id)

test('the block always is a configuration, keeps what there was, and says what was chosen, whatever the ids are', () => {
  const requests = generator(11)
  let chosenInAll = 0
  for (let round = 0; round < 400; round += 1) {
    const byKey = new Map(
      Array.from({ length: requests.upTo(12) }, requests.lacking).map((one) => [keyOfLacking(one), one]),
    )
    const lacking = [...byKey.values()]
    const { text, chosen } = suggestionFor(lacking)
    const parsed = withPasted(text)
    expect(parsed.ok ? [] : parsed.faults, text).toEqual([])
    if (!parsed.ok) continue
    const { voices, puppets } = parsed.config.aliases
    expect(voices).toMatchObject(CONFIGURED.voices)
    expect(puppets).toMatchObject(CONFIGURED.puppets)
    for (const one of lacking) {
      const found = chosen.get(keyOfLacking(one))
      if (!found) continue
      chosenInAll += 1
      const group = (one.kind === 'voice' ? voices : puppets)[found.alias]
      expect(group).toMatchObject({ main: entryOf(one), alt: found.id })
    }
  }
  expect(chosenInAll).toBeGreaterThan(200)
})

const voice = (id: string, videos: number, to: string, isGood = true): Lacking => ({
  kind: 'voice',
  id,
  name: `the ${id}`,
  videos,
  candidates: [{ id: to, name: null, language: null, gender: null, score: 1, why: 'the same', isGood }],
})

test('what is used most chooses first, and nothing is shared', () => {
  const { text } = suggestionFor([voice('a', 1, 'x'), voice('b', 2, 'x')], { voices: {}, puppets: {} })
  expect(parse(text)).toEqual({ aliases: { voices: { 'the-b': { main: 'b', alt: 'x' } }, puppets: {} } })
  expect(text).toContain('    # the-a: { main: "a", alt: "x" } # 1 video; x (it already means the-b; the same)')
})

test('an alias that lacks the new backend gets it; one that leads to what is gone is left to the operator', () => {
  const { text } = suggestionFor([voice('voice', 1, 'x'), voice('v_1', 5, 'y')])
  expect(parse(text)).toMatchObject({
    aliases: { voices: { narrator: { main: 'v_1', alt: 'w_1' }, half: { main: 'voice', alt: 'x' } } },
  })
  expect(text).toContain(
    '# narrator: { main: "v_1", alt: "y" } # 5 videos; y (narrator has an id that alt does not have',
  )
})

test('where all is doubtful, the comments are lines of the section once their marks are removed', () => {
  const none = { voices: {}, puppets: {} }
  const { text } = suggestionFor([voice('c', 1, 'x', false)], none)
  const aliasesIn = (lines: string): unknown => {
    const parsed = withPasted(lines)
    return parsed.ok ? parsed.config.aliases : parsed.faults
  }
  expect(aliasesIn(text)).toEqual(none)
  expect(aliasesIn(text.replaceAll('    # ', '    '))).toEqual({
    voices: { 'the-c': { main: 'c', alt: 'x' } },
    puppets: {},
  })
})

test('what is doubtful is a comment; a name that hides an id is not taken', () => {
  const { text } = suggestionFor([voice('c', 1, 'x', false), { ...voice('d', 1, 'z'), name: 'Lena' }])
  expect(text).toContain('    # the-c: { main: "c", alt: "x" } # 1 video; x (doubtful; the same)')
  expect(text).toContain('    lena-2: { main: "d", alt: "z" } # 1 video; the same')
})

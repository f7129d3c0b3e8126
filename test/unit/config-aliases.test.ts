import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config.ts'

const KEY = 'k'.repeat(20)
const BASE = `
backends:
  main: { interface: primary, base_url: "https://p.example", api_key: secret }
  alt: { interface: alternate, base_url: "https://a.example", api_key: secret }
clients: [{ id: acme, key: ${KEY} }]
routing: { default: main }
`
const parse = (aliases: string) =>
  parseConfig({ text: `${BASE}\naliases: ${aliases}`, env: { V: 'v_77' }, readFile: () => '' })
const lines = (aliases: string): string[] => {
  const parsed = parse(aliases)
  return parsed.ok ? [] : parsed.faults.map(({ path, message }) => `${path}: ${message}`)
}

const EITHER = 'a request could mean either'
const ENTRY = "the backend’s own id, or { image_url: 'https://…' }"

describe('aliases', () => {
  test('are read, references too', () => {
    const text = `{ voices: { narrator: { main: acme-en_1, alt: "\${V}" } }, puppets: { anna: { main: { image_url: "https://i.example/a.png?x=1" }, alt: p_12 } } }`
    const parsed = parse(text)
    expect(parsed.ok && parsed.config.aliases).toEqual({
      voices: { narrator: { main: 'acme-en_1', alt: 'v_77' } },
      puppets: { anna: { main: { image_url: 'https://i.example/a.png?x=1' }, alt: 'p_12' } },
    })
  })

  test.each([
    [
      'one image on two backends',
      '{ puppets: { a: { main: { image_url: "https://i.example/a" }, alt: { image_url: "https://i.example/a" } } } }',
    ],
    ['a name that is its own id', '{ voices: { maya: { main: maya, alt: v_1 } } }'],
    ['one id on two backends', '{ voices: { a: { main: v1 }, b: { alt: v1 } } }'],
    ['an id with a colon', '{ voices: { a: { main: "urn:v1" } } }'],
    ['a voice and a puppet of one name', '{ voices: { a: { main: v1 } }, puppets: { a: { alt: p1 } } }'],
  ])('%s is fine', (_, text) => expect(lines(text)).toEqual([]))

  test.each([
    [
      'a backend that is not there',
      '{ voices: { a: { mian: v1 } } }',
      'aliases.voices.a.mian: there is no backend with this name; did you mean `main`?',
    ],
    ['no backend', '{ voices: { a: {} } }', 'aliases.voices.a: at least one backend is required'],
    [
      'no id',
      '{ voices: { a: { main: "" } } }',
      'aliases.voices.a.main: expected the backend’s own id, 1 to 200 characters, received empty text',
    ],
    [
      'a voice with an image',
      '{ voices: { a: { main: { image_url: "https://i.example" } } } }',
      'aliases.voices.a.main: expected the backend’s own id, 1 to 200 characters, received a mapping',
    ],
    [
      'plain http',
      '{ puppets: { a: { main: { image_url: "http://i.example/a" } } } }',
      'aliases.puppets.a.main.image_url: expected an https URL, received other text',
    ],
    [
      'no URL',
      '{ puppets: { a: { main: { image_url: picture } } } }',
      'aliases.puppets.a.main.image_url: expected an https URL, received other text',
    ],
    [
      'another key',
      '{ puppets: { a: { main: { url: "https://i.example/a" } } } }',
      `aliases.puppets.a.main: expected ${ENTRY}, received a mapping`,
    ],
    [
      'a qualified id',
      '{ voices: { a: { main: "alt:v1" } } }',
      'aliases.voices.a.main: expected the backend’s own id, without a backend’s name before it',
    ],
    [
      'one id for two names',
      '{ voices: { a: { main: v1 }, b: { main: v1 } } }',
      `aliases.voices.b.main: the same as aliases.voices.a.main: ${EITHER}`,
    ],
    [
      'one image for two names',
      '{ puppets: { a: { main: { image_url: "https://i.example/a" } }, b: { alt: { image_url: "https://I.example/a" } } } }',
      `aliases.puppets.b.alt: the same as aliases.puppets.a.main: ${EITHER}`,
    ],
    [
      'an id that is another’s name',
      '{ voices: { a: { main: b }, b: { alt: v1 } } }',
      `aliases.voices.a.main: is also the name of another alias: ${EITHER}`,
    ],
    ['another kind', '{ speakers: {} }', 'aliases.speakers: unknown key'],
  ])('%s', (_, text, expected) => expect(lines(text)).toEqual([expected]))

  test.each(['alt:v1', 'a b', '', '-a', 'x'.repeat(64), 'é'])('a name cannot be %j', (name) => {
    const [line, ...others] = lines(`{ puppets: { ${JSON.stringify(name)}: { alt: p1 } } }`)
    expect([line?.startsWith('aliases.puppets.'), others]).toEqual([true, []])
    expect(line).toContain('expected a name of 1 to 63 characters')
  })

  test('all faults at once', () => {
    const text = '{ voices: { "a:b": { main: v1 }, c: { nowhere: v2 } }, puppets: { d: { main: { image_url: no } } } }'
    expect(lines(text).map((line) => line.split(': ')[0])).toEqual([
      'aliases.puppets.d.main.image_url',
      'aliases.voices."a:b"',
      'aliases.voices.c.nowhere',
    ])
  })
})

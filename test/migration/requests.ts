import { seededRandom } from '../fakes/random.ts'

/** Requests as clients of either interface write them, seeded: every way to name a voice, a portrait and a source. */

export const ALIASES = {
  voices: {
    narrator: { main: 'sandbox-en-us-ava', alt: 'voice_amber' },
    berlin: { main: 'sandbox-de-de-lena', alt: 'voice_fern' },
    gone: { main: 'sandbox-fr-fr-hugo', alt: 'voice_of_last_year' },
    here: { main: 'sandbox-ja-jp-haruto' },
    there: { alt: 'voice_dune' },
  },
  puppets: {
    anna: { main: { image_url: 'https://example.com/anna.png' }, alt: 'pup_ada' },
    ben: { main: 'puppet_ben', alt: 'pup_ben' },
    ghost: { main: { image_url: 'https://example.com/ghost.png' }, alt: 'pup_of_last_year' },
    lone: { main: { image_url: 'https://example.com/lone.png' } },
  },
}

export type Body = Record<string, unknown>

export const generator = (seed: number) => {
  const random = seededRandom(seed)
  const pick = <T>(...of: readonly T[]): T => {
    const found = of[Math.floor(random() * of.length)]
    if (found === undefined) throw new Error('nothing to pick from')
    return found
  }
  const maybe = <T>(share: number, make: () => T): T | undefined => (random() < share ? make() : undefined)
  const given = (body: Body): Body =>
    Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
  const short = () => pick('Hello there.', 'Guten Tag, 你好, привет 👋', 'A "quoted" line\nand another\ttab', 'x')
  const text = (most: number) =>
    pick(
      short,
      short,
      short,
      () => 'word '.repeat(pick(10, 400)),
      () => 'y'.repeat(most),
    )()
  const options = () => ({
    language: maybe(0.25, () => pick('en', 'de-DE', 'German')),
    expressiveness: maybe(0.25, () => pick(0, 0.5, 1.25, 2)),
    resolution: maybe(0.25, () => pick('720p', '1080p')),
    metadata: maybe(0.3, () => ({ order: String(Math.floor(random() * 1000)) })),
  })
  return {
    /** For the primary backend `main`. */
    primary(audio: readonly Body[]): Body {
      const portrait = pick<() => Body>(
        () => ({ image_url: pick('https://example.com/anna.png', 'https://EXAMPLE.com/anna.png') }),
        () => ({ image_url: pick('https://example.com/other.png', 'https://example.com/ghost.png') }),
        () => ({ puppet_id: pick('anna', 'ben', 'ghost', 'lone') }),
        () => ({ puppet_id: pick('puppet_ada', 'main:puppet_ben', 'main:puppet_ada', 'puppet_ben') }),
      )()
      if (random() < 0.1)
        return given({ ...portrait, ...options(), ...pick(...audio), backend: 'main', unsupported: 'warn' })
      const voice_id = maybe(0.75, () =>
        pick(
          'narrator',
          'berlin',
          'gone',
          'here',
          'sandbox-en-us-ava',
          'main:sandbox-en-us-ava',
          'sandbox-de-de-lena',
          'sandbox-ko-kr-minji',
          'main:sandbox-zh-cn-mei',
        ),
      )
      const said = text(pick(4_999, 5_000, 5_001, 7_000))
      return given({ ...portrait, ...options(), text: said, voice_id, backend: 'main', unsupported: 'warn' })
    },
    /** For the alternate backend `alt`. */
    alternate(): Body {
      const puppet_id = pick('anna', 'ben', 'pup_ada', 'pup_ben', 'alt:pup_ben', 'alt:pup_cleo', 'pup_cleo', 'pup_dov')
      const voice_id = maybe(0.75, () =>
        pick(
          'narrator',
          'berlin',
          'there',
          'voice_amber',
          'alt:voice_fern',
          'alt:voice_gale',
          'voice_haze',
          'voice_dune',
        ),
      )
      return given({ puppet_id, ...options(), text: text(5_000), voice_id, backend: 'alt', unsupported: 'warn' })
    },
  }
}

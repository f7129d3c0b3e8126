/** What requests are made of: values that the catalogue of the sandbox has, and some that it does not. */

const PEOPLE = ['ada', 'ben', 'cleo', 'dov', 'emi', 'felix'] as const

export const imageOf = (person: string): string => `https://example.com/${person}.png`
export const IMAGES: readonly string[] = PEOPLE.map(imageOf)
export const PUPPETS: readonly string[] = PEOPLE.map((person) => `pup_${person}`)

/** Voices of both catalogues that are to stand for each other. */
const VOICE_PAIRS = [
  ['sandbox-en-us-ava', 'voice_amber'],
  ['sandbox-en-us-noah', 'voice_brook'],
  ['sandbox-en-gb-arthur', 'voice_cedar'],
  ['sandbox-es-es-lucia', 'voice_dune'],
  ['sandbox-fr-fr-hugo', 'voice_elm'],
  ['sandbox-de-de-lena', 'voice_fern'],
  ['sandbox-pt-br-camila', 'voice_gale'],
  ['sandbox-ja-jp-yuki', 'voice_haze'],
] as const
export const PRIMARY_VOICES: readonly string[] = VOICE_PAIRS.map(([primary]) => primary)
export const ALTERNATE_VOICES: readonly string[] = VOICE_PAIRS.map(([, alternate]) => alternate)

/** The `aliases:` of the gateway's configuration: every image, voice and puppet of above on both backends. */
export const ALIASES = {
  voices: Object.fromEntries(VOICE_PAIRS.map(([main, alt]) => [`as-${alt}`, { main, alt }])),
  puppets: Object.fromEntries(
    PEOPLE.map((person) => [`person-${person}`, { main: { image_url: imageOf(person) }, alt: `pup_${person}` }]),
  ),
}

/** An image that no alias names. */
export const STRANGE_IMAGE = 'https://pictures.example/somebody.jpg'

export const LIMIT_BYTES = { video: 65_536, upload: 8_192, small: 65_536, alternate: 262_144 } as const
export const MAX_FILE_BYTES = 52_428_800

export const MIME_TYPES: readonly string[] = [
  'audio/wav',
  'audio/x-wav',
  'audio/mpeg',
  'audio/mp3',
  'audio/mp4',
  'audio/m4a',
  'audio/x-m4a',
]

/** What no field of a contract takes. */
export const BAD_VALUES: readonly unknown[] = [null, '', '   ', 0, -1, 1.5, true, [], ['x'], {}, { id: 'x' }]

import { seeded } from '../jobs.ts'

const VOWELS = 'aeiou'

export interface Syllable {
  readonly startSeconds: number
  readonly endSeconds: number
  /** Index in "aeiou". */
  readonly vowel: number
  readonly onset: 'hiss' | 'burst' | 'hum' | 'none'
  /** Around 1: the melody of the sentence. */
  readonly pitch: number
  readonly loudness: number
}

export interface SpokenWord {
  readonly text: string
  readonly startSeconds: number
  readonly endSeconds: number
}

export interface SpeechPlan {
  readonly words: readonly SpokenWord[]
  readonly syllables: readonly Syllable[]
}

/** A number of 32 bits that stays the same for a text (FNV-1a). */
export const hashOf = (text: string): number => {
  let hash = 2_166_136_261
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16_777_619)
  return hash >>> 0
}

/** Said where there is nothing to say: the sound of an audio-to-video job, for one. */
const FILLER = 'This is only a sandbox.'
const MAX_SYLLABLE_SECONDS = 0.4
const LONGEST_WORD_CHARS = 24

/** Lengths in beats; a beat is about a syllable. */
const REST = { lead: 0.6, word: 0.25, clause: 1.1, sentence: 2, tail: 0.8 }

interface Beat {
  readonly letters: string
  readonly beats: number
}

/** "sandbox," → "sand", "box": groups around vowels; a script without Latin vowels has one for every two letters. */
const beatsOf = (word: string): Beat[] => {
  const letters = word
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
  const groups = letters.match(/[^aeiouy]*[aeiouy]+(?:[^aeiouy]+$)?/g) ?? letters.match(/.{1,2}/gu) ?? []
  return groups.map((group) => ({ letters: group, beats: 0.75 + 0.08 * Math.min(5, group.length) }))
}

const vowelOf = (letters: string): number => {
  const known = /[aeiou]/.exec(letters)?.[0]
  return known === undefined ? hashOf(letters) % VOWELS.length : VOWELS.indexOf(known)
}

const onsetOf = (letters: string): Syllable['onset'] => {
  if (/^(s|z|f|x|h|ch|c[ei])/.test(letters)) return 'hiss'
  if (/^[ptkbdgqc]/.test(letters)) return 'burst'
  return /^[mnlrwvj]/.test(letters) ? 'hum' : 'none'
}

const restAfter = (word: string): number => {
  if (/[.!?\u2026\u3002]["')\]]*$/.test(word)) return REST.sentence
  return /[,;:\u2013\u2014\u3001]["')\]]*$/.test(word) ? REST.clause : REST.word
}

/** The words of a text, none too long for a line. */
const wordsOf = (text: string): string[] =>
  (/[\p{L}\p{N}]/u.test(text) ? text.trim() : FILLER)
    .split(/\s+/)
    .flatMap((word) => word.match(new RegExp(`.{1,${LONGEST_WORD_CHARS}}`, 'gu')) ?? [])

/**
 * Who says what when: the text's syllables, spread over `seconds`. The same text gives the same plan. Not a phoneme is
 * right, but the rhythm is the text's: its syllables, its pauses, a voice that sinks and, at a question, rises.
 */
export const planSpeech = (text: string, seconds: number): SpeechPlan => {
  const random = seeded(hashOf(text))
  const spoken = wordsOf(text).map((word) => ({ word, beats: beatsOf(word), rest: restAfter(word) }))
  const total = spoken.reduce(
    (sum, { beats, rest }) => sum + rest + beats.reduce((inner, beat) => inner + beat.beats, 0),
    REST.lead + REST.tail - REST.word,
  )
  const beatSeconds = Math.min(MAX_SYLLABLE_SECONDS, seconds / total)
  const words: SpokenWord[] = []
  const syllables: Syllable[] = []
  let now = REST.lead * beatSeconds
  let fall = 0
  for (const { word, beats, rest } of spoken) {
    const startSeconds = now
    for (const [index, { letters, beats: length }] of beats.entries()) {
      const stressed = index === 0
      const rising = word.includes('?') && index === beats.length - 1 ? 0.22 : 0
      syllables.push({
        startSeconds: now,
        endSeconds: (now += length * beatSeconds),
        vowel: vowelOf(letters),
        onset: onsetOf(letters),
        pitch: 1.1 - fall + (stressed ? 0.05 : 0) + rising + 0.06 * (random() - 0.5),
        loudness: (stressed ? 1 : 0.78) * (0.9 + 0.1 * random()),
      })
      fall = Math.min(0.24, fall + 0.012)
    }
    words.push({ text: word, startSeconds, endSeconds: now })
    if (rest === REST.sentence) fall = 0
    now += rest * beatSeconds
  }
  return { words, syllables }
}

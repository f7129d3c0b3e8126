import { seeded } from '../jobs.ts'
import { hashOf, type SpeechPlan, type Syllable } from './syllables.ts'

export const SAMPLE_RATE_HZ = 24_000

/** The first three formants of each vowel, in Hz, and how strong they are. */
const FORMANTS: readonly (readonly [number, number, number])[] = [
  [760, 1_250, 2_550],
  [500, 1_850, 2_500],
  [320, 2_250, 2_950],
  [500, 900, 2_450],
  [350, 780, 2_300],
]
const STRENGTH = [1, 0.55, 0.22]
const WIDTH_HZ = [110, 150, 220]

const STEPS = 256
const SINE = Float32Array.from({ length: STEPS }, (_, step) => Math.sin((2 * Math.PI * step) / STEPS))

/** One period of a vowel at a pitch. */
const periodOf = (vowel: number, pitchHz: number): Float32Array => {
  const formants = FORMANTS[vowel] ?? [500, 1_500, 2_500]
  const period = new Float32Array(STEPS)
  for (let harmonic = 1; harmonic * pitchHz < 4_500 && harmonic < STEPS / 4; harmonic += 1) {
    const hz = harmonic * pitchHz
    const resonance = formants.reduce(
      (sum, formant, which) => sum + (STRENGTH[which] ?? 0) / (1 + ((hz - formant) / (WIDTH_HZ[which] ?? 1)) ** 2),
      0.03,
    )
    const part = resonance / Math.sqrt(harmonic)
    for (let step = 0; step < STEPS; step += 1) {
      period[step] = (period[step] ?? 0) + part * (SINE[(step * harmonic) % STEPS] ?? 0)
    }
  }
  return period
}

/** Loudness within a syllable: swells quickly, fades slowly. */
const swell = (share: number): number =>
  share < 0.25
    ? Math.sin((Math.PI / 2) * (share / 0.25)) ** 2
    : Math.cos((Math.PI / 2) * ((share - 0.25) / 0.75)) ** 1.2

const HISS_SECONDS = 0.07
const BURST_SECONDS = 0.014

/** The noise of a consonant at the beginning of a syllable. */
const addOnset = (samples: Float32Array, start: number, { onset, loudness }: Syllable, random: () => number): void => {
  if (onset !== 'hiss' && onset !== 'burst') return
  const seconds = onset === 'hiss' ? HISS_SECONDS : BURST_SECONDS
  const length = Math.round(seconds * SAMPLE_RATE_HZ)
  let last = 0
  for (let i = 0; i < length && start + i < samples.length; i += 1) {
    const white = random() * 2 - 1
    const envelope = onset === 'hiss' ? Math.sin((Math.PI * i) / length) : 1 - i / length
    samples[start + i] = (samples[start + i] ?? 0) + (white - last) * envelope * loudness * 0.09
    last = white
  }
}

const addVoice = (samples: Float32Array, start: number, end: number, syllable: Syllable, voiceHz: number): void => {
  const hz = voiceHz * syllable.pitch
  const period = periodOf(syllable.vowel, hz)
  const late = syllable.onset === 'burst' ? 0.012 : syllable.onset === 'hiss' ? 0.035 : 0
  const first = start + Math.round(late * SAMPLE_RATE_HZ)
  let phase = 0
  for (let i = first; i < end && i < samples.length; i += 1) {
    const share = (i - first) / Math.max(1, end - first)
    const glide = 1 + 0.05 * (0.4 - share) + 0.008 * Math.sin((2 * Math.PI * 5.2 * i) / SAMPLE_RATE_HZ)
    phase = (phase + (hz * glide * STEPS) / SAMPLE_RATE_HZ) % STEPS
    const whole = Math.floor(phase)
    const here = period[whole] ?? 0
    const there = period[(whole + 1) % STEPS] ?? 0
    const tone = here + (there - here) * (phase - whole)
    samples[i] = (samples[i] ?? 0) + tone * swell(share) * syllable.loudness
  }
}

/** Each voice has its own pitch, between a low and a high one. */
const pitchOf = (voice: string): number => 98 + (hashOf(voice) / 4_294_967_296) * 120

const PEAK = 0.6

/** The plan as sound: mono, −1 to 1, exactly `seconds` long; the same for the same plan and voice. */
export const speak = (plan: SpeechPlan, seconds: number, voice: string): Float32Array => {
  const samples = new Float32Array(Math.round(seconds * SAMPLE_RATE_HZ))
  const random = seeded(hashOf(voice))
  const voiceHz = pitchOf(voice)
  for (const syllable of plan.syllables) {
    const start = Math.round(syllable.startSeconds * SAMPLE_RATE_HZ)
    // A little into the next one, so that a word holds together.
    const end = Math.round((syllable.endSeconds + 0.03) * SAMPLE_RATE_HZ)
    addOnset(samples, start, syllable, random)
    addVoice(samples, start, end, syllable, voiceHz)
  }
  let loudest = 0
  for (const sample of samples) loudest = Math.max(loudest, Math.abs(sample))
  if (loudest > 0) for (let i = 0; i < samples.length; i += 1) samples[i] = ((samples[i] ?? 0) * PEAK) / loudest
  return samples
}

/** How loud each of `count` frames is, 0 to 1: what moves the picture. */
export const levelsOf = (samples: Float32Array, count: number, framesPerSecond: number): number[] => {
  const size = SAMPLE_RATE_HZ / framesPerSecond
  const levels = Array.from({ length: count }, (_, frame) => {
    const part = samples.subarray(Math.round(frame * size), Math.round((frame + 1) * size))
    let sum = 0
    for (const sample of part) sum += sample * sample
    return Math.sqrt(sum / Math.max(1, part.length))
  })
  const most = Math.max(...levels, 1e-6)
  return levels.map((level) => Math.min(1, (level / most) ** 0.7))
}

import { STANDARD } from '../undecided.ts'
import { planSpeech } from './syllables.ts'
import { speak } from './synth.ts'
import { wavOf } from './wav.ts'

/** No longer video is rendered: ten minutes of it serve nobody. */
export const MAX_RENDERED_SECONDS = 120

/** The length of the video that is rendered for a speech of `seconds`. */
export const renderedSeconds = (seconds: number): number => Math.min(MAX_RENDERED_SECONDS, Math.max(1, seconds))

/** As much of a text as a video ever speaks: enough to keep with a job. */
export const spokenPart = (text: string): string =>
  text.slice(0, MAX_RENDERED_SECONDS * STANDARD.timing.charsPerSpeechSecond)

/** Where a voice's sample is heard; both interfaces use it. No key is needed: a browser plays it from a list. */
export const previewPath = (voiceId: string): string => `/previews/${voiceId}.wav`

const PREVIEW_TEXT = 'Hello, I am a sandbox voice.'
const PREVIEW_SECONDS = 2

/** A WAV file of two seconds, in the voice's own pitch. */
export const previewWav = (voiceId: string): Buffer =>
  wavOf(speak(planSpeech(PREVIEW_TEXT, PREVIEW_SECONDS), PREVIEW_SECONDS, voiceId))

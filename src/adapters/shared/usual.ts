import type { Adapter, Translation } from '../../core/adapter.ts'
import type { Order } from '../../core/video.ts'
import type { Capability } from '../../core/vocabulary.ts'
import { notFoundHere, notSupportedHere } from './outcome.ts'
import type { Speaker } from './speaker.ts'

/** Without it the video is another one: never left out. The rest of an order is options. */
type Essential = 'text' | 'audioUrl' | 'imageUrl' | 'puppetId' | 'voiceId'

/** What an interface can that takes the option: its name in a request, too. */
const OPTIONS = {
  language: 'language',
  expressiveness: 'expressiveness',
  resolution: 'resolution',
} as const satisfies Readonly<Record<Exclude<keyof Order, Essential>, Capability>>

/** What an interface can that sends the field of an order. */
export const ORDERED: Readonly<Record<keyof Order, Capability>> = {
  text: 'text_source',
  audioUrl: 'audio_source',
  imageUrl: 'image_url',
  puppetId: 'puppet_id',
  voiceId: 'text_source',
  ...OPTIONS,
}

/** What an interface takes, as far as that can be said without sending anything. */
export type Takes = Pick<Adapter, 'capabilities' | 'maxTextCharacters' | 'maxCreateBytes'>

type Refusal = Extract<Translation, { ok: false }>

const refusal = (code: Refusal['problem']['code'], param: string, message: string): Refusal => ({
  ok: false,
  problem: { code, param, message },
})

/**
 * Counted in code points, of which no text has more than of UTF-16 units: where a contract leaves open what a character
 * is, the backend may still refuse what the gateway let through, but the gateway refuses nothing that it would take.
 */
const isLonger = (text: string, most: number): boolean => text.length > most && Array.from(text).length > most

/**
 * What an order becomes on the interface `name`. A source, a portrait or a voice is never left out; an option is, with a
 * warning, if the client asked for `warn`. Beside audio there is no language: its voice speaks already.
 */
export const translateBy = (
  name: string,
  { capabilities: can, maxTextCharacters: most }: Takes,
  { text, audioUrl, imageUrl, puppetId, voiceId, ...options }: Order,
  unsupported: 'reject' | 'warn',
): Translation => {
  const lacking = (param: string): Refusal =>
    refusal('capability_not_supported', param, `The ${name} interface does not support ${param}`)
  if (audioUrl !== null && !can.audio_source) return lacking('audio_url')
  if (text !== null && !can.text_source) return lacking('text')
  if (imageUrl !== null && !can.image_url) return lacking('image_url')
  if (puppetId !== null && !can.puppet_id) return lacking('puppet_id')
  if (text !== null && voiceId === null && can.voice_required)
    return refusal('invalid_request', 'voice_id', `The ${name} interface needs a voice_id`)
  if (text !== null && most !== null && isLonger(text, most))
    return refusal('invalid_request', 'text', `The ${name} interface accepts at most ${most} characters of text`)
  const takes = { ...can, language: can.language && audioUrl === null }
  const given = new Map<string, unknown>(Object.entries(options))
  const ignored = Object.entries(OPTIONS).flatMap(([field, param]) =>
    (given.get(field) ?? null) === null || takes[param] ? [] : [param],
  )
  const [first] = ignored
  if (first && unsupported === 'reject') return lacking(first)
  return {
    ok: true,
    warnings: ignored.map((param) => ({
      code: 'option_ignored',
      param,
      message: `The ${name} interface has no ${param}${audioUrl === null ? '' : ' with audio'}, so the gateway left it out`,
    })),
  }
}

/**
 * The port as far as its capabilities and its dialect tell it. What an interface does otherwise, or has besides (a list, a
 * download, callbacks, resources), is spread over it; whatever is left says that there is no such operation.
 */
export const usualCalls = (
  name: string,
  takes: Takes,
  speaker: Speaker,
): Omit<Adapter, 'createRequest' | 'voices' | 'puppets'> => {
  const none = `The ${name} interface does not have this operation`
  const unread = async () => notFoundHere('capability_not_supported', none)
  const unwritten = async () => notSupportedHere(none)
  return {
    credential: speaker.dialect.credential,
    capabilities: takes.capabilities,
    maxTextCharacters: takes.maxTextCharacters,
    maxCreateBytes: takes.maxCreateBytes,
    translate: (order, unsupported) => translateBy(name, takes, order, unsupported),
    create: speaker.create,
    status: (jobId) => speaker.job(jobId, 'getVideo'),
    download: speaker.linkOfJob,
    list: unread,
    callbackJobId: () => null,
    puppet: unread,
    createPuppet: unwritten,
    deletePuppet: unwritten,
    createUpload: unwritten,
    createSpeech: unwritten,
    usage: unread,
    handedThrough: speaker.handedThrough,
  }
}

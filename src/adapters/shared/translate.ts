import type { Translation } from '../../core/adapter.ts'
import type { Order } from '../../core/video.ts'
import type { Capabilities } from '../../core/vocabulary.ts'

const refusal = (param: string, name: string): Translation => ({
  ok: false,
  problem: { code: 'capability_not_supported', param, message: `The ${name} interface does not support ${param}` },
})

/**
 * What an order becomes on an interface with these capabilities. A source or a portrait is never left out; an option is, with a
 * warning, if the client asked for `warn`.
 */
export const translateBy = (
  order: Order,
  unsupported: 'reject' | 'warn',
  name: string,
  capabilities: Capabilities,
): Translation => {
  const given = {
    image_url: order.imageUrl !== null,
    puppet_id: order.puppetId !== null,
    language: order.language !== null,
    expressiveness: order.expressiveness !== null,
    resolution: order.resolution !== null,
  } as const
  const lacks = (param: keyof typeof given): boolean => given[param] && !capabilities[param]
  if (order.audioUrl !== null && !capabilities.audio_source) return refusal('audio_url', name)
  if (order.text !== null && !capabilities.text_source) return refusal('text', name)
  const portrait = (['image_url', 'puppet_id'] as const).find(lacks)
  if (portrait) return refusal(portrait, name)
  const options = (['language', 'expressiveness', 'resolution'] as const).filter(lacks)
  const [first] = options
  if (first && unsupported === 'reject') return refusal(first, name)
  return {
    ok: true,
    warnings: options.map((param) => ({
      code: 'option_ignored',
      param,
      message: `The ${name} interface has no ${param}${order.audioUrl === null ? '' : ' beside audio'}; it was left out`,
    })),
  }
}

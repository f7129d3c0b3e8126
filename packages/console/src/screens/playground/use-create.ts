import { useRef, useState } from 'preact/hooks'
import { ApiError, api, ask, type Schema } from '../../api.ts'
import { useAction, type Action } from '../../use-read.ts'
import type { Body } from './form.ts'

/** Also where the page is not served over https, which `randomUUID` wants. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Said clearly: nothing was made. Of a lost answer and of 409 nobody knows. */
const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 409

export interface Create {
  action: Action<[Body]>
  made: Schema<'Video'> | null
  /** The form is still the one that it was made of. */
  isMade: boolean
  /** Lets the same form make another one. */
  again: () => void
}

/**
 * One form makes one video: until it changes, or another one is wanted in so many words, it goes with the same idempotency
 * key. So a second click, or a try after an answer that was lost, finds the first one's video.
 */
export const useCreate = (body: Body): Create => {
  const [made, setMade] = useState<{ video: Schema<'Video'>; of: string } | null>(null)
  const sent = useRef<{ of: string; key: string } | null>(null)
  const of = JSON.stringify(body)
  const action = useAction(async (asked: Body) => {
    const text = JSON.stringify(asked)
    if (sent.current?.of !== text) sent.current = { of: text, key: newKey() }
    const params = { header: { 'Idempotency-Key': sent.current.key } }
    try {
      const video = await ask(api.POST('/unified/v1/videos', { params, body: asked }))
      setMade({ video, of: text })
    } catch (error) {
      if (isRefused(error)) sent.current = null
      throw error
    }
  })
  return {
    action,
    made: made?.video ?? null,
    isMade: made?.of === of,
    again: () => {
      sent.current = null
      setMade((before) => before && { ...before, of: '' })
    },
  }
}

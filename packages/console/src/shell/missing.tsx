import type { FunctionComponent } from 'preact'
import { lazy } from 'preact-iso'
import { ApiError, unreachable } from '../api.ts'
import { isReachable, type ScreenProps } from '../session.ts'
import { Failure } from '../ui/states.tsx'

const KEPT = 'talkbridge-reloaded'
const reload = (): void => window.location.reload()

const find = async (): Promise<ApiError> => {
  // Where nobody answers, a reload would show a page of the browser.
  if (!(await isReachable())) return unreachable()
  if (sessionStorage.getItem(KEPT) === null) {
    sessionStorage.setItem(KEPT, '1')
    reload()
    return new Promise(() => {})
  }
  const message = 'a part of this page is gone: the gateway was updated while it was open'
  return new ApiError(message, { code: 'updated' })
}

let found: Promise<ApiError> | null = null

/**
 * Why a part of the page is not there. After an upgrade the files have other names: the page reloads, and this does not
 * resolve. It reloads once only, so that it does not loop.
 */
export const whyMissing = (): Promise<ApiError> => {
  found ??= find().finally(() => (found = null))
  return found
}

/** For every part that is loaded when it is needed. */
export const watchMissing = (): void => window.addEventListener('vite:preloadError', () => void whyMissing())

/** A screen, loaded when it is first shown; in its place, why it could not be. */
export const onDemand = (load: () => Promise<FunctionComponent<ScreenProps>>): FunctionComponent<ScreenProps> =>
  lazy(async () => {
    try {
      const loaded = await load()
      sessionStorage.removeItem(KEPT)
      return loaded
    } catch {
      const error = await whyMissing()
      return () => <Failure error={error} retry={reload} />
    }
  })

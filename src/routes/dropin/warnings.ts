import type { Response } from 'express'
import { fieldProblem } from '../../core/errors.ts'

/** Something of a request that was not carried over. */
export interface Unsupported {
  code: 'option_ignored' | 'unknown_field'
  param: string
}

const NAME = /^[A-Za-z0-9_.-]{1,64}$/
const LISTED_AT_MOST = 20

/** Nothing is dropped silently: `Talkbridge-Warning: option_ignored; param=language, unknown_field; param=mood`. */
export const warn = (res: Response, unsupported: readonly Unsupported[]): void => {
  if (unsupported.length === 0) return
  const shown = unsupported
    .slice(0, LISTED_AT_MOST)
    .map(({ code, param }) => `${code}; param=${NAME.test(param) ? param : '(unprintable)'}`)
  const more = unsupported.length - shown.length
  res.set('talkbridge-warning', [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', '))
}

/** With `dropin.unsupported: reject`: throws `invalid_request` for what would only be warned of. */
export const refuse = (unsupported: readonly Unsupported[]): void => {
  const [first] = unsupported
  if (!first) return
  const why = first.code === 'unknown_field' ? 'unknown field' : 'the backend does not have this'
  throw fieldProblem('invalid_request', first.param.slice(0, 200), `${first.param.slice(0, 64)}: ${why}`)
}

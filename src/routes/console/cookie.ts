import type { Request, Response } from 'express'
import { CONSOLE } from './paths.ts'

export const COOKIE = 'talkbridge_session'

/** What the browser holds; null: nothing, or several, of which somebody else may have set one. */
export const tokenOf = (req: Request): string | null => {
  const found = (req.get('cookie') ?? '').split(';').flatMap((pair) => {
    const [name = '', ...value] = pair.trim().split('=')
    return name === COOKIE ? [value.join('=')] : []
  })
  const [token] = found
  return found.length === 1 && token !== undefined && token !== '' ? token : null
}

/**
 * No script reads it, no other site sends it, and it goes to the console alone. It ends with the browser: the session
 * behind it ends sooner or later by itself. `Secure` wherever people come by https.
 */
const optionsOf = (req: Request, publicUrl: string | null) => ({
  httpOnly: true,
  sameSite: 'strict' as const,
  path: CONSOLE,
  secure: req.secure || publicUrl?.startsWith('https:') === true,
})

export const giveCookie = (req: Request, res: Response, publicUrl: string | null, token: string): void =>
  void res.cookie(COOKIE, token, optionsOf(req, publicUrl))

export const takeCookie = (req: Request, res: Response, publicUrl: string | null): void =>
  void res.clearCookie(COOKIE, optionsOf(req, publicUrl))

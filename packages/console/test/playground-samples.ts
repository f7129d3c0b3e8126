/** Answers of the API, for what a page makes of them. */

export const CHECK = {
  object: 'check',
  chosen: 'main',
  routing: null,
  backends: [{ backend: 'main', verdict: 'ok', warnings: [], problem: null, request: null }],
}
export const VOICE = { id: 'main:v', object: 'voice', backend: 'main', provider: null, preview_url: null }
export const PUPPET = {
  id: 'alt:p',
  object: 'puppet',
  backend: 'alt',
  type: 'stock',
  image_url: null,
  thumbnail_url: null,
  created_at: null,
}

import { portraitPath, PORTRAITS } from './portraits.ts'
import type { Sitter } from './requests.ts'
import { hashOf } from './syllables.ts'

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/
const MAX_BYTES = 5 * 1024 * 1024
const TIMEOUT_MS = 3_000

/**
 * Who is seen in the video of a picture's URL. The sandbox's own people are drawn, and speak; a picture that this very
 * machine serves is read and shown; any other URL is never fetched (the sandbox works without a network, and fetches
 * nothing for strangers): somebody is drawn in its place, always the same for the same URL.
 */
export const sitterOf = async (imageUrl: string, ownOrigin: string, signal: AbortSignal): Promise<Sitter> => {
  const url = URL.parse(imageUrl, ownOrigin)
  const stranger = strangerFor(imageUrl)
  const near = url !== null && (url.origin === ownOrigin || LOOPBACK.test(url.hostname))
  const own = near ? PORTRAITS.find(({ id }) => portraitPath(id) === url.pathname) : undefined
  if (own) return { kind: 'drawn', portraitId: own.id }
  const bytes = near && LOOPBACK.test(url.hostname) ? await readPicture(url, signal) : null
  return bytes ? { kind: 'picture', bytes, elsePortraitId: stranger } : { kind: 'drawn', portraitId: stranger }
}

const strangerFor = (imageUrl: string): string => PORTRAITS[hashOf(imageUrl) % PORTRAITS.length]?.id ?? 'ada'

/** The bytes, or null whatever the reason: a picture that cannot be read is not shown. */
const readPicture = async (url: URL, signal: AbortSignal): Promise<Uint8Array | null> => {
  try {
    const reply = await fetch(url, {
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    if (!reply.ok || !reply.body) return null
    const parts: Uint8Array[] = []
    let sizeBytes = 0
    for await (const part of reply.body) {
      sizeBytes += part.length
      if (sizeBytes > MAX_BYTES) return null
      parts.push(part)
    }
    return Buffer.concat(parts)
  } catch {
    return null
  }
}

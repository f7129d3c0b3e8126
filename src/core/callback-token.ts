/**
 * The token in the gateway's callback URL (`src/webhooks/inbound.ts`), whole or cut off in its last part. None of its
 * characters is escaped in a URL, in JSON or in HTML, so a backend that repeats it repeats it as it is.
 */
const TOKEN = /vid_[0-9A-HJKMNP-TV-Z]{26}\.\d{1,9}\./

/** Stands for the gateway's callback URL. No URL can be read from it, so nothing takes it for a link. */
export const CALLBACK_URL = 'http://[callback]'

/** The text without callback tokens: a URL that has one becomes `CALLBACK_URL`, and a word of a sentence `[url]`. */
export const withoutToken = (text: string): string => {
  if (!TOKEN.test(text)) return text
  if (/^https?:\/\/\S+$/i.test(text)) return CALLBACK_URL
  return text.replaceAll(/\S+/g, (word) => (TOKEN.test(word) ? '[url]' : word))
}

/**
 * Takes callback tokens out of an answer that was just parsed, in place: who has one can call back in the backend's name. A
 * list of what is left to visit, because an answer may have more levels than the stack.
 */
export const dropTokens = <T extends object>(answer: T): T => {
  const left: object[] = [answer]
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    for (const [name, value] of Object.entries(node) as [string, unknown][]) {
      if (TOKEN.test(name)) Reflect.deleteProperty(node, name)
      else if (typeof value === 'string') Reflect.set(node, name, withoutToken(value))
      else if (typeof value === 'object' && value !== null) left.push(value)
    }
  }
  return answer
}

/** Of the whole package. A test holds it to package.json. */
export const VERSION = '0.1.0'

/** How the gateway calls itself to backends and receivers. */
export const USER_AGENT = `talkbridge/${VERSION}`

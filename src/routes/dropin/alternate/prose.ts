/** The alternate contract has no version but its prefix. */
export const VERSION = 'v1'

export const TAGS = [
  { name: 'Alternate videos', description: 'Make a video, read it, list your own, and download the file.' },
  { name: 'Alternate catalogue', description: 'List voices and puppets.' },
] as const
export type AlternateTag = (typeof TAGS)[number]['name']

export const INTRODUCTION = `
The gateway serves the alternate interface under \`/v1\`. Operations, field names and limits are those of its contract. The contract
does not show success statuses, error bodies and codes. For these, this document says what the gateway answers.

Your client changes only its base URL, and its key, unless the gateway knows the old key. The backend may be of either kind. If it
cannot do something, the gateway refuses the request, or says so in \`Talkbridge-Warning\`.

**Videos are visible on every surface**: \`vid_X\` here is \`vid_X\` on the unified API and \`api_video_X\` on \`/api/v1\`.

The [guide](/docs/guide/dropin.html) lists every difference from the service itself.
`.trim()

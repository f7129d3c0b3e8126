/** The alternate contract has no version but its prefix. */
export const VERSION = 'v1'

export const TAGS = [
  { name: 'Alternate videos', description: 'Make a video, read it, list your own, fetch the file.' },
  { name: 'Alternate catalogue', description: 'Voices and puppets.' },
] as const
export type AlternateTag = (typeof TAGS)[number]['name']

export const INTRODUCTION = `
The alternate interface as this gateway serves it under \`/v1\`: operations, field names and limits are those of its contract.
Where the contract shows nothing (success statuses, error bodies and codes), this document says what the gateway answers.
A client changes its base URL, and its key unless the gateway was given the old one. Either kind of backend may stand behind
it; what the other kind cannot do is refused, or told in \`Talkbridge-Warning\`.

**Videos are visible on every surface**: \`vid_X\` here is \`vid_X\` on the unified API and \`api_video_X\` on \`/api/v1\`.

\`docs/dropin.md\` in the repository is the guide, with every difference from the service itself.
`.trim()

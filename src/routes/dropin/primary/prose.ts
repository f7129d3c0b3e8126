/** Primary contract, "Versioning". */
export const VERSION = '2026-05-11'

export const TAGS = [
  { name: 'Primary videos', description: 'Jobs: make one and poll it.' },
  { name: 'Primary portraits', description: 'Saved portraits (puppets) of the workspace.' },
  { name: 'Primary voices and audio', description: 'Voices, speech, and audio files to make videos from.' },
  { name: 'Primary usage', description: 'Credits, and whether a video can be made now.' },
] as const
export type PrimaryTag = (typeof TAGS)[number]['name']

export const INTRODUCTION = `
The primary interface as this gateway serves it under \`/api/v1\`: operations, field names, status codes, headers, error bodies
and limits are those of its contract. A client changes its base URL, and its key unless the gateway was given the old one.
Either kind of backend may stand behind it; what the other kind cannot do is refused, or told in \`Talkbridge-Warning\`.

**One field is new**: \`webhook_url\` on both creates. Events are then sent there in the form of the unified API, signed.

**Videos are visible on every surface**: \`api_video_X\` here is \`vid_X\` on the unified API and on \`/v1\`.

**Preview media**: \`preview_url\` of a voice is fetched through the gateway, at the path that the list gives.

\`docs/dropin.md\` in the repository is the guide, with every difference from the service itself.
`.trim()

/** Primary contract, "Versioning". */
export const VERSION = '2026-05-11'

export const TAGS = [
  { name: 'Primary videos', description: 'Make a video job, and poll it.' },
  { name: 'Primary portraits', description: 'Save, list and delete portraits (puppets) of the workspace.' },
  {
    name: 'Primary voices and audio',
    description: 'List voices, turn text into speech, and upload audio to make videos from.',
  },
  { name: 'Primary usage', description: 'See credits, and whether you can make a video now.' },
] as const
export type PrimaryTag = (typeof TAGS)[number]['name']

export const INTRODUCTION = `
The gateway serves the primary interface under \`/api/v1\`. Operations, field names, status codes, headers, error bodies and limits
are those of its contract. Your client changes only its base URL, and its key, unless the gateway knows the old key.

The backend may be of either kind. If it cannot do something, the gateway refuses the request, or says so in
\`Talkbridge-Warning\`.

**One field is new**: both creates accept \`webhook_url\`. The gateway sends signed events there, in the form of the unified API.

**Videos are visible on every surface**: \`api_video_X\` here is \`vid_X\` on the unified API and on \`/v1\`.

**Samples of voices**: you fetch \`preview_url\` through the gateway, at the path in the list.

The [guide](/docs/guide/dropin.html) lists every difference from the service itself.
`.trim()

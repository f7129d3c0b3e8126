/** The words around the operations. */

export const TAGS = [
  { name: 'Videos', description: 'Make, read and follow videos, whichever backend makes them.' },
  { name: 'Voices and portraits', description: 'What videos are made from: voices, and saved portraits (puppets).' },
  { name: 'Audio', description: 'Speech without a picture, and audio files to make videos from.' },
  { name: 'Backends', description: 'What the backends can do, what is left of their budgets, and what they changed.' },
  { name: 'Webhooks', description: 'Signed events instead of polling.' },
  { name: 'Administration', description: 'For operators, on videos of any client.' },
  { name: 'Operations', description: 'Liveness, readiness and this document. No key is needed.' },
] as const
export type TagName = (typeof TAGS)[number]['name']

/** How a reader finds the tags. */
export const GROUPS: readonly { name: string; tags: readonly TagName[] }[] = [
  {
    name: 'Unified API',
    tags: ['Videos', 'Voices and portraits', 'Audio', 'Backends', 'Webhooks', 'Administration'],
  },
  { name: 'The gateway itself', tags: ['Operations'] },
]

export const INTRODUCTION = `
JSON over HTTP: \`snake_case\`, times in ISO 8601 UTC with milliseconds, opaque ids. Send a gateway key with every request:

\`\`\`
curl $GATEWAY/unified/v1/videos -H "Authorization: Bearer $KEY" \\
  --json '{"image_url": "https://example.com/anna.png", "text": "Hello."}'
\`\`\`

**Making a video** answers 202 at once, and the video is then followed in the way that suits you: a signed webhook
(\`webhook_url\`), one long poll (\`Prefer: wait=30\`), plain polling (\`Retry-After\` says when), or a stream of events.
Reading costs the backends nothing, however often you do it.

**Nothing is paid for twice.** Send an \`Idempotency-Key\` and repeat the request as often as you like: the same key
and body are the same video. A create whose outcome is unknown is 202 \`queued\`, never an error that invites paying again.

**Nothing is dropped silently.** Unknown fields are 400, each named; an option that the chosen backend cannot honour is
422 \`capability_not_supported\`, or, with \`unsupported: warn\`, listed in \`warnings\`.

**Errors** are \`application/problem+json\` (RFC 9457), with a \`code\` for programs, \`retryable\`, and \`Retry-After\` where
waiting helps; the table of codes is at the schema *Problem*. A method that a path has not is 405 with \`Allow\`.

**Lists** hold \`limit\` items (1 to 100) and a \`next_cursor\` to go on with. **Limits** of your client are told in
\`RateLimit\` and \`X-RateLimit-*\`; beyond them is 429. **\`X-Request-Id\`** is on every answer: tell it to whoever runs the
gateway.

The guide in the repository, \`docs/api.md\`, shows all of it by example, one topic a page.
`.trim()

/** Below it in the document of all surfaces. */
export const OF_ALL_SURFACES = `
**Drop-in surfaces.** A client of one of the two services changes its base URL and nothing else: \`/api/v1\` answers as the
primary interface does, \`/v1\` as the alternate one, whichever backend makes the video. Their errors, headers and limits are
those of their own contracts. \`/openapi.json?surface=primary\`, \`alternate\` or \`unified\` is the document of one alone;
here an operation whose name another has, too, has its surface's before it. \`docs/dropin.md\` is their guide.
`.trim()

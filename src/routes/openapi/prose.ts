/** The words around the operations. */

export const TAGS = [
  { name: 'Videos', description: 'Make, read and follow videos on any backend.' },
  { name: 'Voices and portraits', description: 'The voices and saved portraits (puppets) that you make videos from.' },
  { name: 'Audio', description: 'Turn text into speech, and upload audio to make videos from.' },
  {
    name: 'Backends',
    description: 'What each backend can do, what is left of its budget, and what it sends outside its contract.',
  },
  { name: 'Webhooks', description: 'Receive signed events instead of polling.' },
  {
    name: 'Administration',
    description:
      'For operators: videos, events and usage of all clients, creates in doubt, keys, clients, migration and the audit log.',
  },
  { name: 'Operations', description: 'Liveness, readiness, metrics and this document. You need no key.' },
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
Send JSON over HTTP, and a gateway key with every request:

\`\`\`
curl $GATEWAY/unified/v1/videos -H "Authorization: Bearer $KEY" \\
  --json '{"image_url": "https://example.com/anna.png", "text": "Hello."}'
\`\`\`

Field names are in \`snake_case\`. Times are ISO 8601 in UTC, with milliseconds. Treat ids as opaque.

**Make a video** and you get 202 immediately. Then follow the video as you like: with a signed webhook (\`webhook_url\`), one long
poll (\`Prefer: wait=30\`), plain polling (\`Retry-After\` says when), or a stream of events. Reads cost the backends nothing,
however often you send them.

**You never pay twice.** Send an \`Idempotency-Key\`, and retry as often as you like: the same key and body give the same video. If
the outcome of a create is unknown, you get 202 with \`queued\`. You never get an error that makes you pay again.

**The gateway drops nothing silently.** Unknown fields get 400, and the answer names each one. An option that the backend does not
have gets 422 \`capability_not_supported\`. With \`unsupported: warn\` the gateway makes the video without it, and lists it in
\`warnings\`.

**Errors** are \`application/problem+json\` (RFC 9457). Each has a \`code\` for programs, \`retryable\`, and \`Retry-After\` if waiting
helps. The schema *Problem* has the table of codes. A method that a path does not have gets 405 with \`Allow\`.

**Lists** have \`limit\` items (1 to 100) on a page. Send \`next_cursor\` to get the next page.

**Limits** of your client are in \`RateLimit\` and \`X-RateLimit-*\`. Above a limit you get 429.

**\`X-Request-Id\`** is on every answer. Give it to your operator when you report a problem.

The [guide](/docs/guide/api.html) shows everything with examples, one topic on each page.
`.trim()

/** Below it in the document of all surfaces. */
export const OF_ALL_SURFACES = `
**Drop-in surfaces.** A client of one of the two services changes only its base URL. \`/api/v1\` works like the primary interface,
\`/v1\` like the alternate one. Any backend can make the video. Errors, headers and limits are those of the two contracts.

\`/openapi.json?surface=primary\`, \`alternate\` or \`unified\` describes only that surface. In this document, operations with the same
name begin with the name of their surface. The drop-in guide is [here](/docs/guide/dropin.html).
`.trim()

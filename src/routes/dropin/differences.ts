/** One way in which a drop-in surface answers otherwise than the service that it stands in for. */
export interface Difference {
  readonly id: string
  readonly surface: 'primary' | 'alternate'
  /** Which interface stands behind it: the surface's own, the other one, or either. */
  readonly behind: 'same' | 'other' | 'any'
  /** Where it is met. */
  readonly what: string
  /** What the gateway answers. */
  readonly here: string
  /** What the service answers. */
  readonly there: string
  readonly why: string
}

const primary = (behind: Difference['behind'], id: string, told: Told): Difference => {
  return { id, surface: 'primary', behind, ...told }
}
const alternate = (behind: Difference['behind'], id: string, told: Told): Difference => {
  return { id, surface: 'alternate', behind, ...told }
}
type Told = Pick<Difference, 'what' | 'here' | 'there' | 'why'>

const PRIMARY: readonly Difference[] = [
  primary('any', 'queue', {
    what: 'A create that the service cannot take at this moment: all job slots are taken, or it has trouble of its own',
    here: '202; the video waits in the gateway, which sends it when there is a slot, or again under the same key. The credit headers come with the first read after that',
    there:
      '429 `concurrent_job_limit_reached`, 502, 400 `hosted_audio_upload_unavailable`; 503 of an alternate service',
    why: 'Waiting and trying again is what the client would do. A slot is shared by all clients of the account, and the gateway is fair to them',
  }),
  primary('any', 'from-record', {
    what: 'Reads of a job or of one puppet while the service has trouble with them',
    here: '200 with what the gateway learned last',
    there: '502, 503 or 504',
    why: "Reads are answered from records. They cost nothing of the account's ten requests a minute",
  }),
  primary('any', 'keys', {
    what: 'A second key for one account',
    here: 'Both keys work until the operator takes one out of the configuration',
    there: 'The first key is revoked: 401',
    why: 'Keys of the gateway belong to its clients, and many clients may share an account',
  }),
  primary('any', 'webhook-url', {
    what: '`webhook_url` in a create',
    here: 'Events are delivered to it, signed',
    there: 'The field is ignored: the service sends nothing',
    why: 'An extension, for clients that would rather not poll',
  }),
  primary('any', 'document', {
    what: '`GET /openapi.json`',
    here: 'Describes all three surfaces; `?surface=primary` describes this one',
    there: 'Describes this one, under the version of the contract',
    why: 'One listener serves three surfaces',
  }),
  primary('other', 'cannot', {
    what: 'Speech, hosted audio, videos from audio; saving and deleting puppets',
    here: '400 `invalid_request` with the block code `CAPABILITY_NOT_SUPPORTED`, not retryable',
    there: 'Works',
    why: 'The alternate interface has nothing of the kind',
  }),
  primary('other', 'no-alias', {
    what: 'An image that no alias leads to a puppet',
    here: '400 `invalid_image` with the block code `CAPABILITY_NOT_SUPPORTED`',
    there: 'Any supported image is taken; for another, 400 without a block code',
    why: 'The alternate interface makes videos of its own puppets alone',
  }),
  primary('other', 'own-catalogue', {
    what: 'Voices and puppets',
    here: 'Those of the alternate service, under its own ids. All accounts see the same puppets; preview URLs are absolute',
    there: '45 voices `<provider>-<code>` with relative preview paths; the puppets of the workspace',
    why: 'They are what a create can name there. Aliases keep the old ids working in requests',
  }),
  primary('other', 'usage', {
    what: '`GET /api/v1/usage`',
    here: 'What the gateway counted itself, null for the rest; never 503',
    there: 'Balances of the account and the credit packs',
    why: 'The alternate interface tells no usage',
  }),
  primary('other', 'never-queued', {
    what: '`status` and `progress` of a running job',
    here: '`processing` as soon as the service has it; `progress` says nothing',
    there: '`queued`, then `processing` with its progress',
    why: 'The alternate interface has one word for both, and no progress',
  }),
  primary('other', 'told-by-service', {
    what: 'The headers of credits',
    here: 'Absent',
    there: '`X-Service-Credits-Required` and `X-Service-Credits-Remaining`',
    why: 'The alternate interface tells none',
  }),
  primary('other', 'other-limits', {
    what: 'Slots, monthly credits and quotas, the longest script',
    here: 'Those of the alternate service: no slots and no monthly credits that it tells of, scripts up to 5000 characters',
    there: '2 jobs at once, 10 credits a month, scripts as long as the body may be',
    why: 'The limits of whoever makes the video count',
  }),
]

const ALTERNATE: readonly Difference[] = [
  alternate('any', 'rate-window', {
    what: 'The `X-RateLimit-*` headers without a known key',
    here: 'Absent',
    there: 'Present',
    why: "A window is a client's, and the contract names no number that could stand for nobody's",
  }),
  alternate('any', 'from-record', {
    what: '`thumbnail_url` of a video that was created a moment ago',
    here: 'null until the gateway has polled the video once',
    there: 'Present from the start',
    why: 'Reads are answered from records, and the answer to a create has no thumbnail',
  }),
  alternate('other', 'told-by-service', {
    what: '`voice_id` and `resolution` that the client did not give, `duration_sec`, `thumbnail_url`',
    here: 'null',
    there: 'Present',
    why: 'The primary interface does not tell them',
  }),
  alternate('other', 'link-life', {
    what: '`expires_at` of a download',
    here: 'Ten minutes after the gateway learned the link, which then gets a fresh one',
    there: 'An hour after it was asked for',
    why: 'The primary interface does not tell how long its links last',
  }),
  alternate('other', 'own-catalogue', {
    what: 'Puppets and their default voices',
    here: 'The saved portraits of the primary account: all of type `custom`, none with a voice of its own',
    there: '`stock` and `custom`, each with a default voice',
    why: 'They are what a create can name there',
  }),
]

/** What differs on both surfaces. */
const onBoth = (id: string, told: Told): Difference[] => [primary('any', id, told), alternate('any', id, told)]

const EITHER: readonly Difference[] = [
  ...onBoth('own-headers', {
    what: 'Headers beyond the contract',
    here: '`X-Request-Id`, `X-Content-Type-Options`, `Cache-Control` and `Talkbridge-Warning`; voice samples also have the rate headers and a `Content-Security-Policy`; callbacks are signed (Standard Webhooks)',
    there: 'None of them',
    why: 'A request can be found in the log, caches keep nothing, and nothing is left out silently',
  }),
  ...onBoth('own-words', {
    what: 'The text of an error: `message` and `reason`; which of two faults in one body is told',
    here: "The gateway's words where it refuses a request itself, with the same status and codes",
    there: "The service's words",
    why: 'The contract shows codes, not texts',
  }),
  ...onBoth('routes', {
    what: 'Paths in capitals or with a slash at the end; `Allow` of a 405',
    here: '404; `Allow` names `HEAD`, too',
    there: 'The same operation as without; `Allow` leaves `HEAD` out',
    why: 'The contract shows no such path',
  }),
  ...onBoth('charset', {
    what: 'A `Content-Type` that names another character set than UTF-8',
    here: '415',
    there: 'Read as UTF-8',
    why: 'JSON is UTF-8 (RFC 8259, 8.1). Reading it as such in spite of its label would be a guess',
  }),
  primary('any', 'rate-window', {
    what: '`X-RateLimit-Remaining` and `X-RateLimit-Reset`',
    here: "A window that slides, second by second; the contract's limit",
    there: 'A window that begins with the first request and ends as a whole',
    why: 'Around the end of a window nobody can ask twice as often as the limit says',
  }),
  primary('any', 'pace', {
    what: '`Retry-After` and `next_poll_at` of a video that is not over',
    here: 'When the gateway will know more',
    there: "The service's own pace",
    why: 'The gateway polls for all its clients',
  }),
  primary('any', 'puppet-ids', {
    what: 'A puppet id of a form that no puppet has',
    here: '404 `puppet_not_found`',
    there: '400 `invalid_request`',
    why: 'The contract does not show the form of the ids',
  }),
  primary('same', 'deleted-puppet', {
    what: 'The idempotency key of a puppet that was deleted',
    here: '404 `puppet_not_found`',
    there: 'Another puppet is made',
    why: 'A key stands for one puppet for as long as it is remembered',
  }),
  alternate('any', 'queue', {
    what: 'A create that the service cannot take at this moment',
    here: '201; the video waits in the gateway, which sends it again',
    there: '503 with `Retry-After`',
    why: 'Waiting and trying again is what the client would do',
  }),
]

const OTHER: readonly Difference[] = [
  primary('other', 'options', {
    what: '`language` and `expressiveness`',
    here: 'Left out, whatever their values, and named in `Talkbridge-Warning`; 400 with `dropin.unsupported: reject`',
    there: 'Checked, and used',
    why: 'The alternate interface has no such options',
  }),
  primary('other', 'failure', {
    what: 'The code in `error` of a failed video',
    here: '`backend_failed`',
    there: "The service's own",
    why: 'The alternate contract does not show the shape of its errors',
  }),
  primary('other', 'other-media', {
    what: 'The finished video',
    here: 'As the alternate service makes it',
    there: 'As the primary service makes it',
    why: 'It is another service',
  }),
  alternate('other', 'estimate', {
    what: '`duration_estimate_sec`',
    here: 'Counted from the words of the script',
    there: "The service's own estimate",
    why: 'The primary interface tells none',
  }),
  alternate('other', 'callback-body', {
    what: 'The body of the POST to `webhook_url`',
    here: "An event of the gateway, with the video's detail in `data`",
    there: "The service's own body",
    why: 'The primary interface sends none, and the contract does not show it',
  }),
  alternate('other', 'failure', {
    what: 'The code in `error` of a failed video',
    here: '`backend_failed`',
    there: "The service's own",
    why: 'The shape is not shown in the contract, and the codes of the primary service are others',
  }),
  alternate('other', 'other-media', {
    what: 'The finished video',
    here: 'As the primary service makes it',
    there: 'As the alternate service makes it',
    why: 'It is another service',
  }),
]

/** All of them: what `docs/dropin.md` shows, and what the tests allow. */
export const DIFFERENCES: readonly Difference[] = [...PRIMARY, ...ALTERNATE, ...EITHER, ...OTHER]

/** One way in which a drop-in surface answers otherwise than the service that it replaces. */
export interface Difference {
  readonly id: string
  readonly surface: 'primary' | 'alternate'
  /** Which interface is behind it: the surface's own, the other one, or either. */
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
    what: 'A create that the service cannot take now: all job slots are taken, or it has a problem',
    here: '202; the video waits in the gateway. The gateway sends it when a slot is free, or again under the same key. While slots are full it still refuses an id that the list in memory does not have, and an image URL that ends as no picture does. It also refuses a create if the waiting videos use up the credits. If the service refuses a waiting video, that ends as failed. The credit headers come with the first read after that',
    there:
      '429 `concurrent_job_limit_reached`, 502, 400 `hosted_audio_upload_unavailable`; 503 of an alternate service',
    why: 'The client would wait and retry. All clients of the account share its slots, and the gateway divides them fairly',
  }),
  primary('any', 'from-record', {
    what: 'Reads of a job, of puppets or of voices that fail at the service',
    here: '200 with the last known state',
    there: '429, 502, 503 or 504',
    why: "The gateway answers reads from its records. They do not use the account's ten requests a minute",
  }),
  primary('any', 'keys', {
    what: 'A second key for one account',
    here: 'Both keys work until the operator removes one from the configuration',
    there: 'The first key is revoked: 401',
    why: 'Keys of the gateway belong to its clients, and many clients may share an account',
  }),
  primary('any', 'webhook-url', {
    what: '`webhook_url` in a create',
    here: 'The gateway sends signed events to it',
    there: 'The field is ignored: the service sends nothing',
    why: 'An extension, for clients that do not want to poll',
  }),
  primary('any', 'document', {
    what: '`GET /openapi.json`',
    here: 'Describes all three surfaces; `?surface=primary` describes this one',
    there: 'Describes this one, under the version of the contract',
    why: 'One listener serves three surfaces',
  }),
  primary('other', 'cannot', {
    what: 'Speech, hosted audio, videos from audio; saving and deleting puppets',
    here: 'Another backend that the client may use does it: `routing.default` first, then the others in the order of the configuration. Without one, 400 `invalid_request` with the block code `CAPABILITY_NOT_SUPPORTED`, not retryable',
    there: 'Works',
    why: 'The alternate interface does not have them',
  }),
  primary('other', 'no-alias', {
    what: 'An image that is neither the `imageUrl` of a listed puppet nor connected with a puppet by an alias',
    here: '400 `invalid_image` with the block code `CAPABILITY_NOT_SUPPORTED`',
    there: 'Accepts any supported image; for another, 400 without a block code',
    why: 'The alternate interface makes videos only of its own puppets',
  }),
  primary('other', 'own-catalogue', {
    what: 'Voices and puppets',
    here: 'Those of the alternate service, under its own ids. All accounts see the same puppets. The preview path of a sample that is not at the service itself leads there by a redirect. The `imageUrl` of a puppet, as listed, works as the image of a create. What has an alias is listed again under its old id. Behind them come the puppets of the backend that saves puppets',
    there: '45 voices `<provider>-<code>` with relative preview paths; the puppets of the workspace',
    why: 'A create can name only these. Aliases keep the old ids working',
  }),
  primary('other', 'usage', {
    what: '`GET /api/v1/usage`',
    here: 'What the gateway counted, null for the rest; never 503',
    there: 'Balances of the account and the credit packs',
    why: 'The alternate interface does not report usage',
  }),
  primary('other', 'never-queued', {
    what: '`status` and `progress` of a running job',
    here: '`queued` in the answer to a create, then `processing`. Its progress is estimated: the age of the job by the usual duration, at most 0.95',
    there: '`queued`, then `processing` with its progress',
    why: 'The alternate interface has one status for both, and no progress',
  }),
  primary('other', 'told-by-service', {
    what: 'The headers of credits',
    here: 'Absent',
    there: '`X-Service-Credits-Required` and `X-Service-Credits-Remaining`',
    why: 'The alternate interface does not report credits',
  }),
  primary('other', 'other-limits', {
    what: 'Slots, monthly credits and quotas, the longest script',
    here: 'Those of the alternate service: it reports no slots and no monthly credits, and takes scripts up to 5000 characters',
    there: '2 jobs at the same time, 10 credits a month, scripts as long as the body may be',
    why: 'The limits of the service that makes the video apply',
  }),
]

const ALTERNATE: readonly Difference[] = [
  alternate('any', 'callback-body', {
    what: 'The body of the POST to `webhook_url`',
    here: "An event of the gateway, with the video's detail in `data`; or the service's own body, if each value in it is also in that detail, with the link that the gateway read",
    there: "The service's own body",
    why: 'The service does not sign it. The gateway signs only what it read from the service itself',
  }),
  alternate('any', 'older-videos', {
    what: 'Videos that were made before the gateway, or beside it',
    here: 'Not listed. With `dropin.history`: listed for one client, the newest 10,000. The gateway reads the list every ten minutes, and every minute while one of them runs',
    there: 'Listed immediately',
    why: 'Several clients may share an account, and the gateway shows nobody the videos of another client',
  }),
  alternate('any', 'rate-window', {
    what: 'The `X-RateLimit-*` headers without a known key',
    here: 'Absent',
    there: 'Present',
    why: 'The gateway counts by client, and the contract has no number for requests without one',
  }),
  alternate('any', 'from-record', {
    what: '`thumbnail_url` of a video that was created a moment ago',
    here: "The puppet's, if the gateway has its list, else null, until the gateway has polled the video once",
    there: "The video's own, from the start",
    why: 'The gateway answers reads from its records, and the answer to a create has no thumbnail',
  }),
  alternate('same', 'from-record', {
    what: 'Puppets and voices that changed at the service without the gateway, or cannot be read there now',
    here: 'The last list that the gateway read: at most ten minutes old, or older while the service fails. A list that lacks what a video was just made with is read again. Of puppets, at most 20 pages, as long as the service makes them without `limit`',
    there: 'The list as it is now, in pages of `limit`; 429, or an error',
    why: 'A client may list on every page load, and each read at the service counts in its rate limit',
  }),
  alternate('other', 'told-by-service', {
    what: '`voice_id` that the client did not give, `duration_sec`',
    here: 'null',
    there: 'Present',
    why: 'The primary interface does not report them',
  }),
  alternate('other', 'as-asked', {
    what: '`resolution` and `thumbnail_url`',
    here: 'What the client asked for, or `1080p`; the portrait',
    there: "The video's own",
    why: 'The primary interface does not report them',
  }),
  alternate('other', 'own-catalogue', {
    what: 'Puppets and their default voices',
    here: 'The saved portraits of the primary account, and portraits that an alias names: all of type `custom`, none with a voice of its own',
    there: '`stock` and `custom`, each with a default voice',
    why: 'A create can name only these',
  }),
]

/** What differs on both surfaces. */
const onBoth = (id: string, told: Told): Difference[] => [primary('any', id, told), alternate('any', id, told)]

const EITHER: readonly Difference[] = [
  ...onBoth('own-headers', {
    what: 'Headers beyond the contract',
    here: '`X-Request-Id`, `X-Content-Type-Options`, `Cache-Control` and `Talkbridge-Warning`; voice samples also have the rate headers and a `Content-Security-Policy`; callbacks are signed (Standard Webhooks)',
    there: 'None of them',
    why: 'You can find a request in the log, caches keep nothing, and nothing is left out silently',
  }),
  ...onBoth('own-link', {
    what: 'The link to a finished video',
    here: "The service's link in the first half of its life, or for an hour where the contract says so. Then a link of the gateway: it redirects (302) to a fresh one of the service, and works as long as the gateway knows the video",
    there: 'A fresh link at each read. In the end it is 403',
    why: 'A fresh link costs one of the requests of the account',
  }),
  primary('any', 'own-words', {
    what: 'The text of an error: `message` and `reason`; which of two mistakes in one body it names; codes that the contract does not show',
    here: "The gateway's words if it refuses a request itself, with the same status, and the codes of the contract",
    there: "The service's words",
    why: 'The gateway does not know words that nobody has seen',
  }),
  alternate('any', 'own-words', {
    what: 'The body of an error; which of two mistakes in one body it names',
    here: "The gateway's words if it refuses a request itself, with the same status. They have the shape of the last refusal, with code and message, of the service behind the client, or behind the surface without a known key. Before there was one: `{error: {code, message}}`",
    there: "The service's words",
    why: 'The contract shows no error. The gateway learns the shape from the service',
  }),
  ...onBoth('removed', {
    what: 'Videos that ended more than `retention_days` ago',
    here: '404, and not in the list, if they were made through the gateway; older videos of `dropin.history` stay',
    there: 'Kept',
    why: 'The gateway keeps its records for `retention_days`',
  }),
  ...onBoth('routes', {
    what: 'Paths in capitals or with a slash at the end; `Allow` of a 405',
    here: '404; `Allow` also lists `HEAD`',
    there: 'The normal operation; `Allow` does not list `HEAD`',
    why: 'The contract shows no such path',
  }),
  ...onBoth('charset', {
    what: 'A `Content-Type` with a character set other than UTF-8 or US-ASCII',
    here: '415',
    there: 'Read as UTF-8',
    why: 'JSON is UTF-8 (RFC 8259, 8.1). To read it as UTF-8 under another label would be a guess',
  }),
  primary('any', 'rate-window', {
    what: '`X-RateLimit-Remaining` and `X-RateLimit-Reset`',
    here: "A window that slides by the second; the contract's limit",
    there: 'A window that begins with the first request and ends as a whole',
    why: 'At the end of a window, no client can send twice as many requests as the limit allows',
  }),
  primary('any', 'pace', {
    what: '`Retry-After` and `next_poll_at` of a video that has not ended',
    here: 'When the gateway will know more',
    there: "The service's own pace",
    why: 'The gateway polls for all its clients',
  }),
  primary('any', 'puppet-ids', {
    what: 'A puppet id with an impossible form',
    here: '404 `puppet_not_found`',
    there: '400 `invalid_request`',
    why: 'The contract does not show the form of the ids',
  }),
  primary('any', 'others-puppets', {
    what: '`DELETE` of a puppet that the client did not save through the gateway',
    here: '403 `not_owner`. With `dropin.adopt_existing: true`: 204, unless another client saved it through the gateway',
    there: '204',
    why: 'Several clients may share an account, and a deleted puppet does not come back',
  }),
  primary('same', 'from-record', {
    what: 'Puppets and voices that changed at the service without the gateway',
    here: 'A new one is listed as soon as somebody reads it by its id or makes a video with it, else after at most ten minutes. A puppet that was deleted can be read for as long',
    there: 'Lists and reads show the change immediately',
    why: "A client may list on every page load. The gateway answers from the last list that it read, which cost one of the account's ten requests a minute",
  }),
  alternate('any', 'queue', {
    what: 'A create that the service cannot take now',
    here: '201; the video waits in the gateway, which sends it again',
    there: '503 with `Retry-After`',
    why: 'The client would wait and retry',
  }),
]

const OTHER: readonly Difference[] = [
  alternate('other', 'credits', {
    what: 'A create when the credits of the primary account are used up',
    here: '402 `insufficient_credits`',
    there: 'Accepted: the contract has no credits',
    why: 'The limits of the service that makes the video apply',
  }),
  primary('other', 'options', {
    what: '`language` and `expressiveness`',
    here: 'Left out and named in `Talkbridge-Warning`, whatever their values; 400 with `dropin.unsupported: reject`',
    there: 'Checked and used',
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
    here: 'Estimated from the number of words in the script',
    there: "The service's own estimate",
    why: 'The primary interface has none',
  }),
  alternate('other', 'failure', {
    what: 'The code in `error` of a failed video',
    here: '`backend_failed`',
    there: "The service's own",
    why: 'The contract does not show the shape, and the primary service has other codes',
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

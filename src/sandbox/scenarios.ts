/** The magic inputs: outcomes on demand, written into a text or a URL. Listed by `GET /sandbox/scenarios`. */
export const SCENARIOS = {
  fail: 'The job is accepted and charged, and then fails. Not retryable.',
  'fail-retryable': 'The job is accepted and charged, and then fails. Retryable.',
  slow: 'The job takes ten times as long.',
  stuck: 'The job is accepted and never ends; it keeps its slot.',
  'no-credits': 'The create is refused with 402, whatever the credit balance.',
  'slots-full': 'The create is refused with 429 concurrent_job_limit_reached, however many jobs run (primary).',
  'quota-exceeded': 'The create is refused with 429 for a monthly quota: not retryable (primary).',
  'asset-error': 'The create is refused with 502: the asset could not be created (primary).',
  unavailable: 'The create is refused with 503.',
  'invalid-image': 'The create is refused with 400 invalid_image (primary; in the script or the image URL).',
  'audio-check-unavailable':
    'An audio create is refused with 400 hosted_audio_upload_unavailable (primary; in the audio or the image URL).',
  'status-502': 'The first two status reads of the job answer 502 (primary).',
  'status-504': 'The first two status reads of the job answer 504 (primary).',
  'never-callback': 'The alternate interface never calls the webhook_url of this video.',
  'callback-twice': 'The alternate interface calls the webhook_url of this video twice.',
  'foreign-twin':
    "Somebody else's identical video appears on the account, even if a fault hides the create itself (alternate).",
} as const satisfies Record<string, string>

export type Scenario = keyof typeof SCENARIOS

const isScenario = (name: string): name is Scenario => Object.hasOwn(SCENARIOS, name)

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The magic inputs found in `texts`, also where a URL percent-encodes the brackets. Unknown names are plain text. */
export const scenariosIn = (...texts: string[]): ReadonlySet<Scenario> =>
  new Set(
    texts
      .flatMap((text) => [text, decoded(text)])
      .flatMap((text) => [...text.matchAll(/\[\[([a-z0-9-]+)\]\]/g)].map((match) => match[1] ?? ''))
      .filter(isScenario),
  )

/** The magic inputs: outcomes on demand, written into the script or the image URL. Listed by `GET /sandbox/scenarios`. */
export const SCENARIOS = {
  fail: 'The job is accepted, charged and ends as failed, not retryable.',
  'fail-retryable': 'The job is accepted, charged and ends as a retryable failure.',
  slow: 'The job takes ten times as long.',
  stuck: 'The job is accepted and never ends; it keeps its slot.',
  'no-credits': 'The create is refused with 402, whatever the balance.',
  'invalid-image': 'The create is refused with 400 invalid_image (primary; in the script or the image URL).',
  'never-callback': 'The alternate interface never calls the webhook_url of this video.',
  'callback-twice': 'The alternate interface calls the webhook_url of this video twice.',
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
      .flatMap((text) => [...text.matchAll(/\[\[([a-z-]+)\]\]/g)].map((match) => match[1] ?? ''))
      .filter(isScenario),
  )

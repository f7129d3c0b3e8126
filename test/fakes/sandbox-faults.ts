import { expect, onTestFinished } from 'vitest'

/** A fault that is posted this often or more lasts until it is cleared; one that is posted less often must be used up. */
const LASTING = 100

interface Waiting {
  times: number
  left: number
}

/** Fails for each fault at a sandbox that met too few requests to test anything. */
export const expectInjected = async (baseUrl: string): Promise<void> => {
  const response = await fetch(`${baseUrl}/sandbox/faults`)
  const { data } = (await response.json()) as { data: Waiting[] }
  expect(data.filter(({ times, left }) => times < LASTING || left === times)).toEqual([])
}

/** Posts a fault to the interface at `baseUrl`. Whoever posts it sees by `expectInjected` that requests met it. */
export const postFault = async (baseUrl: string, fault: object): Promise<void> => {
  const response = await fetch(`${baseUrl}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  })
  if (response.status !== 201) throw new Error(`the sandbox refused the fault: ${await response.text()}`)
}

/** What happens to coming requests at `baseUrl`. The test fails if they do not come. */
export const injectFault = async (baseUrl: string, fault: object): Promise<void> => {
  await postFault(baseUrl, fault)
  onTestFinished(() => expectInjected(baseUrl))
}

import { IMAGE } from '../../../packages/sandbox/test/harness.ts'
import type { BackendSetup } from './setup.ts'

/** What the rules ask for by name, and what it is called on the other interface. */
const VOICES = {
  ava: { primary: 'sandbox-en-us-ava', alternate: 'voice_amber' },
  lena: { primary: 'sandbox-de-de-lena', alternate: 'voice_fern' },
}
const portrait = (image_url: string) => ({ image_url })
const PUPPETS = {
  ada: { primary: portrait(IMAGE), alternate: 'pup_ada' },
  ben: { primary: portrait('https://example.com/ben.png'), alternate: 'pup_ben' },
  // The rules read and delete it.
  puppet_ada: { primary: 'puppet_ada', alternate: 'pup_cleo' },
}

/** The aliases of an operator who has moved a surface to the other interface. */
export const aliasesOf = (backends: Record<string, BackendSetup>) => {
  const on = <T>(called: Record<'primary' | 'alternate', T>) =>
    Object.fromEntries(Object.entries(backends).map(([name, { interface: of }]) => [name, called[of]]))
  return {
    voices: Object.fromEntries(Object.entries(VOICES).map(([name, called]) => [name, on(called)])),
    puppets: Object.fromEntries(Object.entries(PUPPETS).map(([name, called]) => [name, on<unknown>(called)])),
  }
}

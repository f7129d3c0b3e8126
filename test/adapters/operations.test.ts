import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { INTERFACES, type InterfaceName } from '../../src/adapters/index.ts'
import type { Capability } from '../../src/core/vocabulary.ts'
import { startBackend, type ScriptedBackend } from '../fakes/backend.ts'
import { speak, type Spoken } from './harness.ts'
import { KITS } from './kits/index.ts'
import { createPuppet, createSpeech, createUpload, deletePuppet, usage, type Use } from './kits/uses.ts'

/** The calls of the port that a capability stands for: without it nothing is sent. */
const NEEDS: [capability: Capability, use: Use][] = [
  ['puppets_write', createPuppet],
  ['puppets_write', deletePuppet],
  ['speech', createSpeech],
  ['uploads', createUpload],
  ['usage', usage],
  ['native_list', (adapter) => adapter.list(1)],
  ['puppet_by_id', (adapter) => adapter.puppet('some-id')],
]

/** `METHOD /path` of every row of the contract that names one in a table of operations. */
const operationsOf = (name: InterfaceName): string[] => {
  const contract = readFileSync(new URL(`../../docs/contracts/${name}-interface.md`, import.meta.url), 'utf8')
  return [...contract.matchAll(/^\|(?:[^|\n]*\|)?\s*(GET|POST|PUT|PATCH|DELETE)\s*\|\s*(\/\S+)\s*\|/gm)].map(
    ([, method, path]) => `${method} ${path}`,
  )
}

let backend: ScriptedBackend
beforeAll(async () => {
  backend = await startBackend()
})
afterAll(() => backend.close())

/** Each contract's table of operations, every row held to the call of the port that uses it. */
describe.each(INTERFACES)('%s', (name) => {
  let spoken: Spoken
  beforeEach(() => {
    backend.requests.length = 0
    spoken = speak(name, backend.url)
  })
  afterEach(() => spoken.agents.close())

  test('every operation of the contract has its call', () => {
    expect(operationsOf(name).length).toBeGreaterThan(3)
    expect(Object.keys(KITS[name].operations).toSorted()).toEqual(operationsOf(name).toSorted())
  })

  test.each(operationsOf(name))('%s', async (operation) => {
    await KITS[name].operations[operation]?.(spoken.adapter)
    const asked = backend.requests.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`)
    expect(asked).toEqual([operation.replace(/\{\w+\}|:id/, 'some-id')])
  })

  test.each(NEEDS)('%s is asked for where it is declared, and nowhere else', async (capability, use) => {
    const outcome = await use(spoken.adapter)
    const declared = spoken.adapter.capabilities[capability]
    expect(backend.requests).toHaveLength(declared ? 1 : 0)
    if (!declared) expect(outcome).toMatchObject({ problem: { code: 'capability_not_supported', retryable: false } })
  })
})

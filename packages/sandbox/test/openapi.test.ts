import { describe, expect, it } from 'vitest'
import { VARIANTS, isVariant } from '../src/index.ts'
import { lintOpenApi } from '../../../test/fakes/openapi-lint.ts'
import { rowsOf } from './contract/parse.ts'
import { OPERATIONS } from './contract/requests.ts'
import { at, walk } from './contract/walk.ts'
import { start } from './harness.ts'

const variants = Object.keys(VARIANTS).filter(isVariant)

describe('the OpenAPI documents', () => {
  it.each(variants)('have no error and no warning for a public linter: %s', async (variant) => {
    const { primary, alternate } = await start({ variant })
    for (const [ask, path] of [
      [primary, '/openapi.json'],
      [alternate, '/sandbox/openapi-alternate.json'],
    ] as const)
      expect(await lintOpenApi((await ask(path, { key: null })).text), path).toEqual([])
  })

  it.each([
    ['a reference to nothing', '#/components/schemas/Usage"', '#/components/schemas/Nothing"'],
    ['a field that OpenAPI does not know', '"operationId":', '"surprise":1,"operationId":'],
    ['two operations of one name', '"operationId":"getPuppet"', '"operationId":"listPuppets"'],
    ['a path parameter that is not described', '"name":"puppetId","in":"path"', '"name":"other","in":"path"'],
  ])('would fail with %s: the linter does lint', async (_what, part, broken) => {
    const { primary } = await start()
    const { text } = await primary('/openapi.json', { key: null })
    expect(text).toContain(part)
    expect(await lintOpenApi(text.replace(part, broken))).toContainEqual(expect.stringMatching(/^error: /))
  })

  it('describe the operations and statuses of the contract, no more and no less', async () => {
    const { primary } = await start()
    const { body } = await primary('/openapi.json', { key: null })
    const documented = Object.entries(at(body, 'paths')).flatMap(([path, operations]) =>
      Object.entries(at(operations)).flatMap(([method, operation]) =>
        Object.keys(at(operation, 'responses')).map((status) => `${method.toUpperCase()} ${path} ${status}`),
      ),
    )
    const stated = rowsOf('primary')
      .filter(({ cells }) => cells['status'] !== undefined)
      .map(({ section, cells }) => `${section.replace('Endpoints › ', '')} ${cells['status']}`)
    expect(documented.toSorted()).toEqual(stated.toSorted())
  })

  it('name the operations as faults do, and their scopes as the contract does', async () => {
    const { primary } = await start()
    const { body: faults } = await primary('/sandbox/faults', { key: null })
    const described = async (contract: string): Promise<Record<string, unknown>> => {
      const { body } = await primary(`/sandbox/openapi-${contract}.json`, { key: null })
      const operations = Object.values(at(body, 'paths')).flatMap((methods) => Object.values(at(methods)))
      return Object.fromEntries(operations.map((one) => [at(one)['operationId'], at(one)['description']]))
    }
    const contracts = { primary: await described('primary'), alternate: await described('alternate') }
    for (const [contract, operations] of Object.entries(contracts))
      expect(new Set(Object.keys(operations))).toEqual(new Set(Object.values(at(faults, 'operations', contract))))
    const scopes = [...OPERATIONS.values()].map(({ name, scope }) => [name, `Required scope: \`${scope}\`.`])
    expect(contracts.primary).toEqual(Object.fromEntries(scopes))
  })

  it('are the same at /openapi.json and under /sandbox, on both ports', async () => {
    const { primary, alternate } = await start()
    const { text } = await primary('/openapi.json', { key: null })
    for (const ask of [primary, alternate])
      expect((await ask('/sandbox/openapi-primary.json', { key: null })).text).toBe(text)
  })

  it('describe the operations of the alternate', async () => {
    const { primary } = await start()
    const { body } = await primary('/sandbox/openapi-alternate.json', { key: null })
    const documented = Object.entries(at(body, 'paths')).flatMap(([path, operations]) =>
      Object.keys(at(operations)).map((method) => `${method.toUpperCase()} ${path.replace('{id}', ':id')}`),
    )
    const stated = rowsOf('alternate').filter(({ cells }) => cells['Method'] !== undefined)
    expect(documented.toSorted()).toEqual(stated.map(({ name }) => name).toSorted())
  })

  it('are closed: one field or header more, or one less, is noticed', async () => {
    const w = await walk()
    const spoil = (fault: Record<string, unknown>) => w.fault({ operation: 'listServiceVoices', ...fault })
    await spoil({ kind: 'extra-fields', fields: { surprise: 1 } })
    await expect(w.primary('/api/v1/voices/service')).rejects.toThrow('must NOT have additional properties')
    await spoil({ kind: 'drop-fields', fields: ['object'] })
    await expect(w.primary('/api/v1/voices/service')).rejects.toThrow("required property 'object'")
    await spoil({ kind: 'drop-headers', headers: ['x-ratelimit-limit'] })
    await expect(w.primary('/api/v1/voices/service')).rejects.toThrow('lacks the header X-RateLimit-Limit')
    await spoil({ kind: 'status', status: 418 })
    await expect(w.primary('/api/v1/voices/service')).rejects.toThrow('is not documented')
  })
})

import { readFile } from 'node:fs/promises'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { beforeAll, describe, expect, test } from 'vitest'
import { PROBLEMS, PROBLEM_CODES } from '../../src/core/errors.ts'
import { SCOPES, SURFACES } from '../../src/core/vocabulary.ts'
import { OPERATIONS } from '../../src/routes/openapi/document.ts'
import { at, dereferenced, isJson, type Json } from '../fakes/dereferenced.ts'
import { openApp, testApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { lintOpenApi } from '../fakes/openapi-lint.ts'

/** The served document, held to the linter, to itself and to what it promises its readers. */

/** `all` is what is answered where nobody asks for a surface. */
const DOCUMENTS = ['all', ...SURFACES] as const
type Name = (typeof DOCUMENTS)[number]
const texts = new Map<Name, string>()
const textOf = (name: Name): string => must(texts.get(name))
const documentOf = (name: Name): Json => ({ ...dereferenced(at(JSON.parse(textOf(name)))) })

let text = ''
let document: Json = {}
beforeAll(async () => {
  const app = await openApp()
  for (const name of DOCUMENTS) {
    const answer = await app.raw.get(`/openapi.json${name === 'all' ? '' : `?surface=${name}`}`).expect(200)
    texts.set(name, answer.text)
  }
  text = textOf('all')
  document = documentOf('all')
  await app.close()
})

test('is of the version of the package', async () => {
  const { version } = at(JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')))
  expect(version).toMatch(/^\d+\.\d+\.\d+/)
  expect(at(document, 'info')['version']).toBe(version)
})

describe('a public linter', () => {
  test.each(DOCUMENTS)('has no error and no warning: %s', async (name) => {
    expect(await lintOpenApi(textOf(name))).toEqual([])
  })

  test.each([
    ['a reference to nothing', '#/components/schemas/AlternateError"', '#/components/schemas/Nothing"'],
    ['a field that OpenAPI does not know', '"operationId":', '"surprise":1,"operationId":'],
    ['two operations of one name', '"operationId":"listVoices"', '"operationId":"listPuppets"'],
  ])('would fail with %s', async (_what, part, broken) => {
    const small = textOf('alternate')
    expect(small).toContain(part)
    expect(await lintOpenApi(small.replace(part, broken))).toContainEqual(expect.stringMatching(/^error: /))
  })
})

/** Every `example` and `examples` beside a schema, by its place. */
const exampled = (whole: Json, node: unknown, place: string): { place: string; schema: unknown; value: unknown }[] => {
  if (Array.isArray(node)) return node.flatMap((inner, index) => exampled(whole, inner, `${place}/${index}`))
  if (!isJson(node)) return []
  const { schema, example, examples } = node
  const inline = 'example' in node && schema !== undefined ? [{ place, schema, value: example }] : []
  const named = schema === undefined ? {} : at(examples)
  const listed = Object.entries(named).map(([name, one]) => {
    const reference = at(one)['$ref']
    const found = typeof reference === 'string' ? at(whole, ...reference.slice(2).split('/')) : at(one)
    return { place: `${place} (${name})`, schema, value: found['value'] }
  })
  return [
    ...inline,
    ...listed,
    ...Object.entries(node).flatMap(([key, inner]) =>
      key === 'example' || key === 'examples' ? [] : exampled(whole, inner, `${place}/${key}`),
    ),
  ]
}

describe('its examples', () => {
  test.each([
    ['all', 500],
    ['unified', 300],
    ['primary', 80],
    ['alternate', 40],
  ] as const)('are what their schemas say: %s', (name, least) => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
    formats.default(ajv)
    const own = documentOf(name)
    const whole = JSON.parse(textOf(name).replaceAll('"#/components/', '"doc#/components/')) as Json
    ajv.addSchema(whole, 'doc')
    const all = exampled(own, own['paths'], 'paths').concat(exampled(own, own['webhooks'], 'webhooks'))
    expect(all.length).toBeGreaterThan(least)
    const compiled = new Map<string, ValidateFunction>()
    const wrong = all.flatMap(({ place, schema, value }) => {
      const its = JSON.stringify(schema).replaceAll('"#/components/', '"doc#/components/')
      const validate = compiled.get(its) ?? ajv.compile(JSON.parse(its) as Json)
      compiled.set(its, validate)
      return validate(value) ? [] : [`${place}: ${ajv.errorsText(validate.errors)}`]
    })
    expect(wrong).toEqual([])
  })

  test('are there for every body that is sent or answered', () => {
    const bare = OPERATIONS.flatMap(({ id, body, answers }) => [
      ...(body && Object.keys(body.examples).length === 0 ? [`${id}: request`] : []),
      ...Object.entries(answers).flatMap(([status, answer]) =>
        answer.body && answer.body !== 'OpenApi' && answer.example === undefined ? [`${id}: ${status}`] : [],
      ),
    ])
    expect(bare).toEqual([])
  })
})

/** Objects that are described by their fields and would take another. */
const open = (node: unknown, place: string): string[] => {
  if (Array.isArray(node)) return node.flatMap((inner, index) => open(inner, `${place}/${index}`))
  if (!isJson(node)) return []
  const here = isJson(node['properties']) && node['additionalProperties'] !== false ? [place] : []
  return [...here, ...Object.entries(node).flatMap(([key, inner]) => open(inner, `${place}/${key}`))]
}

describe('its schemas', () => {
  test('are closed, but for what is opaque', () => {
    const opened = open(at(documentOf('unified'), 'components', 'schemas'), '')
    expect(opened).toEqual(['/OpenApi'])
    expect(JSON.stringify(at(document, 'components', 'schemas', 'OpenApi'))).toContain('Opaque')
    expect(text).not.toContain('documentedAs')
  })

  test('hold the whole table of problem codes', () => {
    const { properties, description } = at(document, 'components', 'schemas', 'Problem')
    expect(at(properties, 'code')['enum']).toEqual(PROBLEM_CODES)
    for (const code of PROBLEM_CODES)
      expect(description).toContain(`| ${PROBLEMS[code].status} | \`${code}\` | ${PROBLEMS[code].title} |`)
  })
})

describe('its operations', () => {
  test('say what key they need, in words and for programs', () => {
    for (const { id, method, path, scope } of OPERATIONS) {
      const operation = at(document, 'paths', path, method)
      expect(operation['operationId']).toBe(id)
      expect(operation['x-scope'] ?? null).toBe(scope)
      if (scope === null) expect([id, operation['security']]).toEqual([id, []])
      else
        expect([id, SCOPES.includes(scope), operation['security']]).toEqual([
          id,
          true,
          expect.arrayContaining([{ bearer: [] }]),
        ])
    }
  })

  test('have the id of the request on every answer', () => {
    const silent = OPERATIONS.flatMap(({ id, method, path }) =>
      Object.entries(at(document, 'paths', path, method, 'responses')).flatMap(([status, response]) =>
        /^\d+$/.test(status) && !('X-Request-Id' in at(response, 'headers')) ? [`${id} ${status}`] : [],
      ),
    )
    expect(silent).toEqual([])
  })

  test('answer under numbers, and no range of them: client generators refuse `4XX`', () => {
    const told = [
      ...OPERATIONS.map(({ id, method, path }) => [id, at(document, 'paths', path, method, 'responses')] as const),
      ...Object.keys(at(document, 'webhooks')).map(
        (type) => [type, at(document, 'webhooks', type, 'post', 'responses')] as const,
      ),
    ]
    const ranges = told.flatMap(([name, responses]) =>
      Object.keys(responses)
        .filter((status) => !/^(\d{3}|default)$/.test(status))
        .map((status) => `${name} ${status}`),
    )
    expect(ranges).toEqual([])
    expect(told.filter(([, responses]) => Object.keys(responses).length === 0)).toEqual([])
  })

  test('have names and places of their own', () => {
    expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length)
    expect(new Set(OPERATIONS.map(({ method, path }) => `${method} ${path}`)).size).toBe(OPERATIONS.length)
  })
})

test('says what its operations share once: no document is large', () => {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(540_000)
})

describe('GET /openapi.json', () => {
  test('needs no key and is not sent twice', async () => {
    const app = await testApp()
    const { headers } = await app.raw.get('/openapi.json').set('accept-encoding', 'gzip, br').expect(200)
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(headers['cache-control']).toBe('public, max-age=300')
    const etag = headers['etag'] as string
    await app.raw.get('/openapi.json').set({ 'if-none-match': etag, 'accept-encoding': 'gzip, br' }).expect(304)
    await app.raw.get('/openapi.json').set('if-none-match', '"other"').expect(200)
    await app.raw.get('/openapi.json?surface=primary').set('if-none-match', etag).expect(200)
    const head = await app.raw.head('/openapi.json').set('accept-encoding', 'gzip, br').expect(200)
    expect(head.headers['etag']).toBe(etag)
  })

  test('refuses a surface that there is not, and names those that there are', async () => {
    const app = await testApp()
    for (const query of ['surface=all', 'surface=', 'surface=primary&surface=alternate', 'surfaces=primary']) {
      const { body } = await app.raw.get(`/openapi.json?${query}`).expect(400)
      expect([query, at(body)['code']]).toEqual([query, 'invalid_request'])
    }
    const { body } = await app.raw.get('/openapi.json?surface=secondary').expect(400)
    expect(at(body)['detail']).toBe('surface: must be one of "unified", "primary", "alternate"')
  })
})

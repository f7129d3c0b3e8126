import { describe, expect, test } from 'vitest'
import { INTERFACES } from '../../src/adapters/index.ts'
import { SURFACES } from '../../src/core/vocabulary.ts'
import { documentOf } from '../../src/routes/openapi/document.ts'
import { rowsOf, type Row } from '../../packages/sandbox/test/contract/parse.ts'

/** The document of each surface: a whole of its own, and all that its contract says of operations, scopes and statuses. */

type Json = Readonly<Record<string, unknown>>
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const at = (value: unknown, ...path: string[]): Json => {
  const found = path.reduce<unknown>((inner, key) => (isJson(inner) ? inner[key] : undefined), value)
  return isJson(found) ? found : {}
}

type Name = 'all' | (typeof SURFACES)[number]
const DOCUMENTS: readonly Name[] = ['all', ...SURFACES]
const docs = {
  all: documentOf('all', INTERFACES),
  unified: documentOf('unified', INTERFACES),
  primary: documentOf('primary', INTERFACES),
  alternate: documentOf('alternate', INTERFACES),
}

/** The operations of a document, as `GET /path` and its id. */
const operationsIn = (name: Name): Map<string, string> =>
  new Map(
    Object.entries(at(docs[name], 'paths')).flatMap(([path, methods]) =>
      Object.entries(at(methods)).map(([method, operation]) => [
        `${method.toUpperCase()} ${path}`,
        String(at(operation)['operationId']),
      ]),
    ),
  )
const namesIn = (value: unknown): string[] => (Array.isArray(value) ? value.map((one) => String(at(one)['name'])) : [])

describe('the document of one surface', () => {
  test('and the others make up the document of all, each operation once', () => {
    const apart = SURFACES.flatMap((name) => [...operationsIn(name).keys()])
    expect(apart).toEqual([...operationsIn('all').keys()])
    const ids = [...operationsIn('all').values()]
    expect(new Set(ids).size).toBe(ids.length)
  })

  test.each(SURFACES)('%s has its own paths, tags and title, and nothing that it does not refer to', (name) => {
    const own = docs[name]
    const under = {
      unified: /^\/(unified\/v1\/|healthz|metrics|readyz|openapi|docs)/,
      primary: /^\/api\/v1\//,
      alternate: /^\/v1\//,
    }
    expect(Object.keys(at(own, 'paths')).filter((path) => !under[name].test(path))).toEqual([])
    const tagged = namesIn(own['tags'])
    const groups = Array.isArray(own['x-tagGroups']) ? own['x-tagGroups'].flatMap((group) => at(group)['tags']) : []
    expect(groups).toEqual(tagged)
    expect(at(own, 'info')['title']).toMatch(/^Talkbridge: /)
    for (const kind of ['headers', 'examples', 'securitySchemes'] as const)
      for (const part of Object.keys(at(own, 'components', kind)))
        expect(JSON.stringify(docs[name])).toMatch(new RegExp(`"#/components/${kind}/${part}"|{"${part}":\\[\\]}`))
    const others = SURFACES.filter((other) => other !== name).flatMap((other) =>
      Object.keys(at(docs[other], 'components', 'schemas')),
    )
    expect(Object.keys(at(own, 'components', 'schemas')).filter((part) => others.includes(part))).toEqual([])
  })

  test('has the version of what it describes', () => {
    const versions = DOCUMENTS.map((name) => at(docs[name], 'info')['version'])
    expect(versions).toEqual([versions[0], versions[0], '2026-05-11', 'v1'])
  })

  test('keeps the ids that its contract gives; beside the others those that are taken get its name', () => {
    const { listPuppets: own } = Object.fromEntries([...operationsIn('primary')].map(([at, id]) => [id, at]))
    expect(own).toBe('GET /api/v1/puppets')
    const all = Object.fromEntries([...operationsIn('all')].map(([at, id]) => [id, at]))
    expect(all).toMatchObject({
      listPuppets: 'GET /unified/v1/puppets',
      primaryListPuppets: 'GET /api/v1/puppets',
      alternateListPuppets: 'GET /v1/puppets',
      getVideoJob: 'GET /api/v1/videos/{jobId}',
    })
  })
})

const sectionOf = ({ section }: Row): [string, string] => {
  const [method = '', path = ''] = section.replace('Endpoints › ', '').split(' ')
  return [path, method.toLowerCase()]
}
const operationAt = (path: string, method: string): Json => at(docs.primary, 'paths', path, method)

describe('the primary contract', () => {
  const rows = rowsOf('primary')

  test('has its operations there, by id, method, path and scope', () => {
    const told = rows.filter(({ cells }) => cells['operationId'] !== undefined)
    expect(told).toHaveLength(11)
    for (const { cells } of told) {
      const operation = operationAt(cells['Path'] ?? '', (cells['Method'] ?? '').toLowerCase())
      expect([operation['operationId'], operation['x-scope']]).toEqual([cells['operationId'], cells['Required scope']])
    }
    expect(operationsIn('primary').size).toBe(11)
  })

  test('has its statuses there', () => {
    const told = rows.filter(({ cells }) => cells['status'] !== undefined)
    expect(told.length).toBeGreaterThan(80)
    const missing = told.filter((row) => {
      const { status = '' } = row.cells
      return !Object.hasOwn(at(operationAt(...sectionOf(row)), 'responses'), status)
    })
    expect(missing).toEqual([])
  })

  test('has its alias groups there: every name, and one of each required group', () => {
    const told = rows.filter(
      ({ cells }) => (cells['Aliases'] ?? cells['Aliases (one required per group)']) !== undefined,
    )
    expect(told.length).toBeGreaterThan(40)
    for (const row of told) {
      const { $ref } = at(operationAt(...sectionOf(row)), 'requestBody', 'content', 'application/json', 'schema')
      const schema = at(docs.primary, ...String($ref).slice(2).split('/'))
      const [group = '', alias = ''] = row.name.split(': ')
      expect([row.section, Object.keys(at(schema, 'properties'))]).toEqual([
        row.section,
        expect.arrayContaining([alias]),
      ])
      const isRequired = (row.cells['Required'] ?? (group.includes('optional') ? '' : 'required')).includes('required')
      expect([row.name, JSON.stringify(schema).includes(`{"required":["${alias}"]}`)]).toEqual([row.name, isRequired])
    }
  })

  test('has its error fields there', () => {
    const told = rows.filter(({ section }) => section.startsWith('Errors › Error body fields'))
    const error = at(docs.primary, 'components', 'schemas', 'PrimaryError')
    const names = told.map(({ name }) => name).filter((name) => /^\w+$/.test(name))
    expect(names.length).toBeGreaterThan(20)
    const known = Object.keys(at(error, 'properties'))
    expect(names.filter((name) => !known.includes(name))).toEqual([])
  })

  test('has its codes there, under their statuses', () => {
    const told = rows.filter(({ cells }) => cells['Condition'] !== undefined)
    expect(told.length).toBeGreaterThan(10)
    const { description } = at(docs.primary, 'components', 'schemas', 'PrimaryError')
    for (const { cells } of told) expect(description).toContain(`| ${cells['Status']} | \`${cells['error']}\` |`)
  })

  test('has its headers there', () => {
    const told = rows.filter(({ section }) => section === 'Endpoints › Shared response headers')
    expect(told.length).toBeGreaterThan(10)
    const known = Object.keys(at(docs.primary, 'components', 'headers'))
    expect(
      told
        .map(({ name }) => `Primary-${name.replace('X-RateLimit-', '')}`)
        .filter((name) => !known.some((one) => one.startsWith(name))),
    ).toEqual([])
  })
})

describe('the alternate contract', () => {
  const rows = rowsOf('alternate')

  test('has its operations there', () => {
    const told = rows
      .filter(({ cells }) => cells['Method'] !== undefined)
      .map(({ name }) => name.replace(':id', '{id}'))
    expect(told).toHaveLength(6)
    expect([...operationsIn('alternate').keys()].toSorted()).toEqual(told.toSorted())
  })

  test('has its create body there', () => {
    const told = rows.filter(({ cells }) => cells['Rule'] !== undefined && cells['Required'] !== undefined)
    const { properties, required } = at(docs.alternate, 'components', 'schemas', 'AlternateNewVideo')
    expect(told.map(({ name }) => name)).toEqual(Object.keys(at(properties)))
    expect(told.filter(({ cells }) => cells['Required'] === 'yes').map(({ name }) => name)).toEqual(required)
  })

  test('has the fields of its resources there', () => {
    const schemas = {
      'Video (create response)': 'AlternateCreatedVideo',
      'Video (list item)': 'AlternateVideoItem',
      'Video (detail)': 'AlternateVideo',
      'Download link': 'AlternateDownload',
      Voice: 'AlternateVoice',
      Puppet: 'AlternatePuppet',
    }
    const told = rows.filter(({ section }) => section === 'Resources and their fields')
    for (const [resource, schema] of Object.entries(schemas)) {
      const fields = told.flatMap(({ name }) =>
        name.startsWith(`${resource}: `) ? [name.slice(resource.length + 2)] : [],
      )
      expect(fields.length).toBeGreaterThan(1)
      const known = Object.keys(at(docs.alternate, 'components', 'schemas', schema, 'properties'))
      expect([resource, fields.filter((field) => !known.includes(field))]).toEqual([resource, []])
    }
  })

  test('has its callback there', () => {
    expect(Object.keys(at(docs.alternate, 'webhooks'))).toEqual(['alternate.video.ready'])
  })
})

import { didYouMean, nearest } from '../../core/errors.ts'
import { fingerprintOf } from '../../core/ids.ts'
import type { NewVideo } from '../../../packages/client/src/types.ts'
import { messageOf } from '../context.ts'
import { fail, refuse, type SourceRow, type Table } from './rows.ts'

/** One row as a request: what createVideo gets, but for the batch's own metadata. */
export interface Row {
  readonly number: number
  readonly request: Readonly<Record<string, unknown>>
  /** Of the request: another one under the same number is another video. */
  readonly hash: string
}

/** The batch's own keys in the metadata of its videos. */
const OWN_METADATA = ['batch', 'row', 'row_hash'] as const

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

interface Place {
  /** Such as `metadata.team`. */
  readonly path: string
  readonly text: string
}

/** Every string of the template. */
const stringsOf = (value: unknown, path = ''): Place[] => {
  if (typeof value === 'string') return [{ path, text: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => stringsOf(inner, path === '' ? key : `${path}.${key}`))
}

const columnsIn = (text: string): string[] => Array.from(text.matchAll(PLACEHOLDER), ([, column = '']) => column.trim())

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const placeFaults = ({ path, text }: Place, columns: readonly string[], file: string): string[] => {
  const rest = text.replaceAll(PLACEHOLDER, '')
  if (rest.includes('{{') || rest.includes('}}')) return [`${path}: write a column as {{name}}`]
  return columnsIn(text)
    .filter((column) => !columns.includes(column))
    .map(
      (column) =>
        `${path}: ${file} has no column "${column}"${didYouMean(nearest(column, columns)) || `; it has: ${columns.slice(0, 20).join(', ')}`}`,
    )
}

const jsonIn = (text: string, shown: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    return fail(`${shown}: is not JSON: ${messageOf(error)}`)
  }
}

/** The template as it is, checked against the columns of the file. Throws a `CliError` with its faults. */
export const parseTemplate = (text: string, shown: string, columns: readonly string[], file: string) => {
  const value = jsonIn(text, shown)
  if (!isRecord(value)) return fail(`${shown}: must be an object: the body of POST /videos`)
  const places = stringsOf(value)
  const faults = places.flatMap((place) => placeFaults(place, columns, file))
  const metadata = value['metadata'] ?? {}
  if (!isRecord(metadata)) return fail(`${shown}: metadata: must be an object`)
  for (const key of OWN_METADATA)
    if (Object.hasOwn(metadata, key)) faults.push(`metadata.${key}: the batch sets it: leave it out`)
  refuse(faults.map((fault) => `${shown}: ${fault}`))
  return { value, places }
}
export type Template = ReturnType<typeof parseTemplate>

/**
 * The template with a row's cells in it. A field that is nothing but one column is left out where the cell is empty, so
 * that a column may be optional; metadata keeps it, since its values are texts.
 */
const filled = (value: unknown, cells: SourceRow['cells'], isMetadata = false): unknown => {
  if (typeof value === 'string') {
    const text = value.replaceAll(PLACEHOLDER, (_, column: string) => cells.get(column.trim()) ?? '')
    return text === '' && value !== '' && !isMetadata ? null : text
  }
  if (Array.isArray(value)) return value.map((inner) => filled(inner, cells, isMetadata))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner, cells, isMetadata)]))
}

/** Rows as requests. Throws a `CliError` for rows of JSON lines that lack a column of the template. */
export const fillRows = (template: Template, { rows }: Table, file: string): Row[] => {
  const wanted = template.places.flatMap(({ path, text }) => columnsIn(text).map((column) => ({ path, column })))
  refuse(
    rows.flatMap(({ number, cells }) =>
      wanted
        .filter(({ column }) => !cells.has(column))
        .map(({ path, column }) => `${file}: row ${number}: has no "${column}", which the template needs for ${path}`),
    ),
  )
  const fields = Object.entries(template.value)
  return rows.map(({ number, cells }) => {
    const request = Object.fromEntries(fields.map(([key, inner]) => [key, filled(inner, cells, key === 'metadata')]))
    return { number, request, hash: fingerprintOf(request) }
  })
}

/** What is sent for a row: behind the client's other videos, if the template does not say otherwise. The gateway checks it. */
export const bodyOf = (name: string, { number, request, hash }: Row): NewVideo => {
  const metadata = isRecord(request['metadata']) ? request['metadata'] : {}
  const body: unknown = {
    priority: 'low',
    ...request,
    metadata: { ...metadata, batch: name, row: String(number), row_hash: hash },
  }
  return body as NewVideo
}

/** The columns that a field of the request came from, for a fault in it. */
export const columnsOf = (template: Template, path: string): string[] => [
  ...new Set(
    template.places
      .filter((place) => place.path === path || place.path.startsWith(`${path}.`))
      .flatMap(({ text }) => columnsIn(text)),
  ),
]

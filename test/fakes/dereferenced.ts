import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object at `path`; empty where there is none. */
export const at = (value: unknown, ...path: readonly string[]): Json => {
  const found = path.reduce<unknown>((inner, key) => (isJson(inner) ? inner[key] : undefined), value)
  return isJson(found) ? found : {}
}
export const pointer = (...steps: readonly string[]): string =>
  steps.map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')

/** An OpenAPI document with the answers and parameters that its operations share in their places. */
export const dereferenced = (document: Json): Json => {
  const inPlace = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(inPlace)
    if (!isJson(node)) return node
    const { $ref } = node
    if (typeof $ref === 'string' && /^#\/components\/(responses|parameters)\//.test($ref))
      return at(document, ...$ref.slice(2).split('/'))
    return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, inPlace(inner)]))
  }
  return { ...document, paths: inPlace(document['paths']) }
}

/** Says what of a value is not as the schema at `place` of the document, a JSON pointer, describes; null: nothing. */
export const createFits = (document: Json): ((place: string, value: unknown) => string | null) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
  formats.default(ajv)
  ajv.addSchema(document, 'doc')
  const compiled = new Map<string, ValidateFunction>()
  return (place, value) => {
    const validate = compiled.get(place) ?? ajv.compile({ $ref: `doc#${place}` })
    compiled.set(place, validate)
    return validate(value) ? null : ajv.errorsText(validate.errors)
  }
}

/** Of the paths of a document, those that are written out come before those with a template in their place. */
export const templatesOf = (paths: Json): string[] =>
  Object.keys(paths).toSorted((a, b) => a.split('{').length - b.split('{').length)
/** `/v1/videos/{id}` fits `/v1/videos/clip_1`. */
export const isPathOf = (template: string, path: string): boolean =>
  new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(path)

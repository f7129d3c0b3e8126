type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** An OpenAPI document with the answers and parameters that its operations share in their places. */
export const dereferenced = (document: Json): Json => {
  const found = (reference: string): unknown =>
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((inner, key) => (isJson(inner) ? inner[key] : undefined), document)
  const inPlace = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(inPlace)
    if (!isJson(node)) return node
    const { $ref } = node
    if (typeof $ref === 'string' && /^#\/components\/(responses|parameters)\//.test($ref)) return found($ref)
    return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, inPlace(inner)]))
  }
  return { ...document, paths: inPlace(document['paths']) }
}

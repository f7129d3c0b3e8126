import { createConfig, lintFromString } from '@redocly/openapi-core'

/**
 * What Redocly's linter finds in an OpenAPI document by its recommended rules, errors and warnings: its library, without
 * the command and what that renders with.
 */
export const lintOpenApi = async (source: string): Promise<string[]> => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  return problems.map(({ severity, ruleId, message }) => `${severity}: ${ruleId}: ${message}`)
}

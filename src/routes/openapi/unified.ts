import { isProblemCode } from '../../core/errors.ts'
import { VERSION } from '../../core/version.ts'
import { BODIES, VIEWS } from './components.ts'
import { RATE_HEADERS, UNIFIED_HEADERS } from './headers.ts'
import type { JsonSchema } from './json-schema.ts'
import { COMMON_PROBLEMS, type Operation, type UnifiedNames } from './operation.ts'
import { problemExamples, problemResponses } from './problems.ts'
import { GROUPS, INTRODUCTION, TAGS } from './prose.ts'
import type { SurfaceDocs } from './surface.ts'
import { DELIVERY, ENDPOINT, EVENT } from './webhook-examples.ts'
import { webhooks } from './webhooks.ts'

const PATH_PARAMETERS: Readonly<Record<string, JsonSchema>> = {
  id: { description: 'Its id, as it was answered.', schema: { type: 'string' } },
  name: { description: 'Name of a configured backend.', schema: { type: 'string' }, example: 'main' },
}

/** What stands for `{id}` in an example. */
const exampleId = (path: string): string => {
  if (path.includes('/puppets/')) return 'main:puppet_ada'
  if (path.includes('/webhook_endpoints/')) return ENDPOINT.id
  if (path.includes('/events/')) return EVENT.id
  if (path.includes('/deliveries/')) return DELIVERY.id
  return 'vid_01M7WA9S7VF4P8S27TV0W2QQJ9'
}

/** The unified API and what the gateway says of itself. */
export const unifiedSurface = (operations: readonly Operation<UnifiedNames>[]): SurfaceDocs => ({
  name: 'unified',
  info: {
    title: 'Talkbridge: unified API',
    version: VERSION,
    summary: 'One API for talking-head videos, whichever backend makes them.',
    description: INTRODUCTION,
  },
  tags: TAGS,
  groups: GROUPS,
  operations,
  views: VIEWS,
  bodies: BODIES,
  headers: UNIFIED_HEADERS,
  rateHeaders: RATE_HEADERS,
  pathParameter: (name, path) => ({ ...(name === 'id' && { example: exampleId(path) }), ...PATH_PARAMETERS[name] }),
  refusals({ scope, problems }) {
    const own = problems.filter(isProblemCode)
    return problemResponses(scope === null ? own : [...COMMON_PROBLEMS, ...own], scope !== null)
  },
  examples: problemExamples,
  webhooks,
})

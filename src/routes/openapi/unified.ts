import { isProblemCode } from '../../core/errors.ts'
import { VERSION } from '../../core/vocabulary.ts'
import { EXAMPLE_IDS } from '../../core/ids.ts'
import { BODIES, VIEWS } from './components.ts'
import { RATE_HEADERS, UNIFIED_HEADERS } from './headers.ts'
import type { JsonSchema } from './json-schema.ts'
import { COMMON_PROBLEMS, type Operation, type UnifiedNames } from './operation.ts'
import { problemExamples, problemResponses } from './problems.ts'
import { GROUPS, INTRODUCTION, TAGS } from './prose.ts'
import type { SurfaceDocs } from './surface.ts'
import { webhooks } from './webhooks.ts'

const PATH_PARAMETERS: Readonly<Record<string, JsonSchema>> = {
  id: { description: 'The id, as an earlier answer showed it.', schema: { type: 'string' } },
  name: { description: 'The name of a backend of the configuration.', schema: { type: 'string' }, example: 'main' },
}

/** What stands for `{id}` in an example, by what stands before it; the sandbox's gateway has one of each. */
const EXAMPLES: readonly (readonly [RegExp, string])[] = [
  [/\/puppets\//, `main:${EXAMPLE_IDS.puppet}`],
  [/endpoints\//, EXAMPLE_IDS.endpoint],
  [/\/deliveries\//, EXAMPLE_IDS.delivery],
  [/\/keys\//, EXAMPLE_IDS.key],
  [/\/clients\//, EXAMPLE_IDS.client],
  [/\/cancel$/, EXAMPLE_IDS.canceledVideo],
  [/\/videos\//, EXAMPLE_IDS.video],
  [/\/events\//, EXAMPLE_IDS.event],
]
const exampleId = (path: string): string | undefined => EXAMPLES.find(([where]) => where.test(path))?.[1]

/** The unified API and what the gateway says of itself. */
export const unifiedSurface = (operations: readonly Operation<UnifiedNames>[]): SurfaceDocs => ({
  name: 'unified',
  info: {
    title: 'Talkbridge: unified API',
    version: VERSION,
    summary: 'One API to make talking-head videos on any of your backends.',
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

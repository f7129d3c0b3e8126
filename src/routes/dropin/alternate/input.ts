import type { Request } from 'express'
import { z } from 'zod'
import { Problem } from '../../../core/errors.ts'
import { RESOLUTIONS } from '../../../core/vocabulary.ts'
import { parseOr400, parseQuery } from '../../parse.ts'
import { Spoken, WebhookUrl } from '../../unified/input.ts'
import type { Unsupported } from '../warnings.ts'

/** "Create body": `script` is "at most 5000 characters". The schema counts code points, as the adapter does. */
const MAX_SCRIPT_CHARACTERS = 5_000

/** However long: what nothing is called is 404, and the body has a limit of its own. */
const Id = z.string().min(1)

/** Not given is left out. A null that is given is a wrong type. */
const CreateVideo = z.object({
  script: Spoken.max(MAX_SCRIPT_CHARACTERS),
  puppet_id: Id,
  voice_id: Id.optional(),
  resolution: z.enum(RESOLUTIONS).optional(),
  webhook_url: WebhookUrl.optional(),
})

/** The body of a create, and the fields that nobody knows. Throws `invalid_request` with every fault. */
export const readCreate = (body: unknown): z.output<typeof CreateVideo> & { unknown: Unsupported[] } => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Problem('invalid_request', 'the body must be a JSON object')
  }
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(CreateVideo.shape, name))
  return {
    ...parseOr400(CreateVideo, body),
    unknown: unknown.map((param) => ({ code: 'unknown_field', param })),
  }
}

const whole = (max: number, message: string) =>
  z.string().regex(/^\d+$/, message).transform(Number).pipe(z.int(message).min(1, message).max(max, message))

/** "List query". What else a query has means nothing here. */
const ListQuery = z.object({
  page: whole(Number.MAX_SAFE_INTEGER, 'must be a whole number from 1').default(1),
  limit: whole(100, 'must be a whole number from 1 to 100').default(20),
  status: z.enum(['processing', 'completed', 'failed']).optional(),
})

/** Throws `invalid_request`. */
export const readList = (req: Pick<Request, 'query'>): z.output<typeof ListQuery> => parseQuery(ListQuery, req)

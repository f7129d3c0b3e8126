import { BACKEND, DRIFT, listOfOne, QUEUED, USAGE } from '../../openapi/examples.ts'
import { BACKEND_PROBLEMS, BODY_PROBLEMS, type Operation } from '../../openapi/operation.ts'
import { DriftQuery, NoQuery } from '../queries.ts'

export const BACKEND_OPERATIONS: readonly Operation[] = [
  {
    id: 'listBackends',
    method: 'get',
    path: '/unified/v1/backends',
    tag: 'Backends',
    summary: 'List your backends',
    description: 'Health, capabilities, and what is left of budgets and slots.',
    scope: 'videos:read',
    query: NoQuery,
    answers: { 200: { description: 'All of them.', body: 'BackendList', example: listOfOne(BACKEND) } },
    problems: [],
  },
  {
    id: 'getDrift',
    method: 'get',
    path: '/unified/v1/backends/{name}/drift',
    tag: 'Backends',
    summary: 'What a backend says that its contract does not',
    description: 'Statuses, error codes and fields that the gateway met and does not know.',
    scope: 'videos:read',
    query: DriftQuery,
    answers: { 200: { description: 'A page.', body: 'DriftList', example: listOfOne(DRIFT) } },
    problems: ['backend_not_found', 'invalid_cursor'],
  },
  {
    id: 'getUsage',
    method: 'get',
    path: '/unified/v1/usage',
    tag: 'Backends',
    summary: 'Credits, slots and counts',
    description: 'What each backend has left, and what you did through the gateway this month.',
    scope: 'videos:read',
    query: NoQuery,
    answers: { 200: { description: 'As of now.', body: 'Usage', example: USAGE } },
    problems: [...BACKEND_PROBLEMS],
  },
]

export const ADMIN_OPERATIONS: readonly Operation[] = [
  {
    id: 'resolveVideo',
    method: 'post',
    path: '/unified/v1/admin/videos/{id}/resolve',
    tag: 'Administration',
    summary: 'End a doubt by word of an operator',
    description:
      'A create whose outcome only the backend can tell: either it made that job, or there is none and the create is sent once more. ' +
      'One that failed with `create_outcome_unknown` stays failed, and nothing is sent again: the job becomes a video of its own, of the same client, and that is the answer.',
    scope: 'admin',
    body: {
      name: 'ResolveVideo',
      examples: {
        job: { summary: 'It made a job', value: { job_id: 'clip_7Hq2' } },
        absent: { summary: 'There is none', value: { absent: true } },
      },
    },
    answers: {
      200: {
        description: 'The video that has the job, or waits for one; the failed one where there was none.',
        body: 'Video',
        example: QUEUED,
      },
    },
    problems: [...BODY_PROBLEMS, ...BACKEND_PROBLEMS, 'video_not_found'],
  },
]

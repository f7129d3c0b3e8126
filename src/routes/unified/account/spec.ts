import { BACKEND, DRIFT, IN_DOUBT, listOfOne, QUEUED, USAGE } from '../../openapi/examples.ts'
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
    id: 'getAdminVideo',
    method: 'get',
    path: '/unified/v1/admin/videos/{id}',
    tag: 'Administration',
    summary: 'Get any client’s video, and its doubt',
    description: 'What an operator needs before a word about a create: the attempt in doubt, and jobs that may be it.',
    scope: 'admin',
    query: NoQuery,
    answers: { 200: { description: 'The video.', body: 'AdminVideo', example: IN_DOUBT } },
    problems: ['video_not_found'],
  },
  {
    id: 'resolveVideo',
    method: 'post',
    path: '/unified/v1/admin/videos/{id}/resolve',
    tag: 'Administration',
    summary: 'End a doubt by word of an operator',
    description:
      'A create whose outcome only the backend can tell: either it made that job, or there is none and the create is sent once more. ' +
      'That there is none is said of one attempt, `doubt.attempt` of the video; about one that is over it is refused. ' +
      'One that failed with `create_outcome_unknown` stays failed, and nothing is sent again: the job becomes a video of its own, of the same client, which `replaces` it, and that is the answer. ' +
      'The same job said again gets the same answer; another one, or that there is none, is refused: `video_replaced`.',
    scope: 'admin',
    body: {
      name: 'ResolveVideo',
      examples: {
        job: { summary: 'It made a job', value: { job_id: 'clip_7Hq2' } },
        absent: { summary: 'There is none', value: { absent: true, attempt: 1 } },
      },
    },
    answers: {
      200: {
        description: 'The video that has the job, or waits for one; the failed one where there was none.',
        body: 'AdminVideo',
        example: { ...QUEUED, doubt: null },
      },
    },
    problems: [...BODY_PROBLEMS, ...BACKEND_PROBLEMS, 'video_not_found', 'video_replaced'],
  },
]

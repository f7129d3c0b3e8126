import { BACKEND, DRIFT, IN_DOUBT, listOfOne, QUEUED, USAGE } from '../../openapi/examples.ts'
import { json, operations, BACKEND_PROBLEMS, BODY_PROBLEMS } from '../../openapi/operation.ts'
import { PageQuery } from '../../parse.ts'

export const BACKEND_OPERATIONS = operations('Backends', {
  listBackends: {
    at: ['get', '/unified/v1/backends'],
    summary: 'List your backends',
    description: 'Health, capabilities, and what is left of budgets and slots.',
    scope: 'videos:read',
    answers: { 200: json('All of them.', 'BackendList', listOfOne(BACKEND)) },
    problems: [],
  },
  getDrift: {
    at: ['get', '/unified/v1/backends/{name}/drift'],
    summary: 'What a backend says that its contract does not',
    description: 'Statuses, error codes and fields that the gateway met and does not know.',
    scope: 'videos:read',
    query: PageQuery,
    answers: { 200: json('A page.', 'DriftList', listOfOne(DRIFT)) },
    problems: ['backend_not_found', 'invalid_cursor'],
  },
  getUsage: {
    at: ['get', '/unified/v1/usage'],
    summary: 'Credits, slots and counts',
    description: 'What each backend has left, and what you did through the gateway this month.',
    scope: 'videos:read',
    answers: { 200: json('As of now.', 'Usage', USAGE) },
    problems: BACKEND_PROBLEMS,
  },
})

export const ADMIN_OPERATIONS = operations('Administration', {
  getAdminVideo: {
    at: ['get', '/unified/v1/admin/videos/{id}'],
    summary: 'Get any client’s video, and its doubt',
    description: 'What an operator needs before a word about a create: the attempt in doubt, and jobs that may be it.',
    scope: 'admin',
    answers: { 200: json('The video.', 'AdminVideo', IN_DOUBT) },
    problems: ['video_not_found'],
  },
  resolveVideo: {
    at: ['post', '/unified/v1/admin/videos/{id}/resolve'],
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
      200: json('The video that has the job, or waits for one; the failed one where there was none.', 'AdminVideo', {
        ...QUEUED,
        doubt: null,
      }),
    },
    problems: [...BODY_PROBLEMS, ...BACKEND_PROBLEMS, 'video_not_found', 'video_replaced'],
  },
})

import type { Response } from 'supertest'
import { expect } from 'vitest'
import { PROBLEMS, type ProblemCode } from '../../src/core/errors.ts'
import { ProblemView, VideoView } from '../../src/core/api/videos.ts'

/**
 * Holds an answer to everything that is promised of a refusal, and returns the problem for what is particular to it.
 */
export const expectProblem = (
  response: Response,
  code: ProblemCode,
  particular: Partial<ProblemView> = {},
): ProblemView => {
  const problem = ProblemView.parse(response.body)
  expect(problem).toMatchObject({ code, ...particular })
  expect(response.status).toBe(PROBLEMS[code].status)
  expect(problem.status).toBe(response.status)
  expect(problem.type).toBe(`urn:talkbridge:problem:${code}`)
  expect(problem.title).toBe(PROBLEMS[code].title)
  expect(problem.detail).not.toBe('')
  expect(response.headers['content-type']).toMatch(/^application\/problem\+json/)
  expect(response.headers['x-request-id']).toBe(problem.request_id)
  expect(problem.request_id).not.toBe('')
  const { retry_after_seconds: seconds } = problem
  expect(response.headers['retry-after']).toBe(seconds === null ? undefined : String(seconds))
  expect(problem.retry_at === null).toBe(seconds === null)
  if (!problem.retryable) expect(seconds).toBeNull()
  if (problem.errors[0]) expect(problem.param).toBe(problem.errors[0].path || null)
  return problem
}

/** An answered Video, held to its schema. */
export const expectVideo = (response: Response, status: number): VideoView => {
  expect({ status: response.status, body: response.body as unknown }).toMatchObject({ status })
  expect(response.headers['content-type']).toMatch(/^application\/json/)
  return VideoView.parse(response.body)
}

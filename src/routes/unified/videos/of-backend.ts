import type { Response } from 'express'
import type { Cursors } from '../../../core/api/signed.ts'
import type { ListedJob } from '../../../core/adapter.ts'
import { isoOrNull } from '../../../core/time/clock.ts'
import { fieldProblem, noBackend, Problem } from '../../../core/errors.ts'
import type { BackendVideoView } from '../../../core/api/videos.ts'
import type { Backend, Videos } from '../../../engine/index.ts'
import { callerOf } from '../../middleware/locals.ts'
import { cutNote, warn } from '../incomplete.ts'
import { listPage, openPlace } from '../list-pages.ts'
import type { ListVideosQuery } from '../queries.ts'
import type { z } from 'zod'

export interface BackendVideosDeps {
  videos: Pick<Videos, 'jobsOf' | 'videosOf'>
  cursors: Cursors
}

type Query = z.output<typeof ListVideosQuery>

const fits =
  ({ status, created_after: after, created_before: before }: Query) =>
  ({ status: word, createdAtMs }: ListedJob): boolean =>
    (status === undefined || word === status) &&
    (after === undefined || (createdAtMs !== null && createdAtMs > after)) &&
    (before === undefined || (createdAtMs !== null && createdAtMs < before))

const viewOf = ({ name }: Backend, job: ListedJob, videoId: string | undefined): BackendVideoView => ({
  object: 'backend_video',
  backend: name,
  backend_job_id: job.jobId,
  status: job.status,
  puppet_id: job.puppetId === null ? null : `${name}:${job.puppetId}`,
  created_at: isoOrNull(job.createdAtMs),
  video_id: videoId ?? null,
})

/** `GET /videos?origin=backend`: what the backend itself knows, other people's videos on the account too. */
export const createBackendVideos = ({ videos, cursors }: BackendVideosDeps) => {
  const backendOf = (res: Response, name: string | undefined): Backend => {
    const { visible } = callerOf(res)
    const backend = visible.get(name ?? '')
    if (backend) return backend
    const missing = 'origin=backend needs a backend: give the parameter backend'
    throw fieldProblem('invalid_request', 'backend', name === undefined ? missing : noBackend(name, visible.keys()))
  }

  return async (res: Response, query: Query): Promise<void> => {
    const { limit, cursor, ...filters } = query
    if (filters.metadata)
      throw new Problem(
        'invalid_request',
        'metadata cannot be combined with origin=backend: backends have no metadata',
        { param: 'metadata' },
      )
    const { id: client } = callerOf(res)
    const backend = backendOf(res, query.backend)
    const scope = JSON.stringify(['backend videos', client, filters])
    const place = openPlace(cursors, scope, cursor)
    const { jobs, isCut, state } = await videos.jobsOf(backend, { goesOn: place !== null })
    const page = listPage(jobs.filter(fits(query)), place, { cursors, scope, limit, keyOf: ({ jobId }) => jobId })
    const jobIds = page.data.map(({ jobId }) => jobId)
    const own = await videos.videosOf(client, backend, jobIds)
    warn(res, isCut ? cutNote(backend.name) : null)
    res.set('x-cache', state).json({ ...page, data: page.data.map((job) => viewOf(backend, job, own.get(job.jobId))) })
  }
}

import type { BackendProblem, HandedThrough, HeadMeaning, HeadReply } from '../core/adapter.ts'
import { Problem } from '../core/errors.ts'
import type { Backend } from '../engine/upstream/accounts.ts'
import { PATIENCE_MS, notNow, problemOf } from '../engine/upstream/ask.ts'
import { createPuppets, createSpeech, createUploadLookup, createUploads } from './assets.ts'
import { type ResourcesDeps, createKeyed } from './keyed.ts'
import { createRequestCounts, createUsage } from './usage.ts'

/** A request that is handed through to a backend. */
export interface Passage {
  backend: Backend
  budget: 'read' | 'create'
  /** The client in whose share of reads it counts; null: in nobody's. */
  reader: string | null
  /** What a 403 is about; null: nothing that a key has a scope for. */
  operation: HandedThrough | null
  /** The backend's key goes with it. Without, no answer says anything about the account. */
  isKeyed: boolean
}

/**
 * What one exchange says about the account, and what the caller is answered in place of the backend's answer, if
 * anything.
 */
export interface Verdict {
  rate: HeadMeaning['rate']
  problem?: BackendProblem
  spoke: boolean
  isSilent: boolean
  own: Problem | null
}

/** The client disconnected: nobody is informed. */
export const GONE: Verdict = { rate: null, spoke: false, isSilent: true, own: null }

/**
 * Not the caller's own: about the gateway's key, its window, or where the backend moved; and no status of an answer.
 */
const isOurs = (status: number): boolean =>
  status === 401 || status === 403 || status === 429 || (status >= 300 && status < 400) || status < 200 || status >= 600

const maybeDone = (problem: BackendProblem, backend: Backend): Problem =>
  problemOf(problem, backend, {
    message: `${problem.message}; nobody knows whether it happened, and you may pay again if you repeat it`,
    // Only the backend's own invitation counts.
    retryable: problem.retryAtMs !== null,
  })

const ownOf = (passage: Passage, reply: HeadReply, problem: BackendProblem | null): Problem | null => {
  const { backend, budget, isKeyed } = passage
  if (problem === null) return null
  if (reply.kind === 'failed') {
    return reply.began && budget === 'create' ? maybeDone(problem, backend) : problemOf(problem, backend)
  }
  if (!isKeyed && (reply.status === 401 || reply.status === 403)) {
    return new Problem('unauthenticated', 'you need a gateway key to read this')
  }
  return isOurs(reply.status) ? problemOf(problem, backend) : null
}

/** Reads what came of a request. To be asked once for each: it notes what the key may do. */
export const verdictOf = (passage: Passage, reply: HeadReply): Verdict => {
  const { backend, operation, isKeyed } = passage
  const { rate, problem, spoke } = backend.account.adapter.handedThrough(operation, reply)
  const own = ownOf(passage, reply, problem)
  if (!isKeyed) return { ...GONE, own }
  return { rate, spoke, isSilent: false, own, ...(problem !== null && { problem }) }
}

/**
 * Runs `send` under a ticket of the backend's account, and corrects its window and health by what came of it. Throws
 * `rate_limited` if there is no ticket, `backend_unavailable` if the backend has been dead for a while; then nothing is
 * sent.
 */
const createThrough =
  ({ upstream }: ResourcesDeps) =>
  async (passage: Passage, send: () => Promise<Verdict>): Promise<Verdict> => {
    const { backend, budget, reader } = passage
    const share = budget === 'read' ? reader : null
    const asked = await upstream.ask(backend.account, budget, PATIENCE_MS, send, share)
    if (asked.kind === 'asked') return asked.outcome
    const { why, retryAtMs } = asked
    if (why === 'circuit_open') throw notNow(backend, retryAtMs)
    throw new Problem('rate_limited', `backend ${backend.name} takes no more requests at the moment`, {
      backend: backend.name,
      retryAtMs,
    })
  }
export type Through = ReturnType<typeof createThrough>

/** What a backend has that is no video: puppets, speech, uploads, usage. Knows ports, no implementation of any. */
export const createResources = (deps: ResourcesDeps) => {
  const keyed = createKeyed(deps)
  const requests = createRequestCounts(deps)
  return {
    puppets: createPuppets({ ...deps, keyed }),
    uploads: createUploads({ ...deps, keyed }),
    uploadLookup: createUploadLookup(deps.store),
    createSpeech: createSpeech(deps),
    through: createThrough(deps),
    usage: createUsage(deps, requests.of),
    requests,
    ranked: deps.ranked,
  }
}
export type Resources = ReturnType<typeof createResources>
export type { Caller } from './keyed.ts'

import type { BackendProblem } from '../../core/adapter.ts'
import { reasonOf, type Otherwise } from '../../core/failover.ts'
import type { RoutingNote, VideoInput } from '../../core/video.ts'
import type { FailoverPolicy, Standing } from '../routing/failover.ts'
import { faultyField, problemOf } from '../upstream/ask.ts'
import type { Chosen } from './plan.ts'

/** `isGone`: a definite refusal left nothing behind. Else its record could not be deleted yet. */
export type Sent<T> = { kind: 'created'; created: T } | { kind: 'refused'; problem: BackendProblem; isGone: boolean }

export interface Attempts<T> {
  input: VideoInput
  chosen: Chosen
  /** The same on another backend; null: that cannot take it. */
  standIn: (backend: string) => Promise<Chosen | null>
  /** Stores it and sends it once. Throws where it is not even stored. */
  send: (chosen: Chosen, otherwise: Otherwise) => Promise<Sent<T>>
}

interface Refused {
  kind: 'refused'
  backend: Chosen['backend']
  problem: BackendProblem
}

const thrown = ({ backend, problem }: Omit<Refused, 'kind'>, input: VideoInput): Error => {
  const param = faultyField(problem, input)
  return problemOf(problem, backend, param === null ? {} : { param })
}

/**
 * Tries the chosen backend, and, where it cannot take the create and surely did not, those that stand in for it. A doubt
 * is taken, as far as this goes. Where all refuse, what the chosen one says counts: it is told, or the video waits for it.
 */
export const createElsewhere =
  ({ policy, standing }: { policy: FailoverPolicy; standing: Standing }) =>
  async <T>({ input, chosen, standIn, send }: Attempts<T>): Promise<T> => {
    const { name } = chosen.backend
    const passed: RoutingNote['considered'] = chosen.note.considered.filter(({ verdict }) => verdict !== 'chosen')
    const noted = (one: Chosen): Chosen => {
      const to = { backend: one.backend.name, verdict: 'chosen', reason: null } as const
      // What stands in is no outcome of a rule: a split is judged by what it decided.
      const by = one === chosen ? chosen.note : ({ chosen_by: 'failover', rule: null } as const)
      return { ...one, note: { ...by, considered: [...passed, to] } }
    }
    const pass = (backend: string, reason: string): void =>
      void passed.push({ backend, verdict: 'passed_over', reason })

    const tryOn = async (one: Chosen): Promise<Extract<Sent<T>, { kind: 'created' }> | Refused | null> => {
      const reason = await standing(one.backend, policy.on)
      if (reason !== null) {
        pass(one.backend.name, reason)
        return null
      }
      const sent = await send(noted(one), { movesOn: policy.on, waitsWhenDown: false })
      if (sent.kind === 'created') return sent
      // If this process dies before the record is deleted, the next one takes it for a doubt and sends it again.
      if (!sent.isGone) throw thrown({ backend: one.backend, problem: sent.problem }, input)
      pass(one.backend.name, reasonOf(sent.problem) ?? sent.problem.code)
      return { kind: 'refused', problem: sent.problem, backend: one.backend }
    }

    const last: Otherwise = { movesOn: [], waitsWhenDown: policy.waitsWhenDown(name) }
    // What the request itself names, or has an id of, is where it goes.
    const isOpen = chosen.note.chosen_by === 'rule' || chosen.note.chosen_by === 'default'
    const standIns = isOpen && Object.hasOwn(policy.standIns, name) ? (policy.standIns[name] ?? []) : []
    let refused: Refused | null = null
    for (const backend of standIns.length === 0 ? [] : [name, ...standIns]) {
      const one = backend === name ? chosen : await standIn(backend)
      if (one === null) pass(backend, 'cannot take the request')
      const tried = one && (await tryOn(one))
      if (tried?.kind === 'created') return tried.created
      if (backend !== name) continue
      refused = tried
      const reason = tried && reasonOf(tried.problem)
      if (tried && (reason === null || !policy.on.includes(reason))) throw thrown(tried, input)
    }
    // A slot and a window are waited for, and what is down may be.
    const reason = refused && reasonOf(refused.problem)
    if (refused && (reason === 'no_credits' || (reason === 'down' && !last.waitsWhenDown))) throw thrown(refused, input)
    const sent = await send(noted(chosen), last)
    if (sent.kind === 'created') return sent.created
    throw thrown({ backend: chosen.backend, problem: sent.problem }, input)
  }
export type Elsewhere = ReturnType<typeof createElsewhere>

import { until } from '../fakes/until.ts'
import { read, startCrowd, type Crowd, type CrowdOptions } from './crowd.ts'
import { broken, deliveryOf, type Backend } from './promises.ts'
import { ALTERNATE_SLOTS, PRIMARY_SLOTS, type Stage } from './stage.ts'

/** Every third video is the primary's, which runs two at a time. */
export const mixed = (n: number): Backend => (n % 3 === 0 ? 'primary' : 'alternate')

/** Longer than two leases and the proof that a lost create made no job. */
export const SETTLE_MS = 240_000

export interface Outcome {
  /** What is not as it was promised. */
  faults: string[]
  /** Deliveries of an event beyond its first: a receiver must expect some where processes die. */
  doubled: number
}

const told = (stage: Stage): Set<string> => new Set(stage.receiver.requests.map((one) => deliveryOf(one).video))

/** Waits until every order was accepted and its end told, then says what is broken. A wait too long is a fault, too. */
export const settled = async (stage: Stage, crowd: Crowd, orders: number): Promise<Outcome> => {
  const isSettled = (): boolean => {
    if (crowd.accepted.size + crowd.surprises.length < orders) return false
    const heard = told(stage)
    return [...crowd.accepted.values()].every((id) => heard.has(id))
  }
  const late: string[] = []
  await until(isSettled, SETTLE_MS).catch(() => late.push(`not settled after ${SETTLE_MS / 1_000} s`))
  const accepted = [...crowd.accepted.values()]
  const videos = []
  for (const id of accepted) videos.push(await read(stage, id))
  const deliveries = stage.receiver.requests.map(deliveryOf)
  const slots = { primary: PRIMARY_SLOTS, alternate: ALTERNATE_SLOTS }
  const faults = [
    ...late,
    ...(accepted.length < orders ? [`${orders} were ordered, ${accepted.length} accepted`] : []),
    ...broken({ accepted, videos, deliveries, ledger: stage.sandbox.ledger(), slots }),
    ...crowd.surprises,
    ...stage.surprises(),
  ]
  return { faults, doubled: deliveries.length - new Set(deliveries.map(({ event }) => event)).size }
}

/** A crowd orders while `meanwhile` happens; then everything settles. */
export const runCrowd = async (
  stage: Stage,
  options: Omit<CrowdOptions, 'signal'>,
  meanwhile: (crowd: Crowd) => Promise<void>,
): Promise<Outcome> => {
  const leaving = new AbortController()
  const crowd = startCrowd(stage, { ...options, signal: leaving.signal })
  try {
    await meanwhile(crowd)
    return await settled(stage, crowd, options.orders)
  } finally {
    leaving.abort()
    await crowd.done
  }
}

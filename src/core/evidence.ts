import type { Capabilities } from './vocabulary.ts'

/** What an account offers to end a doubt about a create (docs/engine.md, "How a doubt ends"). */
export interface Evidence {
  /** The interface has idempotency keys: the create is sent again, and nothing else is needed. */
  keys: boolean
  /** Its own list shows the job, or proves that there is none. */
  list: boolean
  /** The backend may call back and name the job. */
  callback: boolean
}

/** `exclusive`: nobody else creates on the account. `isReachable`: backends can reach the gateway. */
export const evidenceOf = (
  { native_idempotency: keys, native_list, native_webhook }: Capabilities,
  { exclusive, isReachable }: { exclusive: boolean; isReachable: boolean },
): Evidence => ({
  keys,
  list: !keys && exclusive && native_list,
  callback: !keys && native_webhook && isReachable,
})

/** What to set where nothing can end a doubt, in words; null where something can. */
export const doubtWarning = (can: Capabilities, given: { exclusive: boolean; isReachable: boolean }): string | null => {
  const { keys, list, callback } = evidenceOf(can, given)
  if (keys || list || callback) return null
  const cost =
    'if an answer to a create is lost, the gateway cannot find its job, and the video fails with create_outcome_unknown'
  const remedies = [
    ...(can.native_webhook ? ['server.public_url'] : []),
    ...(can.native_list ? ['exclusive: true if nobody else creates on this account'] : []),
  ]
  return remedies.length === 0
    ? `${cost}: this interface has no way to find it`
    : `${cost}: set ${remedies.join(', or ')}`
}

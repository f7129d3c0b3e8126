/**
 * Ids by reference: what is one id in the direct lane is one id in the gateway's, everywhere, and two are two. Built up as
 * they appear. A name space each for what a client gives back to the interface and for what only names a file: the
 * gateway's own id of a video is no part of the backend's link to its file.
 */
export interface References {
  /** Binds them, or says which other id one of them stands for. */
  match(space: string, direct: string, gateway: string): string | null
}

/** `prefix_ULID`: what both sides make. Ids that are the same in every run are compared as they are. */
const ID = /\b[a-z][a-z0-9]*(?:_[a-z]+)*_[0-9A-HJKMNP-TV-Z]{26}\b/g

export const createReferences = (): References => {
  const there = new Map<string, string>()
  const here = new Map<string, string>()
  return {
    match(space, direct, gateway) {
      const [from, to] = [`${space} ${direct}`, `${space} ${gateway}`]
      const known = there.get(from)
      const owner = here.get(to)
      if (known === undefined && owner === undefined) {
        there.set(from, gateway)
        here.set(to, direct)
        return null
      }
      if (known !== undefined && known !== gateway) return `${direct} was ${known} before`
      return owner === direct ? null : `${gateway} was ${String(owner)} before`
    },
  }
}

/** A text in pieces: what must be equal, and the ids between. */
export interface Pieces {
  readonly fixed: string
  readonly ids: readonly string[]
}

/** A signature is another one wherever its secret is: that a link works is seen by following it. */
const SIGNATURE = /\bsignature=[A-Za-z0-9_-]{20,}/g

export const piecesOf = (text: string): Pieces => {
  const unsigned = text.replaceAll(SIGNATURE, 'signature=*')
  return { fixed: unsigned.replaceAll(ID, '<id>'), ids: unsigned.match(ID) ?? [] }
}

/** Of the primary's job ids the contract shows the form: theirs are checked, all others are opaque. */
const JOB = /^api_video_/

/** Compares two texts, binding their ids; null when they say the same. */
export const sameText = (references: References, direct: string, gateway: string): 'value' | 'reference' | null => {
  const [there, here] = [piecesOf(direct), piecesOf(gateway)]
  if (there.fixed !== here.fixed) return 'value'
  const space = direct.includes('/media/') ? 'file' : 'id'
  const wrong = there.ids.some((id, at) => {
    const other = here.ids[at] ?? ''
    return (JOB.test(id) && !JOB.test(other)) || references.match(space, id, other) !== null
  })
  return wrong ? 'reference' : null
}

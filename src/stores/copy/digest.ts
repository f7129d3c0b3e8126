import { hash } from 'node:crypto'
import type { Value } from '../sql/db.ts'

/** What was seen of a table: how many rows, and a sum over all of them that does not depend on their order. */
export interface Digest {
  rows: number
  sum: number
  /** Characters of all rows together. */
  size: number
}

export const NOTHING: Digest = { rows: 0, sum: 0, size: 0 }

const BYTES = 6
const MODULUS = 2 ** (8 * BYTES)

/** Numbers are told as JSON tells them, so that both engines' are compared by their value. */
export const withRow = ({ rows, sum, size }: Digest, row: readonly Value[]): Digest => {
  const told = JSON.stringify(row)
  const part = hash('sha256', told, 'buffer').readUIntBE(0, BYTES)
  return { rows: rows + 1, sum: (sum + part) % MODULUS, size: size + told.length }
}

import type { Contract, Row } from './parse.ts'

/** One test of one or more rows of a contract. */
export interface Rule {
  readonly contract: Contract
  readonly covers: (row: Row) => boolean
  readonly what: string
  readonly run: (row: Row) => Promise<void>
}

type Run = (row: Row) => Promise<void>

/** Rules of one contract: by name (a trailing `…` makes it a beginning), or for every row of a section. */
export const rulesIn = (contract: Contract) => ({
  named: (section: string, runs: Readonly<Record<string, Run>>): Rule[] =>
    Object.entries(runs).map(([name, run]) => ({
      contract,
      what: `${section} › ${name}`,
      covers: (row) => row.section === section && fits(row.name, name),
      run,
    })),
  every: (section: string | RegExp, name: RegExp, run: Run): Rule[] => [
    {
      contract,
      what: `${String(section)} › ${String(name)}`,
      covers: (row) =>
        (typeof section === 'string' ? row.section === section : section.test(row.section)) && name.test(row.name),
      run,
    },
  ],
})

const fits = (name: string, pattern: string): boolean =>
  pattern.endsWith('…') ? name.startsWith(pattern.slice(0, -1)) : name === pattern

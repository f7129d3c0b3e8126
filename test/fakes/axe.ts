import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** Once in a page, before `findings`. */
export const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

interface Finding {
  id: string
  impact: string | null
  help: string
  nodes: { target: string[]; failureSummary: string }[]
}

/** What axe-core finds on the page as it is now; with `within` only in the elements of these selectors. */
export const findings = async (page: Page, at: string, within?: readonly string[]): Promise<string[]> => {
  const context = within ? JSON.stringify({ include: within.map((one) => [one]) }) : 'document'
  const found = await page.evaluate<{ violations: Finding[] }>(`axe.run(${context}, { resultTypes: ["violations"] })`)
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${at}: ${id}: ${help}: ${target.join(' ')}: ${failureSummary}`),
  )
}

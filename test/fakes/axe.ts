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

/** What axe-core finds on the page as it is now; with `impacts` only what is as bad as that. */
export const findings = async (page: Page, at: string, impacts?: readonly string[]): Promise<string[]> => {
  const found = await page.evaluate<{ violations: Finding[] }>('axe.run(document, { resultTypes: ["violations"] })')
  return found.violations
    .filter(({ impact }) => impacts === undefined || (impact !== null && impacts.includes(impact)))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${at}: ${id}: ${help}: ${target.join(' ')}: ${failureSummary}`),
    )
}

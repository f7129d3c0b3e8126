import { useFilters, queryOf } from '../use-filters.ts'
import { useLocation } from 'preact-iso'
import { Tabs } from './tabs.tsx'

/** Several views of one page, each with an address of its own; the first has no word in it. */
export const Views = ({ label, views }: { label: string; views: readonly (readonly [string, string])[] }) => {
  const { path } = useLocation()
  const { filters } = useFilters()
  const now = filters['view'] ?? ''
  return (
    <Tabs
      label={label}
      tabs={views.map(([view, text]) => ({ href: path + queryOf({ view }), text, isHere: view === now }))}
    />
  )
}

import { useLocation } from 'preact-iso'

type Filters = Readonly<Record<string, string>>

export const queryOf = (filters: Filters): string => {
  const text = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== '')).toString()
  return text === '' ? '' : `?${text}`
}

/** Filters live in the URL, so that a view can be sent to a colleague. `set` with an empty text takes one out. */
export const useFilters = (): { filters: Filters; set: (changes: Filters) => void; clear: () => void } => {
  const { path, query, route } = useLocation()
  return {
    filters: query,
    set: (changes) => route(`${path}${queryOf({ ...query, ...changes })}`, true),
    clear: () => route(path, true),
  }
}

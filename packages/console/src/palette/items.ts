import type { IconName } from '../ui/icon.tsx'

/** Something to choose: a place to go to, or a thing to do. */
export interface Item {
  key: string
  text: string
  /** What it is, in a word or two. */
  kind: string
  icon: IconName
  to?: string
  act?: () => void
}

/** What is there to be found, beside ids. */
export interface Known {
  screens: readonly { path: string; title: string; icon: IconName | null }[]
  clients: readonly string[]
  backends: readonly string[]
  actions: readonly Item[]
  isAdmin: boolean
}

const at = (path: string, id: string): string => `/console/${path}${encodeURIComponent(id)}`

/** Where the page of an id is, by how it begins. */
const PLACES: readonly { begins: string; kind: string; icon: IconName; path: string; isAdmins?: true }[] = [
  { begins: 'vid_', kind: 'Video', icon: 'video', path: 'videos/' },
  { begins: 'we_', kind: 'Endpoint', icon: 'webhook', path: 'webhooks/' },
  { begins: 'dlv_', kind: 'Delivery', icon: 'webhook', path: 'webhooks/deliveries/' },
  { begins: 'evt_', kind: 'Deliveries of the event', icon: 'webhook', path: 'webhooks/deliveries?event=' },
  { begins: 'key_', kind: 'What was done to the key', icon: 'key', path: 'audit?subject=', isAdmins: true },
]

const SHORTEST_ID = 8

const byId = (text: string, isAdmin: boolean): Item[] =>
  PLACES.filter(
    ({ begins, isAdmins }) => text.startsWith(begins) && text.length >= SHORTEST_ID && (isAdmin || !isAdmins),
  ).map(({ kind, icon, path }) => ({ key: `id ${kind}`, text, kind, icon, to: at(path, text) }))

const has = (words: string, text: string): boolean => words.toLowerCase().includes(text.toLowerCase())

const MOST_NAMES = 8

const byName = (text: string, { clients, backends }: Known): Item[] => {
  if (text === '') return []
  return [
    ...backends
      .filter((name) => has(name, text))
      .map((name): Item => ({
        key: `backend ${name}`,
        text: name,
        kind: 'Backend',
        icon: 'backend',
        to: at('backends/', name),
      })),
    ...clients
      .filter((name) => has(name, text))
      .map((name): Item => ({
        key: `client ${name}`,
        text: name,
        kind: 'Videos of the client',
        icon: 'clients',
        to: at('videos?client=', name),
      })),
  ].slice(0, MOST_NAMES)
}

/** What fits what was typed, the best first. */
export const itemsFor = (typed: string, known: Known): Item[] => {
  const text = typed.trim()
  const ids = byId(text, known.isAdmin)
  const screens = known.screens.flatMap(({ path, title, icon }): Item[] =>
    icon !== null && has(title, text) ? [{ key: path, text: title, kind: 'Page', icon, to: path }] : [],
  )
  const metadata: Item[] =
    text === '' || ids.length > 0
      ? []
      : [
          {
            key: 'metadata',
            text,
            kind: 'Videos with this in their metadata',
            icon: 'search',
            to: at('videos?find=', text),
          },
        ]
  const actions = known.actions.filter((action) => has(action.text, text))
  return [...ids, ...byName(text, known), ...screens, ...actions, ...metadata]
}

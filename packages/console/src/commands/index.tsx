import { Button, type IconName, Icon } from '../ui/button.tsx'
import { useId, useMemo, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { api, ask } from '../api.ts'
import { may, useSession } from '../session.ts'
import { lettersFor, screensFor } from '../shell/screens.ts'
import { theme } from '../shell/theme.ts'
import { Dialog } from '../ui/dialog.tsx'
import { queryOf, useRead } from '../reads.ts'
import { times } from '../ui/time.tsx'
import { isMac, type Visited } from './keys.ts'
import './commands.css'

/** Something to choose: a place to go to, or a thing to do. */
interface Item {
  key: string
  text: string
  /** What it is, in a word or two. */
  kind: string
  icon: IconName
  to?: string
  act?: () => void
}

/** What is there to be found, beside ids. */
interface Known {
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
const itemsFor = (typed: string, known: Known): Item[] => {
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

const LIMIT = 100

const readNames = async (isAdmin: boolean): Promise<Pick<Known, 'clients' | 'backends'>> => {
  const [backends, clients] = await Promise.all([
    isAdmin ? ask(api.GET('/unified/v1/admin/backends')) : ask(api.GET('/unified/v1/backends')),
    isAdmin ? ask(api.GET('/unified/v1/admin/clients', { params: { query: { limit: LIMIT } } })) : null,
  ])
  return { backends: backends.data.map(({ name }) => name), clients: clients?.data.map(({ id }) => id) ?? [] }
}

const failedToday = (): string =>
  `/console/videos${queryOf({ status: 'failed', from: new Date(new Date().setHours(0, 0, 0, 0)).toISOString() })}`

/** The pages that were looked at before this one, while nothing is typed. */
const recentItems = (recent: readonly Visited[], here: string): Item[] =>
  recent
    .filter(({ path }) => path !== here)
    .map(({ path, title }) => {
      const id = /_[^/]+$/.exec(path)?.[0].slice(-6)
      return { key: `recent ${path}`, text: id ? `${title} …${id}` : title, kind: 'Recent', icon: 'audit', to: path }
    })

const useKnown = (leave: () => void, showKeys: () => void): Known => {
  const session = useSession()
  const { data } = useRead('names', () => readNames(session.isAdmin))
  return useMemo(
    () => ({
      screens: screensFor(session),
      clients: data?.clients ?? [],
      backends: data?.backends ?? [],
      isAdmin: session.isAdmin,
      actions: [
        ...(may(session, 'videos:read') || session.isAdmin
          ? [{ key: 'failed', text: 'Failed today', kind: 'Videos', icon: 'video', to: failedToday() } as const]
          : []),
        ...(session.isAdmin
          ? [{ key: 'issue', text: 'Issue a key', kind: 'Do', icon: 'key', to: '/console/keys?do=issue' } as const]
          : []),
        {
          key: 'keys',
          text: 'Keys of the keyboard',
          kind: 'Do',
          icon: 'check',
          act: showKeys,
        },
        { key: 'times', text: 'Change how times are shown', kind: 'Do', icon: 'check', act: times.next },
        {
          key: 'theme',
          text: 'Change the colours (light, dark)',
          kind: 'Do',
          icon: 'check',
          act: theme.next,
        },
        { key: 'leave', text: 'Sign out', kind: 'Do', icon: 'close', act: leave },
      ],
    }),
    [session, data, leave, showKeys],
  )
}

const Option = ({ item, id, isChosen, choose }: { item: Item; id: string; isChosen: boolean; choose: () => void }) => (
  <li
    id={id}
    role="option"
    aria-selected={isChosen}
    onMouseDown={(event) => event.preventDefault()}
    onClick={choose}
    ref={(line) => {
      if (isChosen) line?.scrollIntoView({ block: 'nearest' })
    }}
  >
    <Icon name={item.icon} />
    <span class="palette-text">{item.text}</span>
    <span class="muted small">{item.kind}</span>
  </li>
)

const WAYS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

const OTHER_KEYS = [
  ['/', 'Search on this page, or everywhere'],
  ['?', 'These keys'],
  ['j k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['c', 'Create'],
  ['e', 'Cancel'],
  ['u', 'Undo'],
  ['y', 'Copy the id'],
] as const

const Sheet = ({ close }: { close: () => void }) => (
  <Dialog title="Keys" onClose={close}>
    <dl class="keys">
      {[
        [isMac ? '⌘ K' : 'Ctrl K', 'Find anything, do anything'] as const,
        ...OTHER_KEYS,
        ...lettersFor(useSession()).map(({ letter, title }) => [`g ${letter}`, title] as const),
      ].map(([keys, what]) => (
        <div key={keys}>
          <dt>
            {keys.split(' ').map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
    <div class="actions">
      <Button onClick={close}>Close</Button>
    </div>
  </Dialog>
)

interface CommandsProps {
  shown: 'search' | 'keys'
  show: (what: 'search' | 'keys') => void
  recent: readonly Visited[]
  leave: () => void
  close: () => void
}

export const Commands = ({ shown, show, recent, leave, close }: CommandsProps) =>
  shown === 'keys' ? (
    <Sheet close={close} />
  ) : (
    <Palette recent={recent} leave={leave} close={close} showKeys={() => show('keys')} />
  )

interface PaletteProps {
  recent: readonly Visited[]
  leave: () => void
  close: () => void
  showKeys: () => void
}

/** Finds anything by its id or name. The keys stay in the field, as a combobox has them (ARIA 1.2). */
const Palette = ({ recent, leave, close, showKeys }: PaletteProps) => {
  const { route, path } = useLocation()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const list = useId()
  const known = useKnown(leave, showKeys)
  const items = [...(typed === '' ? recentItems(recent, path) : []), ...itemsFor(typed, known)]
  const chosen = items[at] ? at : 0
  const choose = (item: Item | undefined): void => {
    if (!item) return
    close()
    item.act?.()
    if (item.to !== undefined) route(item.to)
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') choose(items[chosen])
    const way = WAYS[event.key]
    if (!way || items.length === 0 || ((event.key === 'Home' || event.key === 'End') && typed !== '')) return
    event.preventDefault()
    setAt(way(chosen, items.length))
  }
  return (
    <Dialog title="Find anything" onClose={close}>
      <input
        class="palette-field"
        type="text"
        role="combobox"
        autofocus
        autocomplete="off"
        spellcheck={false}
        aria-label="An id, a name or a page"
        aria-expanded={items.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        {...(items.length > 0 && { 'aria-activedescendant': `${list}-${chosen}` })}
        placeholder="vid_…, evt_…, dlv_…, we_…, a name, a page"
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={press}
      />
      <ul class="palette-list" id={list} role="listbox" aria-label="What was found">
        {items.map((item, n) => (
          <Option key={item.key} id={`${list}-${n}`} item={item} isChosen={n === chosen} choose={() => choose(item)} />
        ))}
      </ul>
    </Dialog>
  )
}

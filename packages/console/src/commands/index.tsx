import { Button, type IconName, Icon } from '../ui/button.tsx'
import { useId, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { api, ask, errorFrom, pathFor, type Schema } from '../api.ts'
import { type Session, useSession } from '../session.ts'
import { lettersFor, screensFor } from '../shell/screens.ts'
import { theme } from '../shell/theme.ts'
import { Dialog } from '../ui/dialog.tsx'
import { queryOf, useRead } from '../reads.ts'
import { PauseDialog, resume } from '../ui/backend.tsx'
import { toast } from '../ui/states.tsx'
import { times } from '../ui/time.tsx'
import { isMac, type Visited } from './keys.ts'
import './commands.css'

/** Something to choose: a place to go to, or a thing to do. */
interface Item {
  text: string
  /** What it is, in a word or two. */
  kind: string
  icon: IconName
  to?: string
  act?: () => void
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

const MOST_NAMES = 8

interface Names {
  backends: readonly Schema<'Backend'>[]
  clients: readonly string[]
}

const LIMIT = 100

const readNames = async (isAdmin: boolean): Promise<Names> => {
  const [backends, clients] = await Promise.all([
    ask(api.GET(pathFor(isAdmin, 'backends'))),
    isAdmin ? ask(api.GET('/unified/v1/admin/clients', { params: { query: { limit: LIMIT } } })) : null,
  ])
  return { backends: backends.data, clients: clients?.data.map(({ id }) => id) ?? [] }
}

/** The pages that were looked at before this one, while nothing is typed. */
const recentItems = (recent: readonly Visited[], here: string): Item[] =>
  recent
    .filter(({ path }) => path !== here)
    .map(({ path, title }) => {
      const id = /_[^/]+$/.exec(path)?.[0].slice(-6)
      return { text: id ? `${title} …${id}` : title, kind: 'Recent', icon: 'audit', to: path }
    })

const failedToday = (): string => {
  const since = new Date(new Date().setHours(0, 0, 0, 0)).toISOString()
  return `/console/videos${queryOf({ status: 'failed', ended_since: since })}`
}

/** Pages, and what can be done. */
const fixedItems = (session: Session, { backends }: Names, { leave, close, showKeys, pause }: Acts): Item[] => {
  const screens = screensFor(session)
  const closing = (act: () => void) => (): void => {
    close()
    act()
  }
  const ofAdmins: Item[] = [
    { text: 'Split, side by side', kind: 'Page', icon: 'backend', to: '/console/backends?view=migration' },
    { text: 'Usage and cost of each client', kind: 'Page', icon: 'clients', to: '/console/clients' },
    { text: 'Issue a key', kind: 'Do', icon: 'key', to: '/console/keys?do=issue' },
    ...backends.map((backend): Item => ({
      text: `${backend.paused === null ? 'Pause' : 'Resume'} ${backend.name}`,
      kind: 'Do',
      icon: 'backend',
      act: () => pause(backend),
    })),
  ]
  return [
    ...screens.flatMap(({ path, title, icon }): Item[] =>
      icon === null ? [] : [{ text: title, kind: 'Page', icon, to: path }],
    ),
    ...(screens.some(({ path }) => path === '/console/videos')
      ? [{ text: 'Failed today', kind: 'Videos', icon: 'video', to: failedToday() } as const]
      : []),
    ...(session.isAdmin ? ofAdmins : []),
    { text: 'Keys of the keyboard', kind: 'Do', icon: 'check', act: showKeys },
    { text: 'Change how times are shown', kind: 'Do', icon: 'check', act: closing(times.next) },
    { text: 'Change the colours (light, dark)', kind: 'Do', icon: 'check', act: closing(theme.next) },
    { text: 'Sign out', kind: 'Do', icon: 'close', act: closing(leave) },
  ]
}

/** What fits what was typed, the best first. */
const itemsFor = (text: string, isAdmin: boolean, { backends, clients }: Names, fixed: readonly Item[]): Item[] => {
  const has = (words: string): boolean => words.toLowerCase().includes(text.toLowerCase())
  const ids = PLACES.filter(
    ({ begins, isAdmins }) => text.startsWith(begins) && text.length >= SHORTEST_ID && (isAdmin || !isAdmins),
  ).map(({ kind, icon, path }): Item => ({ text, kind, icon, to: at(path, text) }))
  const names: Item[] = [
    ...backends.map(({ name }) => ({ text: name, kind: 'Backend', icon: 'backend', path: 'backends/' }) as const),
    ...clients.map(
      (name) => ({ text: name, kind: 'Videos of the client', icon: 'clients', path: 'videos?client=' }) as const,
    ),
  ].map(({ path, ...item }) => ({ ...item, to: at(path, item.text) }))
  const metadata: Item = {
    text,
    kind: 'Videos with this in their metadata',
    icon: 'search',
    to: at('videos?find=', text),
  }
  return [
    ...ids,
    ...names.filter((item) => has(item.text)).slice(0, MOST_NAMES),
    ...fixed.filter((item) => has(item.text)),
    ...(ids.length > 0 ? [] : [metadata]),
  ]
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

interface Acts {
  leave: () => void
  close: () => void
  showKeys: () => void
  /** Pauses it, or resumes it. */
  pause: (backend: Schema<'Backend'>) => void
}

export interface CommandsProps {
  shown: 'search' | 'keys'
  show: (what: 'search' | 'keys') => void
  recent: readonly Visited[]
  leave: () => void
  close: () => void
}

export const Commands = ({ shown, show, recent, leave, close }: CommandsProps) => {
  const [pausing, setPausing] = useState<Schema<'Backend'> | null>(null)
  if (pausing) return <PauseDialog backend={pausing} onDone={() => {}} onClose={close} />
  if (shown === 'keys') return <Sheet close={close} />
  const pause = (backend: Schema<'Backend'>): void => {
    if (backend.paused === null) return setPausing(backend)
    close()
    resume(backend.name).catch((thrown: unknown) => toast(errorFrom(thrown).message))
  }
  return <Palette recent={recent} acts={{ leave, close, showKeys: () => show('keys'), pause }} />
}

/** Finds anything by its id or name. The keys stay in the field, as a combobox has them (ARIA 1.2). */
const Palette = ({ recent, acts }: { recent: readonly Visited[]; acts: Acts }) => {
  const { route, path } = useLocation()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const list = useId()
  const session = useSession()
  const { data } = useRead('names', () => readNames(session.isAdmin))
  const names = data ?? { backends: [], clients: [] }
  const fixed = fixedItems(session, names, acts)
  const text = typed.trim()
  const items = text === '' ? [...recentItems(recent, path), ...fixed] : itemsFor(text, session.isAdmin, names, fixed)
  const chosen = items[at] ? at : 0
  const choose = (item: Item | undefined): void => {
    item?.act?.()
    if (item?.to === undefined) return
    acts.close()
    route(item.to)
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') choose(items[chosen])
    const way = WAYS[event.key]
    if (!way || items.length === 0 || ((event.key === 'Home' || event.key === 'End') && typed !== '')) return
    event.preventDefault()
    setAt(way(chosen, items.length))
  }
  return (
    <Dialog title="Find anything" onClose={acts.close}>
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
          <Option
            key={`${item.kind} ${item.to ?? item.text}`}
            id={`${list}-${n}`}
            item={item}
            isChosen={n === chosen}
            choose={() => choose(item)}
          />
        ))}
      </ul>
    </Dialog>
  )
}

import { useEffect, useRef, useState } from 'preact/hooks'
import { Route, Router, useLocation } from 'preact-iso'
import { lastAnswerMs } from '../api.ts'
import { useAway, useLiveState } from '../live.ts'
import { useVisited } from '../commands/keys.ts'
import { FindButton, usePalette } from '../commands/open.tsx'
import { useSession } from '../session.ts'
import { Button, Icon } from '../ui/button.tsx'
import { Empty } from '../ui/states.tsx'
import { screensFor, type Screen } from './screens.ts'
import { clockOf, relative, times, useNow } from '../ui/time.tsx'
import { doNow } from '../ui/undo.tsx'
import { theme } from './theme.ts'

const NotFound = () => (
  <Empty title="There is no such page">
    <p>
      It moved, or your key may not see it. <a href="/console">Go to the overview</a>
    </p>
  </Empty>
)

const LIVE_WORDS = { off: 'Not live', connecting: 'Reconnecting…', open: 'Live' } as const

const LiveBadge = () => {
  const state = useLiveState()
  return (
    <span class={`live live-${state} muted small`} role="status">
      <span class="dot" aria-hidden="true" />
      {LIVE_WORDS[state]}
    </span>
  )
}

/** Beside the badge, which is read aloud when it changes: this changes every second. */
const Updated = () => <span class="muted small">updated {relative(lastAnswerMs(), useNow())}</span>

const Away = () => {
  const since = useAway()
  if (since === null) return null
  return (
    <div class="note warn away" role="alert">
      <strong>Not live since {clockOf(since)}.</strong> What you see may be old.
    </div>
  )
}

const Choice = ({ of, name, title }: { of: typeof theme | typeof times; name: string; title: string }) => (
  <Button kind="quiet" onClick={of.next} title={title}>
    {name}: {of.use()}
  </Button>
)

const isUnder = (path: string, root: string): boolean =>
  root === '/console' ? path === root : path === root || path.startsWith(`${root}/`)

const Navigation = ({ screens, path }: { screens: readonly Screen[]; path: string }) => (
  <nav aria-label="Main">
    <ul>
      {screens.map(
        ({ path: to, title, icon }) =>
          icon && (
            <li key={to}>
              <a href={to} {...(isUnder(path, to) && { 'aria-current': 'page' })}>
                <Icon name={icon} />
                {title}
              </a>
            </li>
          ),
      )}
    </ul>
  </nav>
)

/** Names the page, and moves the focus to its beginning for anyone who went to it, or to a view of it from what is gone now. */
const useArrival = ({ path, query: { view } }: ReturnType<typeof useLocation>, title: string) => {
  const main = useRef<HTMLElement>(null)
  const before = useRef({ path, view })
  useEffect(() => {
    document.title = `${title} · Talkbridge`
    const from = before.current
    before.current = { path, view }
    if (from.path === path && (from.view === view || document.activeElement !== document.body)) return
    main.current?.focus({ preventScroll: true })
    if (from.path !== path) window.scrollTo(0, 0)
  }, [path, view, title])
  return main
}

const titleOf = (screens: readonly Screen[], path: string): string =>
  screens.find((screen) => screen.path === path)?.title ??
  screens.find((screen) => new RegExp(`^${screen.path.replace(/:\w+/, '[^/]+')}$`).test(path))?.title ??
  'Not found'

export const Frame = ({ leave }: { leave: () => void }) => {
  const session = useSession()
  const here = useLocation()
  const [isOpen, setOpen] = useState(false)
  const screens = screensFor(session)
  const { open, palette } = usePalette(leave, useVisited(here.path, titleOf(screens, here.path)))
  const main = useArrival(here, titleOf(screens, here.path))
  useEffect(() => {
    setOpen(false)
    return () => void doNow()
  }, [here.path])
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="side" data-open={isOpen}>
        <div class="brand">
          <a href="/console">Talkbridge</a>
          <FindButton open={open} />
          <Button
            kind="quiet"
            class="menu-button"
            aria-expanded={isOpen}
            aria-controls="menu"
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="menu" />
            Menu
          </Button>
        </div>
        <div class="menu" id="menu">
          <Navigation screens={screens} path={here.path} />
          <div class="who">
            <LiveBadge />
            <Updated />
            <span class="muted">
              {session.client}
              {session.isAdmin && ' (operator)'}
            </span>
            <span class="small">
              <a href="/docs/guide" target="_blank">
                Guide
              </a>
              {' · '}
              <a href="/docs" target="_blank">
                API
              </a>
            </span>
            <Choice of={theme} name="Theme" title="Change the colours" />
            <Choice of={times} name="Times" title="Show times as relative, local or UTC" />
            <Button kind="quiet" onClick={leave}>
              Sign out
            </Button>
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} ref={main}>
        <Away />
        <Router>
          {[
            ...screens.map(({ path: at, component }) => <Route key={at} path={at} component={component} />),
            <Route key="none" default component={NotFound} />,
          ]}
        </Router>
      </main>
      {palette}
    </div>
  )
}

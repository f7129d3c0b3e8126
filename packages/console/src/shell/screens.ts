import type { FunctionComponent } from 'preact'
import { type ScreenProps, may, type Session } from '../session.ts'
import type { IconName } from '../ui/button.tsx'
import { onDemand } from './missing.tsx'

export interface Screen {
  path: string
  /** Of the page; in the navigation, too. */
  title: string
  /** Null: it is not in the navigation. */
  icon: IconName | null
  /** Whether the key may read what it shows. */
  isFor: (session: Session) => boolean
  component: FunctionComponent<ScreenProps>
}

const all = (): boolean => true
const withScope =
  (scope: string) =>
  (session: Session): boolean =>
    may(session, scope) || session.isAdmin
const videosRead = withScope('videos:read')
const videosCreate = withScope('videos:create')
const webhooksRead = withScope('webhooks:read')
const admins = ({ isAdmin }: Session): boolean => isAdmin
const others = (session: Session): boolean => !session.isAdmin

const page = <Name extends string>(
  path: string,
  title: string,
  icon: Screen['icon'],
  isFor: Screen['isFor'],
  load: () => Promise<Record<Name, FunctionComponent<ScreenProps>>>,
  name: Name,
): Screen => ({ path, title, icon, isFor, component: onDemand(() => load().then((loaded) => loaded[name])) })

const overview = () => import('../screens/overview/index.tsx')
const videos = () => import('../screens/videos/index.tsx')
const video = () => import('../screens/video/index.tsx')
const webhooks = () => import('../screens/webhooks/index.tsx')
const deliveries = () => import('../screens/webhooks/deliveries.tsx')
const endpoint = () => import('../screens/webhooks/endpoint.tsx')
const backends = () => import('../screens/backends/index.tsx')
const playground = () => import('../screens/playground/index.tsx')
const usage = () => import('../screens/access/usage.tsx')
const doubts = () => import('../screens/doubts/index.tsx')
const keys = () => import('../screens/access/keys.tsx')
const clients = () => import('../screens/access/clients.tsx')
const audit = () => import('../screens/access/audit.tsx')

/** Every page, in the order of the navigation. A path with `:id` comes behind the one without. */
export const SCREENS: readonly Screen[] = [
  page('/console', 'Overview', 'overview', all, overview, 'OverviewScreen'),
  page('/console/videos', 'Videos', 'video', videosRead, videos, 'VideosScreen'),
  page('/console/videos/:id', 'Video', null, videosRead, video, 'VideoScreen'),
  page('/console/webhooks', 'Webhooks', 'webhook', webhooksRead, webhooks, 'WebhooksScreen'),
  page('/console/webhooks/deliveries', 'Deliveries', null, webhooksRead, deliveries, 'DeliveriesScreen'),
  page('/console/webhooks/deliveries/:id', 'Delivery', null, webhooksRead, deliveries, 'DeliveryScreen'),
  page('/console/webhooks/:id', 'Endpoint', null, webhooksRead, endpoint, 'EndpointScreen'),
  page('/console/backends', 'Backends', 'backend', videosRead, backends, 'BackendsScreen'),
  page('/console/backends/:id', 'Backend', null, videosRead, backends, 'BackendScreen'),
  page('/console/playground', 'Playground', 'play', videosCreate, playground, 'PlaygroundScreen'),
  page('/console/usage', 'Usage', 'usage', others, usage, 'UsageScreen'),
  page('/console/doubts', 'Doubts', 'doubt', admins, doubts, 'DoubtsScreen'),
  page('/console/keys', 'Keys', 'key', admins, keys, 'KeysScreen'),
  page('/console/clients', 'Clients', 'clients', admins, clients, 'ClientsScreen'),
  page('/console/audit', 'Audit log', 'audit', admins, audit, 'AuditScreen'),
]

/** Where `g` and a letter goes: in the order of the navigation. */
const LETTERS: readonly (readonly [letter: string, path: string, title?: string])[] = [
  ['o', '/console'],
  ['v', '/console/videos'],
  ['w', '/console/webhooks'],
  ['b', '/console/backends'],
  ['m', '/console/backends?view=migration', 'Side by side'],
  ['p', '/console/playground'],
  ['d', '/console/doubts'],
  ['k', '/console/keys'],
]

export const lettersFor = (session: Session): { letter: string; path: string; title: string }[] =>
  LETTERS.flatMap(([letter, path, title]) => {
    const to = screensFor(session).find((one) => one.path === path.split('?')[0])
    return to && (title === undefined || session.isAdmin) ? [{ letter, path, title: title ?? to.title }] : []
  })

export const screensFor = (session: Session): Screen[] => SCREENS.filter(({ isFor }) => isFor(session))

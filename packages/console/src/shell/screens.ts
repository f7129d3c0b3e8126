import type { FunctionComponent } from 'preact'
import { lazy } from 'preact-iso'
import { type ScreenProps, may, type Session } from '../session.ts'
import type { IconName } from '../ui/button.tsx'

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
const admins = ({ isAdmin }: Session): boolean => isAdmin
const others = (session: Session): boolean => !session.isAdmin

/** Every page, in the order of the navigation. A path with `:id` comes behind the one without. */
export const SCREENS: readonly Screen[] = [
  {
    path: '/console',
    title: 'Overview',
    icon: 'overview',
    isFor: all,
    component: lazy(() => import('../screens/overview/index.tsx').then(({ OverviewScreen }) => OverviewScreen)),
  },
  {
    path: '/console/videos',
    title: 'Videos',
    icon: 'video',
    isFor: withScope('videos:read'),
    component: lazy(() => import('../screens/videos/index.tsx').then(({ VideosScreen }) => VideosScreen)),
  },
  {
    path: '/console/videos/:id',
    title: 'Video',
    icon: null,
    isFor: withScope('videos:read'),
    component: lazy(() => import('../screens/video/index.tsx').then(({ VideoScreen }) => VideoScreen)),
  },
  {
    path: '/console/webhooks',
    title: 'Webhooks',
    icon: 'webhook',
    isFor: withScope('webhooks:read'),
    component: lazy(() => import('../screens/webhooks/index.tsx').then(({ WebhooksScreen }) => WebhooksScreen)),
  },
  {
    path: '/console/webhooks/deliveries',
    title: 'Deliveries',
    icon: null,
    isFor: withScope('webhooks:read'),
    component: lazy(() =>
      import('../screens/webhooks/deliveries.tsx').then(({ DeliveriesScreen }) => DeliveriesScreen),
    ),
  },
  {
    path: '/console/webhooks/deliveries/:id',
    title: 'Delivery',
    icon: null,
    isFor: withScope('webhooks:read'),
    component: lazy(() => import('../screens/webhooks/deliveries.tsx').then(({ DeliveryScreen }) => DeliveryScreen)),
  },
  {
    path: '/console/webhooks/:id',
    title: 'Endpoint',
    icon: null,
    isFor: withScope('webhooks:read'),
    component: lazy(() => import('../screens/webhooks/endpoint.tsx').then(({ EndpointScreen }) => EndpointScreen)),
  },
  {
    path: '/console/backends',
    title: 'Backends',
    icon: 'backend',
    isFor: withScope('videos:read'),
    component: lazy(() => import('../screens/backends/index.tsx').then(({ BackendsScreen }) => BackendsScreen)),
  },
  {
    path: '/console/backends/:id',
    title: 'Backend',
    icon: null,
    isFor: withScope('videos:read'),
    component: lazy(() => import('../screens/backends/index.tsx').then(({ BackendScreen }) => BackendScreen)),
  },
  {
    path: '/console/playground',
    title: 'Playground',
    icon: 'play',
    isFor: withScope('videos:create'),
    component: lazy(() => import('../screens/playground/index.tsx').then(({ PlaygroundScreen }) => PlaygroundScreen)),
  },
  {
    path: '/console/usage',
    title: 'Usage',
    icon: 'usage',
    isFor: others,
    component: lazy(() => import('../screens/access/usage.tsx').then(({ UsageScreen }) => UsageScreen)),
  },
  {
    path: '/console/doubts',
    title: 'Doubts',
    icon: 'doubt',
    isFor: admins,
    component: lazy(() => import('../screens/doubts/index.tsx').then(({ DoubtsScreen }) => DoubtsScreen)),
  },
  {
    path: '/console/keys',
    title: 'Keys',
    icon: 'key',
    isFor: admins,
    component: lazy(() => import('../screens/access/keys.tsx').then(({ KeysScreen }) => KeysScreen)),
  },
  {
    path: '/console/clients',
    title: 'Clients',
    icon: 'clients',
    isFor: admins,
    component: lazy(() => import('../screens/access/clients.tsx').then(({ ClientsScreen }) => ClientsScreen)),
  },
  {
    path: '/console/audit',
    title: 'Audit log',
    icon: 'audit',
    isFor: admins,
    component: lazy(() => import('../screens/access/audit.tsx').then(({ AuditScreen }) => AuditScreen)),
  },
]

export const screensFor = (session: Session): Screen[] => SCREENS.filter(({ isFor }) => isFor(session))

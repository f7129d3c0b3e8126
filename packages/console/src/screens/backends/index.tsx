import { api, ask, type Schema } from '../../api.ts'
import { useLiveReload } from '../../live.ts'
import { may, useSession, type Session } from '../../session.ts'
import { useFilters } from '../../use-filters.ts'
import { useRead } from '../../use-read.ts'
import { BackendBars } from '../../ui/backend-bars.tsx'
import { Facts, Header } from '../../ui/header.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { Views } from '../../ui/views.tsx'
import { creditsOf, useCredits } from './credits.ts'
import { MigrationView } from './migration.tsx'
import './backends.css'

type Backend = Schema<'Backend'>

/** Budgets move without an event. */
const EVERY_MS = 2_000

const readBackends = async ({ isAdmin }: Session): Promise<Backend[]> => {
  const { data } = await (isAdmin ? ask(api.GET('/unified/v1/admin/backends')) : ask(api.GET('/unified/v1/backends')))
  return data
}

const BackendCard = ({ backend, credits }: { backend: Backend; credits: string | null }) => (
  <BackendBars backend={backend}>
    <Facts
      rows={[
        ['Waiting', backend.queue_depth],
        ['Credits left', credits],
        ['Interface', backend.interface],
        ['Held by', backend.held_by ?? 'no replica'],
      ]}
    />
  </BackendBars>
)

const All = ({ session }: { session: Session }) => {
  const { data, error, reload } = useRead('backends', () => readBackends(session), EVERY_MS)
  const credits = useCredits(session)
  useLiveReload(reload, ({ type }) => type.startsWith('video.'))
  return (
    <>
      {error && <Failure error={error} retry={reload} />}
      {!data && !error && <Skeleton what="the backends" rows={6} />}
      {data?.length === 0 && (
        <Empty title="Your key may use no backend">
          <p>Ask your operator: the configuration gives each client its backends.</p>
        </Empty>
      )}
      {data && data.length > 0 && (
        <div class="cards">
          {data.map((backend) => (
            <BackendCard key={backend.name} backend={backend} credits={creditsOf(credits, backend.name)} />
          ))}
        </div>
      )}
    </>
  )
}

export function BackendsScreen() {
  const session = useSession()
  const { filters } = useFilters()
  const isMigration = session.isAdmin && filters['view'] === 'migration'
  return (
    <>
      <Header title={isMigration ? 'Backends, side by side' : 'Backends'} />
      {session.isAdmin && (
        <Views
          label="Backends"
          views={[
            ['', 'Now'],
            ['migration', 'Side by side'],
          ]}
        />
      )}
      {isMigration && <MigrationView />}
      {!isMigration && (session.isAdmin || may(session, 'videos:read')) && <All session={session} />}
    </>
  )
}

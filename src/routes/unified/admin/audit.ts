import type { Request, Response, Router } from 'express'
import type { AuditEntryView } from '../../../core/api/admin.ts'
import type { AuditEntry } from '../../../core/access.ts'
import { iso } from '../../../core/time/clock.ts'
import type { Deps } from '../../../deps.ts'
import { needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { openCursor, pageOf } from '../paging.ts'
import { ListAuditQuery } from './access-input.ts'

const entryView = ({
  id,
  atMs,
  actor,
  key,
  address,
  requestId,
  action,
  subject,
  detail,
}: AuditEntry): AuditEntryView => ({
  id,
  object: 'audit_entry',
  at: iso(atMs),
  actor,
  actor_key: key,
  address,
  request_id: requestId,
  action,
  subject,
  detail: { ...detail },
})

/** What operators did, and the gateway in their place. */
export const auditRoutes = ({ store, cursors }: Pick<Deps, 'store' | 'cursors'>): Router => {
  const list = async (req: Request, res: Response): Promise<void> => {
    const { limit, cursor, actor = null, action = null, subject = null, since = null } = parseQuery(ListAuditQuery, req)
    const scope = JSON.stringify(['audit', actor, action, subject, since])
    const place = openCursor(cursors, scope, cursor)
    const before = place === null ? null : Number(place)
    const found = await store.audit({ actor, action, subject, sinceMs: since, before, limit: limit + 1 })
    const after = (one: (typeof found)[number]): string => String(one.place)
    res.json(pageOf(found, { cursors, scope, limit, view: ({ entry }) => entryView(entry), after }))
  }
  const router = createRouter()
  router.route('/admin/audit').get(needs('admin'), list).all(onlyMethods('GET', 'HEAD'))
  return router
}

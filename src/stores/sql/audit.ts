import { AUDIT_ACTIONS, type AuditEntry } from '../../core/audit.ts'
import type { AccessStore, AuditQuery } from '../../core/store/access.ts'
import { few, int, numberOf, text, textOrNull, type Db, type Reader, type Row, type Value } from './db.ts'
import { oneOf } from './rows.ts'

const PUT = `INSERT INTO audit (id, at, actor, actor_key, address, request_id, action, subject, detail)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Within the write that it tells of. */
export const putAudit = async (db: Db, entry: AuditEntry): Promise<void> => {
  const { id, atMs, actor, key, address, requestId, action, subject, detail } = entry
  await db.run(PUT, id, atMs, actor, key, address, requestId, action, subject, JSON.stringify(detail))
}

const PURGE = `DELETE FROM audit WHERE n IN (${few('SELECT n FROM audit WHERE at < ? ORDER BY at LIMIT ?')})`

export const purgeAudit = async (db: Db, { beforeMs, limit }: { beforeMs: number; limit: number }): Promise<number> =>
  await db.run(PURGE, beforeMs, limit)

const auditFrom = (row: Row): AuditEntry => ({
  id: text(row, 'id'),
  atMs: int(row, 'at'),
  actor: text(row, 'actor'),
  key: textOrNull(row, 'actor_key'),
  address: textOrNull(row, 'address'),
  requestId: textOrNull(row, 'request_id'),
  action: oneOf(AUDIT_ACTIONS, text(row, 'action'), 'action'),
  subject: text(row, 'subject'),
  detail: JSON.parse(text(row, 'detail')) as AuditEntry['detail'],
})

const ENTRIES = 'SELECT n, id, at, actor, actor_key, address, request_id, action, subject, detail FROM audit'

/** By the narrowest index: of a subject, else of an actor, else of an action. The other filters pass over what is read. */
const auditSql = ({ subject, actor, action, sinceMs, before }: AuditQuery): { sql: string; values: Value[] } => {
  const named = [
    { column: 'subject', value: subject },
    { column: 'actor', value: actor },
    { column: 'action', value: action },
  ].flatMap(({ column, value }) => (value === null ? [] : [{ column, value }]))
  const index = named[0] ? ` INDEXED BY audit_by_${named[0].column}` : ''
  // Without one of them the log itself is in this order.
  const place = named.length > 0 ? numberOf('n') : 'n'
  const conditions = [
    ...named.map(({ column, value }) => ({ sql: `${column} = ?`, value })),
    ...(before === null ? [] : [{ sql: `${place} < ?`, value: before }]),
    ...(sinceMs === null ? [] : [{ sql: 'at >= ?', value: sinceMs }]),
  ]
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`
  return {
    sql: `${ENTRIES}${index}${where} ORDER BY ${place} DESC LIMIT ?`,
    values: conditions.map(({ value }) => value),
  }
}

/** Reads by index, as those of `reads.ts`. */
export const createAuditReads = (db: Reader) =>
  ({
    async audit(query) {
      const { sql, values } = auditSql(query)
      const rows = await db.all(sql, ...values, query.limit)
      return rows.map((row) => ({ place: int(row, 'n'), entry: auditFrom(row) }))
    },
    auditOf: async (subject, limit) =>
      (await db.all(`${ENTRIES} WHERE subject = ? ORDER BY ${numberOf('n')} DESC LIMIT ?`, subject, limit)).map(
        auditFrom,
      ),
  }) satisfies Partial<AccessStore>

import type { VerdictCounts } from '../core/api/migration.ts'
import type { LossKind, VerdictWord } from '../core/store/accounts.ts'
import type { VideoRecord } from '../core/video.ts'
import type { Entry } from '../engine/create/route.ts'
import { createTop, keyOfKind } from './counts.ts'
import { HIDDEN } from './aliases.ts'
import type { Named } from './names.ts'
import type { Loss, Verdict } from './verdict.ts'

/** Kinds of loss are few; clients are those of the configuration, and those of before. */
const KINDS_AT_MOST = 200
const CLIENTS_AT_MOST = 500
/** Of voices, and of portraits, each with an id or a URL of up to 2 kB. */
const NAMED_AT_MOST = 2_000

export const noVerdicts = (): VerdictCounts => ({ untouched: 0, warnings: 0, not_at_all: 0, unverified: 0 })

export interface SeenLoss extends LossKind {
  verdict: VerdictWord
  example: string
}

/** What is missing, by the name of the old backend. */
export interface SeenNamed {
  kind: Named['kind']
  id: string
}

/** A query often signs the image for an hour. The report is handed around, and counts the same image as one. */
export const withoutQuery = (url: string): string => url.replace(/\?.*$/s, HIDDEN)

const seenOf = (kind: Named['kind'], entry: Entry): SeenNamed =>
  typeof entry === 'string' ? { kind, id: entry } : { kind: 'image', id: withoutQuery(entry.image_url) }

/** Everything that is counted on the walk through what was recorded: as much memory for a million videos as for a thousand. */
export const createTallies = () => {
  const verdicts = noVerdicts()
  const losses = createTop<SeenLoss>(KINDS_AT_MOST)
  const unverified = createTop<string>(KINDS_AT_MOST)
  const clients = createTop<{ client: string; verdicts: VerdictCounts }>(CLIENTS_AT_MOST)
  const byClient = new Map<string, VerdictCounts>()
  const lacking = { voices: createTop<SeenNamed>(NAMED_AT_MOST), portraits: createTop<SeenNamed>(NAMED_AT_MOST) }
  const pinned = { request: 0, id: 0 }
  let defaultVoices = 0

  const countClient = (client: string, verdict: VerdictWord): void => {
    clients.add(client, () => {
      const counts = noVerdicts()
      byClient.set(client, counts)
      return { client, verdicts: counts }
    })
    const counts = byClient.get(client)
    if (counts) counts[verdict] += 1
  }

  const countLoss = ({ code, field, message }: Loss, verdict: VerdictWord): void =>
    losses.add(keyOfKind({ code, field }), () => ({
      code,
      field,
      verdict: verdict === 'not_at_all' ? verdict : 'warnings',
      example: message,
    }))

  return {
    count({ client, input, routing }: VideoRecord, { verdict, losses: lost, unverified: fields }: Verdict): void {
      verdicts[verdict] += 1
      countClient(client, verdict)
      for (const loss of lost) countLoss(loss, verdict)
      for (const field of fields) unverified.add(field, () => field)
      if (routing.chosen_by === 'request' || routing.chosen_by === 'id') pinned[routing.chosen_by] += 1
      if (input.voice_id === null && input.text !== null) defaultVoices += 1
    },
    countLacking(kind: Named['kind'], entry: Entry): void {
      const seen = seenOf(kind, entry)
      lacking[kind === 'voice' ? 'voices' : 'portraits'].add(`${seen.kind}\0${seen.id}`, () => seen)
    },
    verdicts,
    losses,
    unverified,
    clients,
    lacking,
    pinned,
    defaultVoices: () => defaultVoices,
  }
}
export type Tallies = ReturnType<typeof createTallies>

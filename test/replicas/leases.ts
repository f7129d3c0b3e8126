import { withClient } from '../fakes/postgres.ts'

/** Who has the lease of an account, by the store's time. */
export interface Held {
  account: string
  holder: string
  untilMs: number
}

/** Leases of accounts that run. */
export const holdersOf = (url: string): Promise<Held[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ account: string; holder: string; until: string }>(
      `SELECT id AS account, holder, until FROM talkbridge.leases WHERE kind = 'account' AND holder IS NOT NULL
         AND until > extract(epoch FROM clock_timestamp()) * 1000`,
    )
    return rows.map(({ account, holder, until }) => ({ account, holder, untilMs: Number(until) }))
  })

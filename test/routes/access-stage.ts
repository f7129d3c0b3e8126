import type { z } from 'zod'
import { KeyWithSecretView, type KeyView } from '../../src/core/api/admin.ts'
import { bearer, KEYS, type TestApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'

type Issued = z.infer<typeof KeyWithSecretView>

/** What an operator does to keys and clients, over HTTP, as anna unless another key is given. */
export const issuing = (app: Pick<TestApp, 'raw'>) => {
  const call = (method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object, key: string = KEYS.anna) => {
    const sent = app.raw[method](`/unified/v1/admin${path}`).set(bearer(key))
    return body === undefined ? sent : sent.send(body)
  }
  const issued = async (sent: ReturnType<typeof call>, status: number): Promise<Issued> =>
    KeyWithSecretView.parse((await sent.expect(status)).body)
  return {
    call,
    client: (body: object) => call('post', '/clients', body).expect(201),
    issue: (body: object) => issued(call('post', '/keys', body), 201),
    rotate: (id: string, body: object = {}) => issued(call('post', `/keys/${id}/rotate`, body), 200),
    revoke: (key: { id: string } | undefined) => call('post', `/keys/${must(key).id}/revoke`).expect(200),
    /** All pages. */
    async find(query: Record<string, string>): Promise<KeyView[]> {
      const found: KeyView[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const asked = { ...query, limit: '7', ...(cursor && { cursor }) }
        const { body } = await call('get', `/keys?${new URLSearchParams(asked).toString()}`).expect(200)
        const page = body as { data: KeyView[]; next_cursor: string | null }
        found.push(...page.data)
        cursor = page.next_cursor
      }
      return found
    },
  }
}
export type Issuing = ReturnType<typeof issuing>

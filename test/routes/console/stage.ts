import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { KEYS, type TestApp } from '../../fakes/gateway.ts'
import { must } from '../../fakes/must.ts'

/** What the page sends with each change. */
export const FROM_PAGE = { 'x-talkbridge-console': '1', 'sec-fetch-site': 'same-origin' }

type Method = 'get' | 'head' | 'post' | 'patch' | 'delete'

/** What a `Set-Cookie` says, without the value. */
export const cookieOf = (response: { headers: Record<string, unknown> }) => {
  const [text = '', ...more] = [response.headers['set-cookie'] ?? []].flat().map(String)
  expect(more).toEqual([])
  const [pair = '', ...attributes] = text.split('; ')
  return { pair, token: pair.slice(pair.indexOf('=') + 1), attributes: attributes.toSorted() }
}

/** Speaks as the page does, as whoever signed in. */
export const withCookie = ({ raw }: Pick<TestApp, 'raw'>, cookie: string) => ({
  cookie,
  call: (method: Method, path: string, headers: Record<string, string> = FROM_PAGE) =>
    raw[method](`/console${path}`).set({ cookie, ...headers }),
  api: (method: Method, path: string, headers: Record<string, string> = FROM_PAGE) =>
    raw[method](`/console/api/unified/v1${path}`).set({ cookie, ...headers }),
})
export type Browser = ReturnType<typeof withCookie>

export const signIn = async (app: Pick<TestApp, 'raw'>, key: string = KEYS.anna): Promise<Browser> => {
  const response = await app.raw.post('/console/session').set(FROM_PAGE).send({ key }).expect(200)
  return withCookie(app, must(cookieOf(response).pair))
}

export const FILES = {
  'index.html': '<!doctype html><title>Console</title><script type="module" src="/console/assets/app-1.js"></script>',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'assets/app-1.js': `console.log('hello')\n`.repeat(100),
  'assets/app-1.js.map': '{}',
  'assets/app-1.css': 'body{margin:0}'.repeat(100),
  'assets/font-1.woff2': 'wOF2',
}

/** Lays what a build would, with packed forms of what is worth it. */
export const layConsole = (dir: string): string => {
  const folder = join(dir, 'console')
  mkdirSync(join(folder, 'assets'), { recursive: true })
  for (const [name, text] of Object.entries(FILES)) {
    writeFileSync(join(folder, name), text)
    if (/\.(js|css)$/.test(name)) writeFileSync(join(folder, `${name}.gz`), gzipSync(text))
    if (name.endsWith('.js')) writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text))
  }
  return folder
}

import { createServer } from 'node:http'
import type { BrowserServer } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { listenLocally } from '../../bench/servers/serve.ts'
import { launchBrowserServer } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers where the browser of this run can be connected to. */
    browser: string
  }
}

/** One browser for the tests of all files: started when the first of them asks for it, and closed when all are done. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  let started: Promise<BrowserServer> | null = null
  const server = createServer((_, res) => {
    started ??= launchBrowserServer()
    started.then(
      (browser) => res.end(browser.wsEndpoint()),
      (error: unknown) => res.writeHead(500).end(String(error)),
    )
  })
  project.provide('browser', await listenLocally(server))
  return async () => {
    server.close()
    server.closeAllConnections()
    await (await started)?.close()
  }
}

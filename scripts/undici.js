import request from 'undici/lib/api/api-request.js'
import { parseURL } from 'undici/lib/core/util.js'
import Agent from 'undici/lib/dispatcher/agent.js'

/**
 * The part of undici that the gateway uses, as the bundle has it. Its own entry loads the whole of it: fetch, web sockets,
 * caches and mocks, which were a twentieth of the heap of an idle gateway. It also takes the place of Node's own agent.
 */
export { default as buildConnector } from 'undici/lib/core/connect.js'
export { default as errors } from 'undici/lib/core/errors.js'
export { default as Client } from 'undici/lib/dispatcher/client.js'
export { default as Dispatcher } from 'undici/lib/dispatcher/dispatcher.js'
export { default as Pool } from 'undici/lib/dispatcher/pool.js'
export { Agent }

/** Made when it is first needed: only commands ask without a dispatcher of their own. */
let usual

/** As undici's own `request` does it, for what is called here: a URL, and options without `path`. */
const requestOf = (url, options = {}) => {
  const { origin, pathname, search } = parseURL(url)
  const { dispatcher = (usual ??= new Agent()), ...rest } = options
  const method = options.method ?? (options.body ? 'PUT' : 'GET')
  return request.call(dispatcher, { ...rest, origin, path: `${pathname}${search}`, method })
}
export { requestOf as request }

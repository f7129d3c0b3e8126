import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'

/** Preloaded into a gateway: tells at its end what of OpenTelemetry's was loaded, and keeps one package from it. */
const missing = process.env['MISSING_PACKAGE']
const loaded = new Set<string>()

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === missing) throw Object.assign(new Error(`no ${specifier}`), { code: 'ERR_MODULE_NOT_FOUND' })
    const resolved = next(specifier, context)
    const [, name] = /\/node_modules\/(@opentelemetry\/[^/]+)\//.exec(resolved.url) ?? []
    if (name !== undefined) loaded.add(name)
    return resolved
  },
})
// The writer's thread is preloaded with it, too.
if (isMainThread) process.on('exit', () => process.stderr.write(`loaded: ${[...loaded].toSorted().join(' ')}\n`))

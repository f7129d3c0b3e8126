import { readFileSync } from 'node:fs'

/** package.json lies two folders up from here, in src/cli as in dist/cli. */
export const version = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return isManifest ? String(manifest.version) : 'unknown'
}

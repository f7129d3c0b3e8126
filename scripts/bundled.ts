/**
 * Libraries of which the gateway uses a part: the build takes it into the bundle, with what they need themselves. So they
 * are development dependencies, and an installation does not bring them. Every other package stays one.
 */
export const BUNDLED = [
  '@prometheus-io/client',
  'commander',
  'csv-parse',
  'ipaddr.js',
  'lru-cache',
  'ulid',
  'undici',
  'yaml',
  'zod',
]

import type { GatewaySetup } from './gateway.ts'

export const keyOf = (client: number): string => `tb_bench_${client}_0123456789abcdef0123456789abcdef`

/** A gateway before `upstream`, whose limits nothing here meets, with a key for each of so many clients. */
export const configOf = (upstream: string, { clients }: { clients: number }): GatewaySetup['config'] => ({
  server: { port: 0 },
  log: { level: 'info', format: 'json' },
  backends: {
    main: {
      interface: 'primary',
      base_url: upstream,
      api_key: 'upstream_0123456789abcdef',
      slots: null,
      requests_per_minute: 100_000,
    },
  },
  clients: Array.from({ length: clients }, (_, i) => ({
    id: `client-${i}`,
    key: keyOf(i),
    limits: { requests_per_minute: 1_000_000 },
  })),
  routing: { default: 'main' },
})

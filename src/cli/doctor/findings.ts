/** From good to bad. Only a fault makes the command fail. */
export const LEVELS = ['ok', 'hint', 'warning', 'fault'] as const
export type Level = (typeof LEVELS)[number]

/** One kind of finding. */
interface Row {
  readonly level: Level
  /** What to do; null: nothing. */
  readonly advice: string | null
}
export type Rows = Readonly<Record<string, Row>>

const OK = { level: 'ok', advice: null } as const
const hint = (advice: string): Row => ({ level: 'hint', advice })
const warning = (advice: string): Row => ({ level: 'warning', advice })
const fault = (advice: string): Row => ({ level: 'fault', advice })

const NEEDS_PUBLIC_URL = hint(
  'Set `server.public_url` to the https URL at which clients and backends reach the gateway.',
)

/** Every finding that there is, by topic. docs/doctor.md has a row for each, and says what it means. */
export const ROWS = {
  Configuration: {
    config_ok: OK,
    config_fault: fault('Correct it. `talkbridge config check` lists the mistakes, too.'),
    tracing_packages: fault('Run the command of the message, or set `tracing.otlp_endpoint` to null.'),
    config_warning: warning('Follow the message, or keep the setting if you want it.'),
  },
  Store: {
    store_ok: OK,
    store_served: OK,
    store_new: OK,
    store_older: fault('Begin with a new store.'),
    store_newer: fault('Start the newer version, or restore the backup from before the upgrade.'),
    store_restored: fault(
      'If you restored a backup, start once with `serve --restored`. If not, put the newest store and its mark back.',
    ),
    store_unreadable: fault('Give the file to this user, restore a backup, or set another `store.path`.'),
    store_not_ours: fault('Set another `store.path`.'),
    store_lock_foreign: fault('If no gateway of that user serves the store, remove the lock file.'),
    folder_unwritable: fault('Create the folder and give it to the user of the gateway, or set another `store.path`.'),
    disk_full: fault('Free space on that disk, or move the store to a larger one.'),
    disk_low: warning('Free space before it is full: lower `retention_days`, or move the store to a larger disk.'),
    account_gone: fault(
      'Put the old `base_url` and `api_key` back, with `drain: true` (under another name, if need be), until its videos have ended.',
    ),
    disk_network: warning('Put `store.path` on a local disk, or use `store.driver: postgres`.'),
    disk_memory: warning('Put `store.path` on a disk.'),
    disk_layer: warning('Mount a volume, and put `store.path` on it.'),
  },
  PostgreSQL: {
    postgres_ok: OK,
    postgres_served: OK,
    postgres_new: OK,
    postgres_restored: fault(
      'If you restored a backup, start one replica once with `serve --restored`. If nothing was lost, see [replicas](replicas.md#backup).',
    ),
    postgres_older: fault('Begin with a new schema (`store.schema`).'),
    postgres_newer: fault('Start the newer version, or restore the backup from before the upgrade.'),
    postgres_unreachable: fault(
      'Start the server, or correct host and port of `store.url`. Check the firewall between them.',
    ),
    postgres_refused: fault(
      'Correct user and password; percent-encode special characters, such as / as %2F. Check pg_hba.conf.',
    ),
    postgres_untrusted: fault(
      'Set `sslrootcert` in `store.url` to the certificate of its authority, and the host as its certificate has it.',
    ),
    postgres_no_database: fault("Create it (`CREATE DATABASE … ENCODING 'UTF8'`), or correct the name in `store.url`."),
    postgres_failed: fault('Follow the message. The log of the server has more.'),
    postgres_pooler: fault('Set the pooler to session mode, or connect past it.'),
    postgres_too_old: fault('Upgrade the server to PostgreSQL 14 or newer.'),
    postgres_encoding: fault("Create a database with `ENCODING 'UTF8'`, and set it in `store.url`."),
    postgres_rights: fault('Make the user the owner of the schema, or grant it `CREATE` on the database.'),
    postgres_read_only: fault('Set the primary server in `store.url`, or set `default_transaction_read_only` to off.'),
    postgres_connections: warning(
      'Raise `max_connections` (or the limit of the user or database), or lower `store.pool`.',
    ),
    postgres_commits: warning('Set `synchronous_commit` to on for this database.'),
    postgres_fsync: warning('Set `fsync` to on in postgresql.conf.'),
    postgres_clock: warning('Synchronize both machines with NTP.'),
    postgres_slow: hint('Run the gateway near the database.'),
  },
  Redis: {
    redis_ok: OK,
    redis_unreachable: fault('Start Redis, or correct its address in `redis`. Check the firewall between them.'),
    redis_refused: fault('Correct user and password in `redis`. Give the user the rights that docs/replicas.md names.'),
    redis_old: fault('Upgrade Redis to 6.2 or newer.'),
    redis_replica: fault('Set the master in `redis.url`, or use `redis.sentinels`.'),
    redis_evicts: warning('Set `maxmemory-policy noeviction`.'),
    redis_full: warning('Raise `maxmemory`, or give the gateways their own Redis.'),
    redis_slow: warning('Run the gateway near Redis, and check what else uses Redis.'),
  },
  'Secret key': {
    key_ok: OK,
    key_new: OK,
    key_malformed: fault('Restore the key of the store. For a new store, make a key: openssl rand -base64 32'),
    key_missing: fault('Set TALKBRIDGE_SECRET_KEY. For a new store, make a key: openssl rand -base64 32'),
    key_lost: fault('Restore `secret.key` from the backup, or set TALKBRIDGE_SECRET_KEY.'),
    key_other: fault('Restore the key of this store: in TALKBRIDGE_SECRET_KEY, or as `secret.key`.'),
    key_unreadable: fault('Give the file to the user of the gateway.'),
    key_exposed: warning('Run chmod 600 on the file.'),
  },
  Backends: {
    backend_ok: OK,
    backend_no_name: fault('Correct `base_url`, or the name servers of this machine.'),
    backend_no_answer: fault(
      'Correct `base_url`, or allow the connection in the firewall. If the backend is down, ask its operator.',
    ),
    backend_certificate_over: fault(
      'Ask the operator of the backend to renew it. If that date is in the future, correct the clock of this machine.',
    ),
    backend_untrusted: fault(
      'Correct `base_url`. If you have your own certificate authority, set NODE_EXTRA_CA_CERTS.',
    ),
    backend_certificate_ends: hint('Nothing yet: the backend should renew it. Check again later.'),
    backend_proxied: OK,
    backend_proxy_fails: fault(
      'Correct `proxy` of the backend, or HTTPS_PROXY and NO_PROXY. Let the proxy connect to the host of `base_url`.',
    ),
    backend_silent: fault('Check whether a proxy or firewall cuts long requests, or ask the operator of the backend.'),
    backend_key_refused: fault('Put a valid key of this backend in `api_key`.'),
    backend_forbidden: fault('Give the key its scopes at the backend. Check whether the backend limits IP addresses.'),
    backend_scope_missing: warning('Give the key that scope at the backend, or create a key that has it.'),
    backend_other_interface: fault('Correct `base_url` and `interface`. Write the URL without /api/v1 or /v1.'),
    backend_failing: warning('Run this again in a minute. If the error stays, ask the operator of the backend.'),
    backend_window_spent: hint('Run this again in a minute. If no gateway runs, somebody else uses the key.'),
    backend_cannot_create: warning('If it has no credits, buy some. If its slots are taken, wait until a job ends.'),
    backend_clock: warning(
      'If this is true for several backends, correct the clock of this machine (NTP). Otherwise the backend’s clock is wrong.',
    ),
    backend_limit_high: warning('Set `requests_per_minute` to the limit that the backend reports.'),
    backend_slots_high: warning('Set `slots` to the number that the backend reports.'),
    backend_slots_low: hint('Set `slots` to the number that the backend reports, if nobody else uses the account.'),
  },
  Gateway: {
    gateway_ok: OK,
    gateway_not_running: hint('Start the gateway, and run this again while it runs.'),
    gateway_unknown: hint('Run this where the gateway runs, with its TALKBRIDGE_SECRET_KEY.'),
    gateway_other: fault('Stop the other installation, or set another `server.port`.'),
    port_unusable: fault(
      'Correct `server.host`: an address of this machine, or 0.0.0.0 for all. Or set another `server.port`.',
    ),
    port_privileged: warning('Set a `server.port` of 1024 or more, or let the user of the gateway listen there.'),
    port_taken: fault('Stop the other program, or set another `server.port`.'),
  },
  'Public URL': {
    public_url_ok: OK,
    public_url_unset: NEEDS_PUBLIC_URL,
    public_url_unchecked: hint('Start the gateway, and run this again while it runs.'),
    public_url_loopback: NEEDS_PUBLIC_URL,
    public_url_no_name: fault('Create the DNS record, or correct `server.public_url`.'),
    public_url_no_answer: fault(
      'Start the proxy in front. If only others can reach it, check from there: curl URL/healthz',
    ),
    public_url_certificate_over: fault('Renew the certificate of the proxy.'),
    public_url_untrusted: fault('Give the proxy a certificate for that name, with its full chain.'),
    public_url_certificate_ends: warning('Renew the certificate of the proxy, and automate the renewal.'),
    public_url_elsewhere: fault('Point the proxy to `server.host` and `server.port`, or correct `server.public_url`.'),
    public_url_other_gateway: fault('Correct `server.public_url`, or run this with the secret key of that gateway.'),
    public_url_unknown: hint('Run this where the gateway runs, with its TALKBRIDGE_SECRET_KEY.'),
    callbacks_blocked: warning('Let the proxy forward POST requests below /hooks.'),
    metrics_public: hint('Set `metrics.token`, or block `/metrics` in the proxy.'),
  },
  Exposure: {
    guard_ok: OK,
    allow_wide: warning('Allow only the addresses of your receivers, such as 10.1.2.3/32.'),
    allow_metadata: fault('Remove link-local addresses from `webhooks.allow`.'),
    allow_http: warning('Use https at the receiver, and remove `http: true`.'),
    trust_any_proxy: warning('Set `server.trust_proxy` to the number of proxies in front.'),
    admin_client: warning('Remove the scope if the client is an app. For operators, set `console.admin_key` instead.'),
    sandbox_key: fault('Give the client its own key: openssl rand -hex 32'),
  },
  'The check itself': {
    check_timeout: fault('Run this again with a longer `--timeout`, and look at the thing that was checked.'),
    check_failed: fault('Follow the message. If it does not help you, report it.'),
  },
} as const satisfies Readonly<Record<string, Rows>>

type Topics = typeof ROWS
export type Code = { [T in keyof Topics]: keyof Topics[T] }[keyof Topics]

const BY_CODE = new Map<string, Row>(Object.values(ROWS).flatMap((rows: Rows) => Object.entries(rows)))

export interface Finding {
  readonly code: Code
  readonly level: Level
  /** What was looked at, by the name of its key or file. */
  readonly about: string
  /** What was found. Never a secret. */
  readonly found: string
  readonly advice: string | null
}

export const say = (code: Code, about: string, found: string): Finding => {
  const { level, advice } = BY_CODE.get(code) ?? fault('')
  return { code, level, about, found, advice }
}

/** The finding, if it is so. */
export const sayIf = (isSo: boolean, code: Code, about: string, found: string): Finding[] =>
  isSo ? [say(code, about, found)] : []

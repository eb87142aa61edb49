import {
  atLeastOne,
  authScheme,
  basePath,
  databaseAddress,
  downloadNetwork,
  durationOrNever,
  flag,
  folder,
  integerBetween,
  interfaces,
  type Kind,
  list,
  listenAddress,
  masterKey,
  network,
  oneOf,
  origin,
  pattern,
  publicAddress,
  readableFile,
  secret,
  timezone,
} from './setting-kinds.ts'

export interface SettingRow<T> {
  readonly variable: `WHARF_${string}`
  readonly kind: Kind<T>
  /** Written as an operator would write it. Without one the setting is optional. */
  readonly default?: string
  readonly help: string
  /** In place of the default when WHARF_COMPATIBILITY is zstack. */
  readonly zstack?: string
  /** The value is in no error text and wrapped as a Secret. */
  readonly secret?: true
}

/**
 * Every setting of the server. To add one, add a row to `settingTable`: its type, its line of `--help` and its checks follow.
 */
export const settingTable = {
  host: { variable: 'WHARF_HOST', kind: listenAddress, default: '127.0.0.1', help: 'address to listen on' },
  port: { variable: 'WHARF_PORT', kind: integerBetween(0, 65_535), default: '8080', help: 'port; 0 picks a free one' },
  httpPort: { variable: 'WHARF_HTTP_PORT', kind: integerBetween(0, 65_535), help: 'also a plain port, beside TLS' },
  basePath: {
    variable: 'WHARF_BASE_PATH',
    kind: basePath,
    default: '/wharf',
    zstack: '/zstack',
    help: 'prefix of every path; / for none',
  },
  publicUrl: { variable: 'WHARF_PUBLIC_URL', kind: publicAddress, help: 'address under which hosts reach this server' },
  nodeUrl: {
    variable: 'WHARF_NODE_URL',
    kind: { ...origin, rule: 'must be an http or https address without a path, such as http://10.0.0.5:8080' },
    help: 'where the other management nodes reach this one',
  },
  trustedProxies: {
    variable: 'WHARF_TRUSTED_PROXIES',
    kind: list(network),
    default: '',
    help: 'proxies whose X-Forwarded-* headers count',
  },
  corsOrigins: {
    variable: 'WHARF_CORS_ORIGINS',
    kind: list(origin),
    default: '',
    help: 'web pages elsewhere that may call the API',
  },
  metricsToken: {
    variable: 'WHARF_METRICS_TOKEN',
    kind: secret(pattern('must be visible ASCII characters without spaces', /^[!-~]+$/)),
    secret: true,
    help: 'bearer token that /metrics requires',
  },
  data: { variable: 'WHARF_DATA', kind: folder, default: 'data', help: 'folder of the database, keys and uploads' },
  databaseUrl: {
    variable: 'WHARF_DATABASE_URL',
    kind: secret(databaseAddress),
    secret: true,
    help: 'PostgreSQL instead of SQLite in the data folder',
  },
  masterKey: {
    variable: 'WHARF_MASTER_KEY',
    kind: secret(masterKey),
    secret: true,
    help: 'key of the secrets at rest: base64 or hex',
  },
  masterKeyFile: { variable: 'WHARF_MASTER_KEY_FILE', kind: readableFile, help: 'file with that key' },
  adminPassword: {
    variable: 'WHARF_ADMIN_PASSWORD',
    kind: secret(pattern('must be 1 to 1024 characters, none of them a control character', /^\P{Cc}{1,1024}$/u)),
    secret: true,
    help: 'password of admin, read at the first start only',
  },
  requireSecondFactor: {
    variable: 'WHARF_REQUIRE_SECOND_FACTOR',
    kind: oneOf('none', 'admins', 'all'),
    default: 'none',
    help: 'who must have a second factor: none, admins, all',
  },
  authSchemes: {
    variable: 'WHARF_AUTH_SCHEMES',
    kind: atLeastOne(list(authScheme)),
    default: 'Service',
    zstack: 'Service,ZStack',
    help: 'scheme words of signed calls',
  },
  timezone: { variable: 'WHARF_TIMEZONE', kind: timezone, default: 'UTC', help: 'time zone of the times in answers' },
  dateCst: {
    variable: 'WHARF_DATE_CST',
    kind: pattern('must be an offset such as +08:00 or -06:00', /^[+-](0\d|1[0-4]):[0-5]\d$/),
    help: 'the only meaning of CST in the date of a signed call',
  },
  holdSeconds: {
    variable: 'WHARF_HOLD_SECONDS',
    kind: integerBetween(0, 3600),
    default: '240',
    help: 'how long a call waits for its job before 202',
  },
  logLevel: {
    variable: 'WHARF_LOG_LEVEL',
    kind: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    default: 'info',
    help: 'trace, debug, info, warn, error, fatal or silent',
  },
  tlsCert: { variable: 'WHARF_TLS_CERT', kind: readableFile, help: 'certificate chain (PEM); turns TLS on' },
  tlsKey: { variable: 'WHARF_TLS_KEY', kind: readableFile, help: 'private key of that certificate (PEM)' },
  caFile: { variable: 'WHARF_CA_FILE', kind: readableFile, help: 'more certificate authorities to trust (PEM)' },
  fileRoots: {
    variable: 'WHARF_FILE_ROOTS',
    kind: list(folder),
    default: '',
    help: 'folders for file:// packages',
  },
  downloadAllow: {
    variable: 'WHARF_DOWNLOAD_ALLOW',
    kind: list(downloadNetwork),
    default: '',
    help: 'networks to fetch from although they are refused',
  },
  componentHttp: {
    variable: 'WHARF_COMPONENT_HTTP',
    kind: list(downloadNetwork),
    default: '',
    help: 'components that get their adminToken over http',
  },
  maxPackageBytes: {
    variable: 'WHARF_MAX_PACKAGE_BYTES',
    kind: integerBetween(1, 2 ** 50 - 1),
    default: String(2 ** 40),
    help: 'size of the largest package',
  },
  verifyIntervalMs: {
    variable: 'WHARF_VERIFY_INTERVAL',
    kind: durationOrNever,
    default: '1h',
    help: 'how often installed packages are verified; 0 for never',
  },
  releaseCacheBytes: {
    variable: 'WHARF_RELEASE_CACHE_BYTES',
    kind: integerBetween(0, 2 ** 50 - 1),
    default: String(20 * 2 ** 30),
    help: 'disk space for releases',
  },
  oidcFile: {
    variable: 'WHARF_OIDC_FILE',
    kind: readableFile,
    help: 'identity providers for single sign-on (JSON)',
  },
  localLogin: {
    variable: 'WHARF_LOCAL_LOGIN',
    kind: oneOf('all', 'admins', 'none'),
    default: 'all',
    help: 'password sign-in for all, admins or none',
  },
  auditDays: {
    variable: 'WHARF_AUDIT_DAYS',
    kind: integerBetween(0, 36_500),
    default: '400',
    help: 'how many days audit entries are kept; 0 keeps them all',
  },
  auditDigests: {
    variable: 'WHARF_AUDIT_DIGESTS',
    kind: pattern('must be the name or uuid of a backup storage, or the path of a folder', /^[^\0]+$/),
    help: 'storage or existing folder that also gets digests',
  },
  elaborations: { variable: 'WHARF_ELABORATIONS', kind: folder, help: "folder of the operator's own explanations" },
  discovery: {
    variable: 'WHARF_DISCOVERY',
    kind: interfaces,
    default: 'all',
    help: 'interfaces of host discovery: names, all or none',
  },
  emptyNotFound: {
    variable: 'WHARF_EMPTY_NOT_FOUND',
    kind: flag,
    default: 'false',
    zstack: 'true',
    help: 'answer an unknown uuid with 200 and an empty list',
  },
  errorAlone: {
    variable: 'WHARF_ERROR_ALONE',
    kind: flag,
    default: 'false',
    zstack: 'true',
    help: 'failure bodies contain only error, without success',
  },
  jsonSchema: {
    variable: 'WHARF_JSON_SCHEMA',
    kind: flag,
    default: 'false',
    zstack: 'true',
    help: 'add schema to answers if X-JSON-Schema requests it',
  },
  always202: {
    variable: 'WHARF_ALWAYS_202',
    kind: flag,
    default: 'false',
    zstack: 'true',
    help: 'answer POST, PUT and DELETE with X-Job-UUID with 202',
  },
  compatibility: {
    variable: 'WHARF_COMPATIBILITY',
    kind: oneOf('none', 'zstack'),
    default: 'none',
    help: 'zstack: defaults for client libraries of that platform',
  },
} as const satisfies Record<string, SettingRow<unknown>>

type Table = typeof settingTable
type Value<K extends keyof Table> = Table[K]['kind'] extends Kind<infer T> ? T : never
type Present = { [K in keyof Table]: Table[K] extends { default: string } ? K : never }[keyof Table]
/** The values of the environment or the defaults, by name. */
export type SettingValues = { [K in Present]: Value<K> } & { [K in Exclude<keyof Table, Present>]?: Value<K> }

/** One line per setting, in columns: variable, default, meaning. */
export function settingsHelp(): string {
  const rows: readonly SettingRow<unknown>[] = Object.values(settingTable)
  const lines = rows.map((row) => [row.variable, row.default || '-', row.help] as const)
  const widest = (column: 0 | 1): number => Math.max(...lines.map((line) => line[column].length))
  const [variables, defaults] = [widest(0), widest(1)]
  return [
    ...lines.map(([variable, value, help]) => `  ${variable.padEnd(variables)}  ${value.padEnd(defaults)}  ${help}`),
    '  Lists take commas between their items. Relative paths start at the folder of Wharf.',
    '  Outside a checkout, WHARF_DATA is $XDG_STATE_HOME/wharf (~/.local/state/wharf) unless it is set.',
  ].join('\n')
}

import { relative } from 'node:path'
import { editDistance } from '@wharf/platform/edit-distance.ts'
import { OperatorError } from '@wharf/platform/operator-error.ts'
import { type OidcProvider, readProviderFile } from '../resources/identity/oidc/provider-file.ts'
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

/**
 * Every setting of the server. To add one, add a row to `table`: its type, its line of `--help` and its checks follow.
 */

/** Prevents the start. The message is one line for the operator and never contains a secret. */
export class SettingError extends OperatorError {
  override name = 'SettingError'
}

interface Row<T> {
  readonly variable: `WHARF_${string}`
  readonly kind: Kind<T>
  /** Written as an operator would write it. Without one the setting is optional. */
  readonly standard?: string
  readonly help: string
  /** In place of the default when WHARF_COMPATIBILITY is zstack. */
  readonly zstack?: string
  /** The value is in no error text and wrapped as a Secret. */
  readonly secret?: true
}

const table = {
  host: { variable: 'WHARF_HOST', kind: listenAddress, standard: '127.0.0.1', help: 'address to listen on' },
  port: { variable: 'WHARF_PORT', kind: integerBetween(0, 65_535), standard: '8080', help: 'port; 0 picks a free one' },
  httpPort: { variable: 'WHARF_HTTP_PORT', kind: integerBetween(0, 65_535), help: 'also a plain port, beside TLS' },
  basePath: {
    variable: 'WHARF_BASE_PATH',
    kind: basePath,
    standard: '/wharf',
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
    standard: '',
    help: 'proxies whose X-Forwarded-* headers count',
  },
  corsOrigins: {
    variable: 'WHARF_CORS_ORIGINS',
    kind: list(origin),
    standard: '',
    help: 'web pages elsewhere that may call the API',
  },
  metricsToken: {
    variable: 'WHARF_METRICS_TOKEN',
    kind: secret(pattern('must be visible ASCII characters without blanks', /^[!-~]+$/)),
    secret: true,
    help: 'bearer token that /metrics requires',
  },
  data: { variable: 'WHARF_DATA', kind: folder, standard: 'data', help: 'folder of the database, keys and uploads' },
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
    standard: 'none',
    help: 'who must have a second factor: none, admins, all',
  },
  authSchemes: {
    variable: 'WHARF_AUTH_SCHEMES',
    kind: atLeastOne(list(authScheme)),
    standard: 'Service',
    zstack: 'Service,ZStack',
    help: 'scheme words of signed calls',
  },
  timezone: { variable: 'WHARF_TIMEZONE', kind: timezone, standard: 'UTC', help: 'time zone of the times in answers' },
  dateCst: {
    variable: 'WHARF_DATE_CST',
    kind: pattern('must be an offset such as +08:00 or -06:00', /^[+-](0\d|1[0-4]):[0-5]\d$/),
    help: 'the only meaning of CST in the date of a signed call',
  },
  holdSeconds: {
    variable: 'WHARF_HOLD_SECONDS',
    kind: integerBetween(0, 3600),
    standard: '240',
    help: 'how long a call waits for its job before 202',
  },
  logLevel: {
    variable: 'WHARF_LOG_LEVEL',
    kind: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    standard: 'info',
    help: 'trace, debug, info, warn, error, fatal or silent',
  },
  tlsCert: { variable: 'WHARF_TLS_CERT', kind: readableFile, help: 'certificate chain (PEM); turns TLS on' },
  tlsKey: { variable: 'WHARF_TLS_KEY', kind: readableFile, help: 'private key of that certificate (PEM)' },
  caFile: { variable: 'WHARF_CA_FILE', kind: readableFile, help: 'more certificate authorities to trust (PEM)' },
  fileRoots: {
    variable: 'WHARF_FILE_ROOTS',
    kind: list(folder),
    standard: '',
    help: 'folders for file:// packages',
  },
  downloadAllow: {
    variable: 'WHARF_DOWNLOAD_ALLOW',
    kind: list(downloadNetwork),
    standard: '',
    help: 'networks to fetch from although they are refused',
  },
  componentHttp: {
    variable: 'WHARF_COMPONENT_HTTP',
    kind: list(downloadNetwork),
    standard: '',
    help: 'components that get their adminToken over http',
  },
  maxPackageBytes: {
    variable: 'WHARF_MAX_PACKAGE_BYTES',
    kind: integerBetween(1, 2 ** 50 - 1),
    standard: String(2 ** 40),
    help: 'size of the largest package',
  },
  verifyIntervalMs: {
    variable: 'WHARF_VERIFY_INTERVAL',
    kind: durationOrNever,
    standard: '1h',
    help: 'how often installed packages are verified; 0 for never',
  },
  releaseCacheBytes: {
    variable: 'WHARF_RELEASE_CACHE_BYTES',
    kind: integerBetween(0, 2 ** 50 - 1),
    standard: String(20 * 2 ** 30),
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
    standard: 'all',
    help: 'password sign-in for all, admins or none',
  },
  auditDays: {
    variable: 'WHARF_AUDIT_DAYS',
    kind: integerBetween(0, 36_500),
    standard: '400',
    help: 'how many days audit entries are kept; 0 keeps them all',
  },
  auditDigests: {
    variable: 'WHARF_AUDIT_DIGESTS',
    kind: pattern('must be the name or uuid of a backup storage, or the path of a folder', /^[^\0]+$/),
    help: 'backup storage or folder that also gets audit digests',
  },
  elaborations: { variable: 'WHARF_ELABORATIONS', kind: folder, help: "folder of the operator's own explanations" },
  discovery: {
    variable: 'WHARF_DISCOVERY',
    kind: interfaces,
    standard: 'all',
    help: 'interfaces of host discovery: names, all or none',
  },
  emptyNotFound: {
    variable: 'WHARF_EMPTY_NOT_FOUND',
    kind: flag,
    standard: 'false',
    zstack: 'true',
    help: 'answer an unknown uuid with 200 and an empty list',
  },
  errorAlone: {
    variable: 'WHARF_ERROR_ALONE',
    kind: flag,
    standard: 'false',
    zstack: 'true',
    help: 'failure bodies contain only error, without success',
  },
  jsonSchema: {
    variable: 'WHARF_JSON_SCHEMA',
    kind: flag,
    standard: 'false',
    zstack: 'true',
    help: 'add schema to answers if X-JSON-Schema requests it',
  },
  always202: {
    variable: 'WHARF_ALWAYS_202',
    kind: flag,
    standard: 'false',
    zstack: 'true',
    help: 'answer POST, PUT and DELETE with X-Job-UUID with 202',
  },
  compatibility: {
    variable: 'WHARF_COMPATIBILITY',
    kind: oneOf('none', 'zstack'),
    standard: 'none',
    help: 'zstack: defaults for client libraries of that platform',
  },
} as const satisfies Record<string, Row<unknown>>

type Table = typeof table
type Value<K extends keyof Table> = Table[K]['kind'] extends Kind<infer T> ? T : never
type Present = { [K in keyof Table]: Table[K] extends { standard: string } ? K : never }[keyof Table]
type Values = { [K in Present]: Value<K> } & { [K in Exclude<keyof Table, Present>]?: Value<K> }

export type Settings = Readonly<Omit<Values, 'tlsCert' | 'tlsKey' | 'oidcFile'>> & {
  readonly tls?: { readonly cert: string; readonly key: string }
  /** The contents of WHARF_OIDC_FILE. */
  readonly oidcProviders: readonly OidcProvider[]
}

type Environment = Readonly<Record<string, string | undefined>>

export function readSettings(environment: Environment, { root }: { root: string }): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([name, value]) => isOurs(name, value)))
  refuseUnknown(Object.keys(given))
  const isZstack = readValue(table.compatibility, given.WHARF_COMPATIBILITY, root) === 'zstack'
  const values = Object.fromEntries(
    Object.entries(table as Record<string, Row<unknown>>)
      .map(([name, row]) => {
        const text = given[row.variable] ?? (isZstack ? row.zstack : undefined)
        return [name, readValue(row, text, root)] as const
      })
      .filter(([, value]) => value !== undefined),
  ) as Values
  refuseContradictions(values)
  const { tlsCert, tlsKey, oidcFile, ...settings } = values
  const tls = tlsCert && tlsKey ? { tls: { cert: tlsCert, key: tlsKey } } : {}
  return Object.freeze({ ...settings, ...tls, oidcProviders: oidcFile === undefined ? [] : readProviders(oidcFile) })
}

function readProviders(file: string): readonly OidcProvider[] {
  try {
    return readProviderFile(file)
  } catch (error) {
    throw error instanceof OperatorError ? new SettingError(error.message, { cause: error }) : error
  }
}

/** Kubernetes sets the first ones in every pod next to a service named wharf; the others belong to the CLI. */
const othersNames = /^WHARF_(SERVICE_|PORT_|ACCESS_KEY_|URL$|PROFILE$)/

const isOurs = (name: string, value: string | undefined): boolean =>
  name.startsWith('WHARF_') && value !== undefined && !value.startsWith('tcp://') && !othersNames.test(name)

function readValue(row: Row<unknown>, given: string | undefined, root: string): unknown {
  const text = row.secret ? given : given?.trim()
  if (text === undefined && row.standard === undefined) return undefined
  const value = row.kind.parse(text ?? row.standard ?? '', root)
  if (value !== undefined) return value
  const shown = row.secret ? '[secret]' : quoted(text ?? '')
  throw new SettingError(`${row.variable} is ${text === '' ? 'empty' : shown}: it ${row.kind.rule}`)
}

/** On one line, not too long, and without the password that a URL may contain. */
function quoted(text: string): string {
  const safe = text.replace(/\/\/.*@/s, '//[secret]@').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{fffd}')
  return `"${safe.length > 100 ? `${safe.slice(0, 100)}…` : safe}"`
}

function refuseUnknown(given: readonly string[]): void {
  const known = Object.values(table).map((row) => row.variable as string)
  const unknown = given.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const nearest = known
    .map((name) => ({ name, edits: editDistance(unknown, name) }))
    .sort((a, b) => a.edits - b.edits)[0]
  const near =
    nearest && nearest.edits <= 4 ? `did you mean ${nearest.name}?` : 'wharf-server --help lists all settings'
  throw new SettingError(`${quoted(unknown).slice(1, -1)} is not a setting: ${near}`)
}

const isWithin = (path: string, root: string): boolean => !relative(root, path).startsWith('..')

function refuseContradictions(values: Values): void {
  const refuseIf = (contradiction: boolean, text: string): void => {
    if (contradiction) throw new SettingError(text)
  }
  const hasKey = values.masterKey !== undefined || values.masterKeyFile !== undefined
  refuseIf(
    values.masterKey !== undefined && values.masterKeyFile !== undefined,
    'WHARF_MASTER_KEY and WHARF_MASTER_KEY_FILE are both set: only one of them may be',
  )
  refuseIf(
    values.databaseUrl !== undefined && !hasKey,
    'WHARF_DATABASE_URL needs WHARF_MASTER_KEY or WHARF_MASTER_KEY_FILE: every node on one database must have the same key',
  )
  refuseIf(
    (values.tlsCert === undefined) !== (values.tlsKey === undefined),
    'WHARF_TLS_CERT and WHARF_TLS_KEY belong together: set both or neither',
  )
  refuseIf(
    values.fileRoots.some((root) => isWithin(values.data, root) || isWithin(root, values.data)),
    'WHARF_FILE_ROOTS must neither contain WHARF_DATA nor be inside it, because it contains the keys of this server',
  )
  refuseIf(
    values.localLogin === 'none' && values.oidcFile === undefined,
    'WHARF_LOCAL_LOGIN=none needs WHARF_OIDC_FILE: without an identity provider nobody could sign in',
  )
  refuseIf(
    values.httpPort !== undefined && values.tlsCert === undefined,
    'WHARF_HTTP_PORT needs WHARF_TLS_CERT and WHARF_TLS_KEY: without TLS, WHARF_PORT is the plain port already',
  )
  refuseIf(
    values.httpPort !== undefined && values.httpPort !== 0 && values.httpPort === values.port,
    'WHARF_HTTP_PORT and WHARF_PORT are equal: each needs its own port',
  )
}

/** One line per setting, in columns: variable, default, meaning. */
export function settingsHelp(): string {
  const rows: readonly Row<unknown>[] = Object.values(table)
  const lines = rows.map((row) => [row.variable, row.standard || '-', row.help] as const)
  const widest = (column: 0 | 1): number => Math.max(...lines.map((line) => line[column].length))
  const [variables, standards] = [widest(0), widest(1)]
  return [
    ...lines.map(
      ([variable, standard, help]) => `  ${variable.padEnd(variables)}  ${standard.padEnd(standards)}  ${help}`,
    ),
    '  Lists take commas between their items. Relative paths start at the folder of Wharf.',
    '  Outside a checkout, WHARF_DATA is $XDG_STATE_HOME/wharf (~/.local/state/wharf) unless it is set.',
  ].join('\n')
}

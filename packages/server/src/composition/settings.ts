import { relative } from 'node:path'
import { editDistance } from '@wharf/platform/edit-distance.ts'
import { OperatorError } from '@wharf/platform/operator-error.ts'
import { type OidcProvider, readProviderFile } from '../resources/identity/oidc/provider-file.ts'
import { type SettingRow, type SettingValues, settingTable } from './setting-table.ts'

/** Prevents the start. The message is one line for the operator and never contains a secret. */
export class SettingError extends OperatorError {
  override name = 'SettingError'
}

export type Settings = Readonly<Omit<SettingValues, 'tlsCert' | 'tlsKey' | 'oidcFile'>> & {
  readonly tls?: { readonly cert: string; readonly key: string }
  /** The contents of WHARF_OIDC_FILE. */
  readonly oidcProviders: readonly OidcProvider[]
}

type Environment = Readonly<Record<string, string | undefined>>

export function readSettings(environment: Environment, { root }: { root: string }): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([name, value]) => isOurs(name, value)))
  refuseUnknown(Object.keys(given))
  const isZstack = readValue(settingTable.compatibility, given.WHARF_COMPATIBILITY, root) === 'zstack'
  const values = Object.fromEntries(
    Object.entries(settingTable as Record<string, SettingRow<unknown>>)
      .map(([name, row]) => {
        const text = given[row.variable] ?? (isZstack ? row.zstack : undefined)
        return [name, readValue(row, text, root)] as const
      })
      .filter(([, value]) => value !== undefined),
  ) as SettingValues
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

function readValue(row: SettingRow<unknown>, given: string | undefined, root: string): unknown {
  const text = row.secret ? given : given?.trim()
  if (text === undefined && row.default === undefined) return undefined
  const value = row.kind.parse(text ?? row.default ?? '', root)
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
  const known = Object.values(settingTable).map((row) => row.variable as string)
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

function refuseContradictions(values: SettingValues): void {
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

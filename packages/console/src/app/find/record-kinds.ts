import {
  queryBackupStorage,
  queryChatAppEndpoint,
  queryClusterPlugin,
  queryHost,
  querySoftwarePackage,
  queryUser,
} from '@wharf/contract'
import type { CallableOperation } from '@wharf/sdk'
import { linkTo } from '../../browser/route.ts'
import { conditionsOf } from '../../components/filter-query.ts'
import type { FindEntry, FindKind } from './find-entry.ts'

type Found = Readonly<Record<string, unknown>>

interface RecordKind {
  readonly kind: FindKind
  readonly operation: CallableOperation
  /** The searched field, and the fields that an entry shows. */
  readonly field: string
  readonly detail: string
  readonly path: (record: Found) => readonly string[]
}

const within =
  (page: string) =>
  ({ uuid }: Found): string[] => [page, String(uuid)]

export const recordKinds: readonly RecordKind[] = [
  { kind: 'host', operation: queryHost, field: 'name', detail: 'address', path: within('hosts') },
  { kind: 'package', operation: querySoftwarePackage, field: 'name', detail: 'type', path: within('packages') },
  { kind: 'cluster', operation: queryClusterPlugin, field: 'name', detail: 'managementIp', path: within('clusters') },
  { kind: 'storage', operation: queryBackupStorage, field: 'name', detail: 'type', path: within('backup-storage') },
  { kind: 'endpoint', operation: queryChatAppEndpoint, field: 'name', detail: 'type', path: within('chat') },
  {
    kind: 'user',
    operation: queryUser,
    field: 'name',
    detail: 'role',
    path: ({ accountUuid }) => ['accounts', String(accountUuid)],
  },
]

/** Few of each kind; a longer name finds the others. */
const maxRecords = 5

/** A single letter matches almost every name; a Chinese character is a word. */
export const isSearchable = (text: string): boolean => text.trim().length > 1 || /[^\p{ASCII}]/u.test(text.trim())

const isUuid = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)
const isAddressPart = (text: string): boolean => /^[\d.:a-f]*[.:][\d.:a-f]*$/i.test(text)

/** The query of the server for a text: by uuid, by address for hosts, otherwise by name. */
export function recordQuery({ kind, field, detail }: RecordKind, text: string) {
  const value = text.trim()
  const searched = kind === 'host' && isAddressPart(value) ? detail : field
  const token = { propertyKey: searched, operator: ':', value }
  const q = isUuid(value) ? [`uuid=${value}`] : conditionsOf({ operation: 'and', tokens: [token] }, field)
  return { q, sort: '+name', limit: maxRecords }
}

export function recordEntry({ kind, field, detail, path }: RecordKind, record: Found): FindEntry {
  return {
    id: `${kind} ${record.uuid}`,
    kind,
    label: String(record[field] ?? record.uuid),
    detail: record[detail] ? String(record[detail]) : undefined,
    // a pasted uuid finds its record
    words: String(record.uuid),
    target: linkTo(path(record)),
  }
}

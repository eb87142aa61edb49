import {
  jobTitle,
  queryAccessKey,
  queryAccount,
  queryApiJob,
  queryBackupStorage,
  queryChatAppEndpoint,
  queryClusterPlugin,
  queryHost,
  queryMaintenanceWindow,
  queryRelease,
  queryRollout,
  querySoftwarePackage,
  queryThirdpartyAlert,
  queryThirdpartyPlatform,
  queryUser,
} from '@wharf/contract'
import type { CallableOperation } from '@wharf/sdk'
import { linkTo } from '../../browser/route.ts'
import { conditionsOf } from '../../components/filter-query.ts'
import type { FindEntry, FindKind } from './find-entry.ts'

type Found = Readonly<Record<string, unknown>>
type JobTitles = Parameters<typeof jobTitle>[1]

interface RecordKind {
  readonly kind: FindKind
  readonly operation: CallableOperation
  /** The searched field, and the fields that an entry shows. */
  readonly field: string
  readonly detail: string
  readonly sort: string
  readonly path: (record: Found) => readonly string[]
  /** Of a record that has no page: the filter of its list. */
  readonly filter?: (record: Found) => string
  readonly label?: (record: Found, titles: JobTitles) => string
}

const byName = { field: 'name', sort: '+name' }

const within =
  (page: string) =>
  ({ uuid }: Found): string[] => [page, String(uuid)]

export const recordKinds: readonly RecordKind[] = [
  { kind: 'host', operation: queryHost, ...byName, detail: 'address', path: within('hosts') },
  { kind: 'package', operation: querySoftwarePackage, ...byName, detail: 'type', path: within('packages') },
  {
    kind: 'release',
    operation: queryRelease,
    field: 'name',
    sort: '-createDate',
    detail: 'type',
    path: within('releases'),
    label: ({ name, version }) => `${name} ${version}`,
  },
  {
    kind: 'rollout',
    operation: queryRollout,
    field: 'name',
    sort: '-createDate',
    detail: 'state',
    path: within('rollouts'),
  },
  {
    kind: 'window',
    operation: queryMaintenanceWindow,
    ...byName,
    detail: 'cron',
    path: () => ['rollouts', 'windows'],
    filter: ({ uuid }) => `uuid=${uuid}`,
  },
  { kind: 'cluster', operation: queryClusterPlugin, ...byName, detail: 'managementIp', path: within('clusters') },
  { kind: 'storage', operation: queryBackupStorage, ...byName, detail: 'type', path: within('backup-storage') },
  {
    kind: 'alert',
    operation: queryThirdpartyAlert,
    field: 'name',
    sort: '-createDate',
    detail: 'severity',
    path: within('alerts'),
  },
  {
    kind: 'platform',
    operation: queryThirdpartyPlatform,
    ...byName,
    detail: 'type',
    path: ({ uuid }) => ['alerts', 'platforms', String(uuid)],
  },
  { kind: 'endpoint', operation: queryChatAppEndpoint, ...byName, detail: 'type', path: within('chat') },
  { kind: 'account', operation: queryAccount, ...byName, detail: 'description', path: within('accounts') },
  {
    kind: 'user',
    operation: queryUser,
    ...byName,
    detail: 'role',
    path: ({ accountUuid }) => ['accounts', String(accountUuid)],
  },
  {
    kind: 'key',
    operation: queryAccessKey,
    field: 'AccessKeyID',
    sort: '+AccessKeyID',
    detail: 'description',
    path: () => ['access-keys'],
    filter: ({ AccessKeyID }) => `AccessKeyID=${AccessKeyID}`,
  },
  {
    kind: 'job',
    operation: queryApiJob,
    field: 'summary',
    detail: 'userName',
    sort: '-createDate',
    path: within('jobs'),
    label: (job, titles) => jobTitle(job, titles),
  },
]

/** Few of each kind; a longer name finds the others. */
const maxRecords = 5

/** Each word is a condition. */
const maxWords = 5

/** A single letter matches almost every name; a Chinese character is a word. */
export const isSearchable = (text: string): boolean => text.trim().length > 1 || /[^\p{ASCII}]/u.test(text.trim())

const isUuid = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)
const isAddressPart = (text: string): boolean => /^[\d.:a-f]*[.:][\d.:a-f]*$/i.test(text)

/** The query of the server for a text: by uuid, by address for hosts, otherwise by the words of the name. */
export function recordQuery({ kind, field, detail, sort }: RecordKind, text: string) {
  const value = text.trim()
  const searched = kind === 'host' && isAddressPart(value) ? detail : field
  const words = value.split(/\s+/).slice(0, maxWords)
  const tokens = words.map((word) => ({ propertyKey: searched, operator: ':', value: word }))
  const q = isUuid(value) ? [`uuid=${value}`] : conditionsOf({ operation: 'and', tokens }, field)
  return { q, sort, limit: maxRecords }
}

export function recordEntry(
  { kind, field, detail, path, filter, label }: RecordKind,
  record: Found,
  titles?: JobTitles,
): FindEntry {
  return {
    id: `${kind} ${record.uuid}`,
    kind,
    label: label?.(record, titles) ?? String(record[field] ?? record.uuid),
    detail: record[detail] ? String(record[detail]) : undefined,
    // a pasted uuid finds its record, and a job is found by more than its title
    words: `${record.uuid} ${record[field] ?? ''}`,
    target: linkTo(path(record), { q: filter?.(record) }),
  }
}

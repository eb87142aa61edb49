import type { Wharf } from '@wharf/sdk'
import { kindOf, type NamedKind } from './record-kinds.ts'
import { recordsOf } from './resolve-record.ts'

type Row = Readonly<Record<string, unknown>>

/** Fields that refer to other records, without `Uuid` or `Uuids`. */
const references: Readonly<Record<string, NamedKind>> = {
  account: 'accounts',
  alert: 'alerts',
  alertPlatform: 'alertPlatforms',
  backupStorage: 'backupStorage',
  cluster: 'clusterPlugins',
  endpoint: 'chatEndpoints',
  host: 'hosts',
  managementNode: 'managementNodes',
  platform: 'alertPlatforms',
  release: 'releases',
  softwarePackage: 'softwarePackages',
  tag: 'tags',
  thirdPartyPlatform: 'alertPlatforms',
  user: 'users',
  window: 'maintenanceWindows',
}

/** As many as fit a condition of a query. */
const uuidsPerQuery = 60

/** `hostUuid` → `host`, if it refers to a record with a name. */
export function referenceIn(field: string): string | undefined {
  const [, name = ''] = /^(\w+)Uuids?$/.exec(field) ?? []
  return Object.hasOwn(references, name) ? name : undefined
}

/** Adds `host` with the name to rows with `hostUuid`, for the wanted references. */
export async function withReferenceNames(
  wharf: Wharf,
  rows: readonly Row[],
  wanted: (reference: string) => boolean,
): Promise<readonly Row[]> {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))]
    .map((field) => ({ field, reference: referenceIn(field) ?? '' }))
    .filter(({ reference }) => reference !== '' && wanted(reference))
    // the row may have the name already
    .filter(({ reference }) => !rows.every((row) => Object.hasOwn(row, reference)))
  if (fields.length === 0) return rows
  const named = await Promise.all(
    fields.map(async ({ field, reference }) => {
      const uuids = rows.flatMap((row) => row[field] ?? []).map(String)
      return { field, reference, names: await namesOf(wharf, references[reference] as NamedKind, uuids) }
    }),
  )
  return rows.map((row) => {
    const added = named.map(({ field, reference, names }) => [reference, nameOf(row[field], names)])
    return { ...row, ...Object.fromEntries(added) }
  })
}

/** The record with names in place of the uuids of other records. */
export async function withNames(wharf: Wharf, record: Row): Promise<Row> {
  const [named = record] = await withReferenceNames(wharf, [record], () => true)
  const fields = Object.keys(record).map((field) => referenceIn(field) ?? field)
  return Object.fromEntries(fields.map((field) => [field, named[field]]))
}

/** A record that was deleted, or that the caller may not read, keeps its uuid. */
const nameOf = (value: unknown, names: ReadonlyMap<string, string>): unknown =>
  Array.isArray(value)
    ? value.map((uuid) => names.get(String(uuid)) ?? uuid)
    : (names.get(String(value)) ?? value ?? null)

/** By uuid, without records that were deleted or that the caller may not read. */
export async function namesOf(
  wharf: Wharf,
  kind: NamedKind,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { field } = kindOf(kind)
  const different = [...new Set(uuids)]
  const names = new Map<string, string>()
  for (let from = 0; from < different.length; from += uuidsPerQuery) {
    const q = [`uuid?=${different.slice(from, from + uuidsPerQuery).join(',')}`]
    const found = await recordsOf(wharf, kind, { q, fields: ['uuid', field] }).catch(() => [])
    for (const record of found) names.set(record.uuid, String(record[field]))
  }
  return names
}

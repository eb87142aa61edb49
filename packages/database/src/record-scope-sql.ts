import { type HostlessRecord, inventories, type RecordScope, type ScopeCondition } from '@wharf/contract'
import { attachedConditionSql, labelIn } from './attached-conditions.ts'
import type { Bindings } from './bindings.ts'
import { quoteName } from './query-fields.ts'
import type { CallerScope } from './scope-conditions.ts'

interface StoredRecord {
  readonly table: string
  readonly scope: RecordScope
  /** The event type of its changes, which tags and deliveries name it by. */
  readonly type: string | undefined
  readonly hasUuid: boolean
}

/** Every stored record of the contract. */
const storedRecords: readonly StoredRecord[] = inventories.flatMap(({ table, scope, events, schema, computed = [] }) =>
  table === undefined
    ? []
    : [{ table, scope, type: events[0], hasUuid: 'uuid' in schema.properties && !computed.includes('uuid') }],
)

/** Those that a scope hides and that have a uuid. */
export const scopedRecords = storedRecords.filter(({ scope, hasUuid }) => scope !== 'byRole' && hasUuid)

/** The tables of the records that events of this type are about. */
export const recordsOfType = (type: string): readonly StoredRecord[] =>
  storedRecords.filter((record) => record.type === type && record.hasUuid)

const scopeOfTable = new Map(storedRecords.map(({ table, scope }) => [table, scope]))

/** The condition that a record of this table is within the scope. */
export function insideSql(table: string, scope: CallerScope, to: Bindings): string {
  const rule = scopeOfTable.get(table)
  if (rule === undefined) throw new Error(`the contract declares no record in ${table}`)
  return scopeSql(rule, quoteName(table), scope, to)
}

/** The condition that a row is within the scope. `row` is the name of its table in the statement. */
export function scopeSql(rule: RecordScope, row: string, scope: CallerScope, to: Bindings): string {
  if (rule === 'byRole') return '1 = 1'
  if (rule === 'nobody') return '1 = 0'
  if (rule === 'cluster') return allInside(clusterHosts(`${row}."uuid"`), row, 'nobody', scope, to)
  if (rule === 'job') return jobSql(row, scope, to)
  if ('hostsIn' in rule) return allInside(hostsIn(rule, `${row}."uuid"`), row, rule.otherwise ?? 'nobody', scope, to)
  if ('host' in rule) return hostRuleSql(rule, row, scope, to)
  if ('like' in rule) return insideAs(rule.of, 'uuid', `${row}.${quoteName(rule.like)}`, scope, to)
  if ('likeIn' in rule) return insideAs(rule.likeIn, rule.by, `${row}."uuid"`, scope, to)
  const { otherwise = 'nobody' } = rule
  const uuid = `${row}.${quoteName(rule.likeAny)}`
  const named = anyRecordSql(uuid, `${row}.${quoteName(rule.type)}`, scope, to)
  const also = rule.or === undefined ? [] : [scopeSql(rule.or, row, scope, to)]
  const unnamed = otherwise === 'nobody' ? [] : [`${uuid} is null${hostless(otherwise, row, scope, to)}`]
  return `(${[named, ...also, ...unnamed].join(' or ')})`
}

/** The host with this uuid meets all conditions. */
export const labelConditions = (uuid: string, conditions: readonly ScopeCondition[], to: Bindings): string =>
  conditions
    .map(({ label, operator, value }) =>
      attachedConditionSql(labelIn('hostLabels', label), uuid, { field: `labels.${label}`, operator, value }, to),
    )
    .join(' and ')

/** There is such a host, and it meets all conditions. */
const hostInside = (uuid: string, { conditions }: CallerScope, to: Bindings): string =>
  `exists (select 1 from "hosts" as "scoped" where "scoped"."uuid" = ${uuid} and ${labelConditions('"scoped"."uuid"', conditions, to)})`

function hostRuleSql(
  { host, otherwise = 'nobody' }: { host: string; otherwise?: HostlessRecord },
  row: string,
  scope: CallerScope,
  to: Bindings,
): string {
  // the row is the host
  if (host === 'uuid') return `(${labelConditions(`${row}."uuid"`, scope.conditions, to)})`
  const column = `${row}.${quoteName(host)}`
  const inside = hostInside(column, scope, to)
  return otherwise === 'nobody' ? inside : `(${inside} or ${column} is null${hostless(otherwise, row, scope, to)})`
}

const hostless = (otherwise: HostlessRecord, row: string, { userUuid }: CallerScope, to: Bindings): string =>
  otherwise === 'byRole' ? '' : ` and ${row}."userUuid" = ${to.bind(userUuid)}`

const insideAs = (table: string, column: string, value: string, scope: CallerScope, to: Bindings): string => {
  const other = quoteName(table)
  return `exists (select 1 from ${other} where ${other}.${quoteName(column)} = ${value} and ${insideSql(table, scope, to)})`
}

const hostsIn = ({ hostsIn: table, by }: { hostsIn: string; by: string }, uuid: string): string =>
  `select ${quoteName(table)}."hostUuid" from ${quoteName(table)} where ${quoteName(table)}.${quoteName(by)} = ${uuid}`

/** A host is found by the address that it was added with. */
const clusterHosts = (uuid: string): string =>
  [
    `select "package"."hostUuid" from "clusterPlugins" as "cluster" join "softwarePackages" as "package" on "package"."uuid" = "cluster"."softwarePackageUuid" where "cluster"."uuid" = ${uuid} and "package"."hostUuid" is not null`,
    `select "host"."uuid" from "clusterPlugins" as "cluster" join "hosts" as "host" on lower("host"."address") = lower("cluster"."managementIp") where "cluster"."uuid" = ${uuid}`,
    `select "host"."uuid" from "clusterNodes" as "node" join "hosts" as "host" on lower("host"."address") = "node"."address" where "node"."clusterUuid" = ${uuid}`,
  ].join(' union all ')

/** There are hosts, and all of them are within the scope. A host that was removed from Wharf is not. */
function allInside(hosts: string, row: string, otherwise: HostlessRecord, scope: CallerScope, to: Bindings): string {
  const any = `exists (select 1 from (${hosts}) as "member")`
  const outside = `select 1 from (${hosts}) as "member" where not ${hostInside('"member"."hostUuid"', scope, to)}${to.subqueryGuard()}`
  if (otherwise === 'nobody') return `(${any} and not exists (${outside}))`
  return `(not exists (${outside}) and (${any} or 1 = 1${hostless(otherwise, row, scope, to)}))`
}

/** Records of the type `type` with this uuid; types that belong to no host are visible by the role. */
function anyRecordSql(uuid: string, type: string, scope: CallerScope, to: Bindings): string {
  const byType = Map.groupBy(
    storedRecords.filter((record) => record.type !== undefined),
    (record) => record.type ?? '',
  )
  const byRole = [...byType].filter(([, records]) => records.some((record) => record.scope === 'byRole'))
  const scoped = [...byType].filter(([, records]) => records.every((record) => record.scope !== 'byRole'))
  return `(${[
    `${type} in (${byRole.map(([name]) => `'${name}'`).join(', ')})`,
    ...scoped.flatMap(([name, records]) =>
      records
        // a tag or a delivery does not name another one
        .filter(({ scope: rule, hasUuid }) => hasUuid && !(typeof rule === 'object' && 'likeAny' in rule))
        .map(({ table }) => `(${type} = '${name}' and ${insideAs(table, 'uuid', uuid, scope, to)})`),
    ),
  ].join(' or ')})`
}

/** The jobs of a cluster are those of all its hosts, whichever of them they work on. */
function jobSql(row: string, scope: CallerScope, to: Bindings): string {
  const cluster = `select 1 from "clusterPlugins" where "clusterPlugins"."uuid" = ${row}."subjectUuid"`
  const ofCluster = insideSql('clusterPlugins', scope, to)
  const onHost = hostRuleSql({ host: 'hostUuid', otherwise: 'user' }, row, scope, to)
  return `case when exists (${cluster}) then exists (${cluster} and ${ofCluster}) else ${onHost} end`
}

/** Selects the uuids of the hosts that the record with this uuid belongs to; undefined when it never belongs to one. */
function hostsOf(record: StoredRecord, uuid: string): string | undefined {
  const { table, scope: rule } = record
  const of = quoteName(table)
  const column = (name: string): string => `(select ${of}.${quoteName(name)} from ${of} where ${of}."uuid" = ${uuid})`
  if (rule === 'cluster') return clusterHosts(uuid)
  if (typeof rule === 'string') return undefined
  if ('hostsIn' in rule) return hostsIn(rule, uuid)
  if ('host' in rule) return `select ${column(rule.host)} as "hostUuid"`
  if ('likeIn' in rule) {
    const link = storedRecords.find((record) => record.table === rule.likeIn)?.scope
    if (typeof link !== 'object' || !('like' in link)) throw new Error(`${rule.likeIn} does not link ${table}`)
    const linked = `(select ${quoteName(link.like)} from ${quoteName(rule.likeIn)} where ${quoteName(rule.by)} = ${uuid})`
    return hostsOfTable(link.of, linked)
  }
  if ('like' in rule) return hostsOfTable(rule.of, column(rule.like))
  const named = scopedRecords.filter(({ scope }) => typeof scope === 'string' || !('likeAny' in scope))
  const others = rule.or === undefined ? undefined : hostsOf({ ...record, scope: rule.or }, uuid)
  return [...named.map((one) => hostsOf(one, column(rule.likeAny))), others]
    .filter((hosts) => hosts !== undefined)
    .join(' union all ')
}

function hostsOfTable(table: string, uuid: string): string | undefined {
  const record = storedRecords.find((one) => one.table === table)
  return record && hostsOf(record, uuid)
}

/** Selects the different labels of the hosts of a record; undefined when it never belongs to a host. */
export function hostLabelsSql(record: StoredRecord, uuid: string): string | undefined {
  const hosts = hostsOf(record, uuid)
  return hosts && `select distinct "labels" from "hosts" where "uuid" in (${hosts})`
}

/** Whether a record of this kind that belongs to no host is visible by the role. */
export const isHostlessByRole = ({ scope }: StoredRecord): boolean =>
  typeof scope === 'object' && ('likeAny' in scope || ('otherwise' in scope && scope.otherwise === 'byRole'))

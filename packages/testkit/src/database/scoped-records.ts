import { type Inventory, inventories, uuidPattern } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { tablesInOrder } from '@wharf/database/table-order.ts'
import { newUuid } from '@wharf/platform/ids.ts'

type Row = Record<string, unknown>
type Schema = Record<string, unknown>

/** The table of the record that a column with this name refers to. */
const referred: Readonly<Record<string, string>> = {
  hostUuid: 'hosts',
  softwarePackageUuid: 'softwarePackages',
  packageUuid: 'softwarePackages',
  clusterUuid: 'clusterPlugins',
  platformUuid: 'thirdPartyPlatforms',
  thirdPartyPlatformUuid: 'thirdPartyPlatforms',
  alertUuid: 'thirdPartyAlerts',
  endpointUuid: 'chatEndpoints',
  rolloutUuid: 'rollouts',
}

const randomNumber = (): number => Math.ceil(Math.random() * 2 ** 50)

/** Columns that a row cannot have by chance. */
const chosen = (name: string, hostUuid: string, labels: object): Readonly<Record<string, Row>> => ({
  hosts: {
    uuid: hostUuid,
    name,
    driver: 'ssh',
    address: `${name}.example`,
    username: 'root',
    sshPort: 22,
    labels: JSON.stringify(labels),
  },
  softwarePackages: { type: 'demo', installPath: `/opt/${name}`, status: 'Uploaded' },
  clusterPlugins: { managementIp: `${name}.example`, apiPort: Math.ceil(Math.random() * 60_000) },
  // no node has the disk that it needs
  jobs: {
    operation: 'VerifySoftwarePackage',
    state: 'Waiting',
    managementNodeUuid: newUuid(),
    deadline: Date.now() + 1e8,
  },
  rollouts: { state: 'Succeeded' },
  deliveries: { status: 'Failed' },
  gatewayVms: { status: 'Ready' },
  auditEntries: { resourceUuid: hostUuid, resourceType: 'Host', id: randomNumber() },
  auditDigests: { firstSeq: randomNumber(), lastSeq: randomNumber() },
  systemTags: { resourceUuid: hostUuid, resourceType: 'Host' },
  userTags: { resourceUuid: hostUuid, resourceType: 'Host' },
})

/** Records of other types that these refer to. */
const needed = ['chatEndpoints']

/**
 * A host with these labels, and one record of every type that belongs to hosts; each has `name` in its texts. Returns their
 * uuids by table. The rows derive from the contract, so that a new type of record has one too.
 */
export async function insertScopedRecords(
  database: Database,
  { name, labels }: { name: string; labels: Readonly<Record<string, string>> },
): Promise<Record<string, string>> {
  const tables = await tablesInOrder(database.engine, async function* (statement) {
    yield* (await database.rows(statement, [])).objects()
  })
  const stored = inventories.filter(
    ({ table, scope }) => table !== undefined && (scope !== 'byRole' || needed.includes(table)),
  )
  const hostUuid = newUuid()
  const uuids: Record<string, string> = { hosts: hostUuid }
  await database.transaction(async (tx) => {
    for (const { name: table } of tables)
      for (const record of stored.filter((one) => one.table === table)) {
        const place = {
          name: record.scope === 'byRole' ? 'shared' : name,
          hostUuid,
          labels,
          uuids,
        }
        const uuid = await insert(tx, record, place)
        if (uuid !== undefined) uuids[table] = uuid
      }
  })
  return uuids
}

interface Place {
  readonly name: string
  readonly hostUuid: string
  readonly labels: Readonly<Record<string, string>>
  readonly uuids: Readonly<Record<string, string>>
}

async function insert(
  tx: Tx,
  record: Inventory,
  { name, hostUuid, labels, uuids }: Place,
): Promise<string | undefined> {
  const { table = '', schema, computed = [], private: hidden = {} } = record
  const fields = Object.entries(schema.properties).filter(([field]) => !computed.includes(field))
  const columns = [...fields, ...Object.entries(hidden)].map(([column, type]) => [
    column,
    uuids[referred[column] ?? ''] ?? sample(type as unknown as Schema, name),
  ])
  const row: Row = { ...Object.fromEntries(columns), ...chosen(name, hostUuid, labels)[table] }
  await tx
    .insertInto(table as 'hosts')
    .values(row as never)
    .execute()
  if (table === 'hosts')
    for (const [label, labelValue] of Object.entries(labels))
      await tx
        .insertInto('hostLabels')
        .values({ hostUuid, label, labelValue, hostCreateDate: Number(row.createDate) })
        .execute()
  return row.uuid as string | undefined
}

function sample(schema: Schema, text: string): unknown {
  const types = [schema.type].flat()
  if (types.includes('null') || schema.anyOf !== undefined) return null
  if (schema['x-timestamp'] === true) return Date.now()
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (schema.pattern === uuidPattern) return newUuid()
  if (schema.format === 'byte') return Buffer.alloc(1)
  const byType: Record<string, unknown> = { integer: schema.minimum ?? 0, boolean: 0, array: '[]', object: '{}' }
  return byType[String(types[0])] ?? text
}

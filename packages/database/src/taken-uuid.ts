import { ApiError } from '@wharf/platform/api-error.ts'
import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** Every kind of record that has tags, that jobs work on, or that somebody may know by its uuid alone. */
const records = {
  accounts: 'account',
  users: 'user',
  accessKeys: 'access key',
  managementNodes: 'management node',
  hosts: 'host',
  backupStorage: 'backup storage',
  softwarePackages: 'software package',
  migrateImages: 'image',
  gatewayVms: 'gateway VM',
  clusterPlugins: 'cluster plugin',
  thirdPartyPlatforms: 'alert platform',
  chatEndpoints: 'chat endpoint',
  atPersons: 'person',
  tags: 'tag',
} as const

export type RecordTable = keyof typeof records

/**
 * A uuid that a caller has chosen must not be that of another record: tags and jobs know a record by its uuid alone, so
 * whoever deletes the one would delete what belongs to the other. `own` has duplicates refused by its own rules.
 */
export async function refuseTakenUuid(tx: Tx, uuid: string, own: readonly RecordTable[] = []): Promise<void> {
  const tables = (Object.keys(records) as RecordTable[]).filter((table) => !own.includes(table))
  const [first, ...others] = tables.map((table) =>
    tx.selectFrom(table).select(sql.lit<string>(records[table]).as('what')).where('uuid', '=', uuid),
  )
  const found = await others.reduce((all, one) => all?.unionAll(one), first)?.executeTakeFirst()
  if (found !== undefined) throw new ApiError('SYS.1002', `${found.what} ${uuid} has this uuid already`)
}

import type { Tx } from '../database/database.ts'
import { ApiError } from '../platform/api-error.ts'

/** Everything else that has tags, or that jobs work on: both know a record by its uuid alone. */
const others = {
  hosts: 'host',
  backupStorage: 'backup storage',
  softwarePackages: 'software package',
  migrateImages: 'image',
  clusterPlugins: 'cluster plugin',
  thirdPartyPlatforms: 'alert platform',
  chatEndpoints: 'chat endpoint',
  atPersons: 'person',
  tags: 'tag',
} as const

/** A uuid that a caller has chosen for a VM must not be another record's, or the one would go with what is the other's. */
export async function refuseTaken(tx: Tx, uuid: string): Promise<void> {
  for (const table of Object.keys(others) as (keyof typeof others)[]) {
    const found = await tx.selectFrom(table).select('uuid').where('uuid', '=', uuid).executeTakeFirst()
    if (found !== undefined) throw new ApiError('SYS.1002', `${others[table]} ${uuid} has this uuid already`)
  }
}

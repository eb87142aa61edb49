import type { Operation } from '@wharf/contract'
import { type RecordTable, refuseTakenUuid } from '@wharf/database/taken-uuid.ts'
import type { Call } from '../calls/call-context.ts'

/** Where an operation creates its record: a duplicate there is refused by the service, in its own words. */
const ownTables: Readonly<Record<string, readonly RecordTable[]>> = {
  // an account and its built-in user share a uuid
  CreateAccount: ['accounts', 'users'],
  CreateUser: ['accounts', 'users'],
  CreateAccessKey: ['accessKeys'],
  AddHost: ['hosts'],
  AddBackupStorage: ['backupStorage'],
  UploadSoftwarePackage: ['softwarePackages'],
  UploadSoftwarePackageToBackupStorage: ['softwarePackages'],
  CreateMigrateVmInstance: ['gatewayVms'],
  AddClusterPlugin: ['clusterPlugins'],
  CreateClusterPluginAlertPlatform: ['thirdPartyPlatforms'],
  CreateThirdpartyPlatform: ['thirdPartyPlatforms'],
  CreateChatAppEndpoint: ['chatEndpoints'],
  AddSNSChatAppAtPerson: ['atPersons'],
  CreateTag: ['tags'],
}

/** The transaction of a call whose caller has chosen the uuid of the new record begins with a look at whose it is. */
export function refusingTakenUuid(
  { name }: Operation,
  fields: Readonly<Record<string, unknown>>,
  commit: Call['commit'],
): Call['commit'] {
  const { resourceUuid } = fields
  if (typeof resourceUuid !== 'string') return commit
  return (work) =>
    commit(async (tx) => {
      await refuseTakenUuid(tx, resourceUuid, ownTables[name])
      return work(tx)
    })
}

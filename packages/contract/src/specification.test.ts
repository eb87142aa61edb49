import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requiredNames } from './openapi-schemas.ts'
import { inventories, operations } from './operations.ts'

/** The interface as other clients of it know it, written down a second time: these names cannot change. */
interface Row {
  name: string
  send: string
  since: string
  structure?: string
  required?: string
  optional?: string
  answer: string
  timeoutSeconds?: number
}

const hour = 3600
const half = hour / 2
const page = 'q limit start sort count replyWithCount fields'

const rows: Row[] = [
  {
    name: 'QuerySoftwarePackage',
    send: 'GET /v1/software-package',
    since: '4.10.20',
    optional: page,
    answer: 'inventories total',
  },
  {
    name: 'GetSoftwarePackage',
    send: 'GET /v1/software-package/{uuid}',
    since: '4.10.20',
    optional: 'fields',
    answer: 'inventories',
  },
  {
    name: 'GetCandidateMiniHosts',
    send: 'GET /v1/mini-clusters/candidate-hosts',
    since: '3.6.0',
    optional: 'local configure',
    answer: 'hosts',
  },
  {
    name: 'UpdateClusterConfig',
    send: 'PUT /v1/cluster-plugin/config/cluster',
    since: '4.10.6',
    structure: 'updateClusterConfig',
    required: 'uuid managementNetworkCidr publicNetworkCidr clusterNetworkCidr otherManagementIp softwarePackageUuid',
    optional: 'managementIp gatewayNetworkCidr otherStorageIp username password',
    answer: 'clusterInitSuccess tokenCreated initSuccess',
    timeoutSeconds: half,
  },
  {
    name: 'AddClusterPlugin',
    send: 'POST /v1/cluster-plugin',
    since: '4.10.6',
    structure: 'params',
    required: 'name',
    optional: 'adminToken managementIp apiPort resourceUuid tagUuids',
    answer: 'inventory',
    timeoutSeconds: half,
  },
  {
    name: 'UploadSoftwarePackage',
    send: 'POST /v1/software-packages/upload',
    since: '4.10.20',
    structure: 'params',
    required: 'name type managementNodeUuid hostUuid url installPath',
    optional: 'resourceUuid tagUuids',
    answer: 'inventory systemTags',
    timeoutSeconds: 72 * hour,
  },
  {
    name: 'CreateClusterPluginAlertPlatform',
    send: 'POST /v1/cluster-plugin/{uuid}/alert-platform',
    since: '4.10.6',
    structure: 'params',
    optional: 'resourceUuid tagUuids',
    answer: 'thirdPartyPlatform inventory',
    timeoutSeconds: half,
  },
  {
    name: 'RemoveClusterPlugin',
    send: 'DELETE /v1/cluster-plugin/{uuid}',
    since: '4.10.6',
    optional: 'deleteMode',
    answer: 'empty',
    timeoutSeconds: half,
  },
  {
    name: 'UploadSoftwarePackageToBackupStorage',
    send: 'POST /v1/software-packages/backup-storage/upload',
    since: '5.0.0',
    structure: 'params',
    required: 'name type url installPath',
    optional: 'backupStorageUuid resourceUuid tagUuids',
    answer: 'inventory systemTags',
    timeoutSeconds: 12 * hour,
  },
  {
    name: 'GetDirectoryUsage',
    send: 'GET /v1/software-package/directory/usage',
    since: '4.10.20',
    required: 'managementNodeUuid directoryPath',
    answer: 'totalCapacity availableCapacity',
  },
  {
    name: 'InstallSoftwarePackage',
    send: 'PUT /v1/software-package/install/{uuid}/actions',
    since: '4.10.20',
    structure: 'installSoftwarePackage',
    optional: 'config',
    answer: 'empty',
    timeoutSeconds: 2 * hour,
  },
  {
    name: 'AddSNSChatAppAtPerson',
    send: 'POST /v1/sns/application-endpoints/chatapp/at-persons',
    since: '4.2.0',
    structure: 'params',
    required: 'userId endpointUuid',
    optional: 'resourceUuid tagUuid tagUuids remark',
    answer: 'inventory',
  },
  {
    name: 'GetElaborations',
    send: 'GET /v1/errorcode/elaborations',
    since: '3.3.0',
    optional: 'category regex code',
    answer: 'contents',
  },
  { name: 'GetMigrateImages', send: 'GET /v1/migrate/images', since: '5.0.0', answer: 'images' },
  {
    name: 'GetMigrateVmInstances',
    send: 'GET /v1/migrate/vm-instances',
    since: '5.0.0',
    answer: 'managementVmInstanceUuid gatewayVmInstances',
  },
]

const words = (text = ''): string[] => text.split(' ').filter(Boolean).toSorted()

for (const row of rows) {
  test(`${row.name} is ${row.send} with the fields that clients know`, () => {
    const operation = operations.find(({ name }) => name === row.name)
    assert.ok(operation)
    const { method, path, since, structure, fields, answer, mode, timeoutSeconds } = operation
    const required = requiredNames(fields)
    const optional = Object.keys(fields).filter((name) => !required.includes(name))
    assert.equal(`${method} ${path}`, row.send)
    assert.equal(since, row.since)
    assert.equal(structure, row.structure)
    assert.deepEqual(required.toSorted(), words(row.required))
    assert.deepEqual(optional.toSorted(), words(row.optional))
    assert.deepEqual(answer === 'empty' ? ['empty'] : Object.keys(answer).toSorted(), words(row.answer))
    assert.equal(timeoutSeconds, row.timeoutSeconds)
    assert.equal(mode, row.timeoutSeconds === undefined ? 'call' : 'job')
  })
}

const records: Record<string, string> = {
  SoftwarePackageInventory:
    'uuid name hostUuid managementNodeUuid installPath unzipInstallPath type md5sum status size backupStorageUuid version releaseUuid health healthError lastVerifiedDate createDate lastOpDate',
  ClusterPluginInventory: 'uuid name managementIp apiPort createDate lastOpDate',
  ThirdPartyPlatformInventory: 'uuid name type url template state description lastSyncDate lastOpDate createDate',
  ClusterPluginThirdPartyPlatformAlertRefInventory: 'clusterUuid thirdPartyPlatformUuid createDate',
  SNSChatAppAtPersonInventory: 'uuid userId endpointUuid createDate lastOpDate remark',
  CandidateHost: 'hostName ipv4Address ipv6Address ipv4Interface ipv6Interface manufacturer product sn',
  ElaborationContent: 'category code regex message_cn message_en source method distance',
  MigrateImage:
    'uuid name description state status size actualSize md5Sum url mediaType guestOsType type platform format system createDate lastOpDate backupStorageRefs',
  MigrateImageBackupStorageRef:
    'imageUuid backupStorageUuid installPath exportUrl exportMd5Sum status createDate lastOpDate',
  GatewayVmInstance: 'uuid name description state hostUuid imageUuid createDate',
}

for (const [name, fields] of Object.entries(records)) {
  test(`${name} has the fields that clients know, all of them always`, () => {
    const schema = inventories.find((inventory) => inventory.name === name)?.schema
    assert.ok(schema)
    assert.deepEqual(Object.keys(schema.properties).toSorted(), words(fields))
    assert.deepEqual(requiredNames(schema.properties).toSorted(), words(fields))
  })
}

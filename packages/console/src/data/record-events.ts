import { type Operation, operations } from '@wharf/contract'

type Contract = typeof import('@wharf/contract')

/** The names of the records that the contract declares. */
export type RecordName = {
  [K in keyof Contract]: Contract[K] extends { readonly schema: object; readonly since: string } ? K : never
}[keyof Contract]

/** The types of the events that report a change of each record; empty for a record that no event reports. */
export const recordEvents = {
  AccessKeyInventory: ['AccessKey'],
  AccountInventory: ['Account'],
  ApiJobInventory: ['ApiJob'],
  BackupStorageInventory: ['BackupStorage'],
  CallerIdentityInventory: ['Account', 'User'],
  CandidateHost: ['Host'],
  ChatAppEndpointInventory: ['ChatAppEndpoint'],
  ClusterPluginInventory: ['ClusterPlugin'],
  ClusterPluginThirdPartyPlatformAlertRefInventory: ['ClusterPlugin', 'ThirdPartyPlatform'],
  DeliveryInventory: ['Delivery'],
  ElaborationCategory: [],
  ElaborationContent: [],
  ElaborationProblem: [],
  GatewayVmInstance: ['GatewayVmInstance', 'SoftwarePackage'],
  HostInventory: ['Host'],
  ManagementNodeInventory: ['ManagementNode'],
  MigrateImage: ['MigrateImage', 'SoftwarePackage'],
  MigrateImageBackupStorageRef: ['MigrateImage', 'SoftwarePackage'],
  OfferedHostKey: [],
  SessionInventory: [],
  SNSChatAppAtPersonInventory: ['ChatAppAtPerson'],
  SoftwarePackageInventory: ['SoftwarePackage'],
  SystemTagInventory: ['Tag'],
  TagInventory: ['Tag'],
  ThirdPartyPlatformInventory: ['ThirdPartyPlatform'],
  ThirdpartyAlertInventory: ['ThirdPartyAlert'],
  UserInventory: ['User'],
  UserTagInventory: ['Tag'],
} as const satisfies Record<RecordName, readonly string[]>

/** The resources whose queries an event of each type makes stale: those with an operation that returns a changed record. */
export const staleResources: ReadonlyMap<string, ReadonlySet<string>> = resourcesByEvent(operations)

function resourcesByEvent(all: readonly Operation[]): Map<string, Set<string>> {
  const byEvent = new Map<string, Set<string>>()
  for (const operation of all.filter(({ method }) => method === 'GET'))
    for (const record of recordsIn(operation.answer))
      for (const event of recordEvents[record]) {
        const resources = byEvent.get(event) ?? new Set()
        byEvent.set(event, resources.add(operation.resource))
      }
  return byEvent
}

/** The records within an answer, at any depth: the schema of a record has its name as the title. */
export function recordsIn(schema: unknown): RecordName[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { title } = schema as { title?: unknown }
  const own = typeof title === 'string' && Object.hasOwn(recordEvents, title) ? [title as RecordName] : []
  return [...own, ...Object.values(schema).flatMap(recordsIn)]
}

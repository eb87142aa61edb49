/**
 * The type of each record in `schema`: typed client libraries map these names to the classes of the platform that defined
 * the interface, and read a record of any other name as a plain map.
 */
const platformTypes: Readonly<Record<string, string>> = {
  AccessKeyInventory: 'org.zstack.accessKey.AccessKeyInventory',
  AccountInventory: 'org.zstack.header.identity.AccountInventory',
  BackupStorageInventory: 'org.zstack.header.storage.backup.BackupStorageInventory',
  ElaborationCategory: 'org.zstack.core.errorcode.ElaborationCategory',
  ElaborationContent: 'org.zstack.core.errorcode.ElaborationContent',
  ElaborationProblem: 'org.zstack.core.errorcode.ElaborationCheckResult',
  GatewayVmInstance: 'org.zstack.header.vm.VmInstanceInventory',
  HostInventory: 'org.zstack.header.host.HostInventory',
  ManagementNodeInventory: 'org.zstack.header.managementnode.ManagementNodeInventory',
  MigrateImage: 'org.zstack.header.image.ImageInventory',
  MigrateImageBackupStorageRef: 'org.zstack.header.image.ImageBackupStorageRefInventory',
  SessionInventory: 'org.zstack.header.identity.SessionInventory',
  SoftwarePackageInventory: 'org.zstack.softwarePackage.header.SoftwarePackageInventory',
  SystemTagInventory: 'org.zstack.header.tag.SystemTagInventory',
  ThirdPartyPlatformInventory: 'org.zstack.zwatch.thirdparty.entity.ThirdpartyPlatformInventory',
  UserInventory: 'org.zstack.header.identity.UserInventory',
  UserTagInventory: 'org.zstack.header.tag.UserTagInventory',
}

/** A record that the platform does not have keeps its own name. */
export const jsonSchemaType = (inventoryName: string): string => platformTypes[inventoryName] ?? inventoryName

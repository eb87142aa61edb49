import type { ChatKind, JobState, PackageStatus, Permission, Role } from '@wharf/contract'
import type { Generated } from 'kysely'

/** Every table, columns as the API names them. Times are milliseconds, flags 0 or 1, sealed columns bytes. */

interface Dated {
  createDate: number
  lastOpDate: number
}

export interface Tables {
  settings: { name: string; value: string }
  managementNodes: Dated & {
    uuid: string
    hostName: string
    url: string | null
    version: string
    status: 'Alive' | 'Dead'
  }
  accounts: Dated & { uuid: string; name: string; description: string | null }
  users: Dated & {
    uuid: string
    accountUuid: string
    name: string
    role: Role
    passwordHash: string
    description: string | null
  }
  sessions: {
    /** SHA-256 of the session id that the client holds. */
    hash: string
    accountUuid: string
    userUuid: string
    createDate: number
    lastUseDate: number
    expiredDate: number
  }
  accessKeys: Dated & {
    uuid: string
    AccessKeyID: string
    sealedSecret: Uint8Array
    accountUuid: string
    userUuid: string
    state: 'Enabled' | 'Disabled'
    description: string | null
  }
  tags: Dated & { uuid: string; name: string; color: string | null }
  systemTags: Dated & { uuid: string; resourceUuid: string; resourceType: string; tag: string }
  userTags: Dated & { uuid: string; resourceUuid: string; resourceType: string; tag: string; tagUuid: string | null }
  hosts: Dated & {
    uuid: string
    name: string
    description: string | null
    driver: 'ssh' | 'local'
    address: string
    sshPort: number | null
    username: string | null
    hostKeyFingerprint: string | null
    managementNodeUuid: string | null
    state: 'Enabled' | 'Disabled'
    status: 'Connecting' | 'Connected' | 'Disconnected'
    hostName: string | null
    sn: string | null
    manufacturer: string | null
    product: string | null
    system: string | null
    architecture: string | null
    totalCapacity: number
    availableCapacity: number
    /** Null until the host was queried, as after an upgrade. */
    packagesPath: string | null
    /** 1: as the caller named it. 0: the default, which follows the user on the host. */
    isPackagesPathGiven: Generated<number>
    /** The pinned public key of an ssh host. */
    hostKey: string | null
    /** Null: the server's own key signs in. */
    sealedPrivateKey: Uint8Array | null
  }
  backupStorage: Dated & {
    uuid: string
    name: string
    description: string | null
    type: 'folder' | 'sftp' | 's3'
    url: string
    managementNodeUuid: string | null
    state: 'Enabled' | 'Disabled'
    status: 'Connecting' | 'Connected' | 'Disconnected'
    totalCapacity: number
    availableCapacity: number
    hostKey: string | null
    sealedCredentials: Uint8Array | null
  }
  softwarePackages: Dated & {
    uuid: string
    name: string
    type: string
    hostUuid: string | null
    managementNodeUuid: string | null
    backupStorageUuid: string | null
    /** On backup storage relative to its root, so that every spelling of a path is one place. */
    installPath: string
    /** On backup storage, the path as the caller wrote it; null in rows of an older version and on hosts. */
    sentInstallPath: string | null
    unzipInstallPath: string | null
    md5sum: string | null
    status: PackageStatus
    size: number
    /** What it was found to be; null until it has arrived. */
    format: 'tar' | 'tar.gz' | 'tar.zst' | 'zip' | 'file' | null
    /** The one folder in the archive that wharf.json stands in, when it is not at the root. */
    topFolder: string | null
    /** wharf.json, when it has one. */
    manifest: string | null
    /** JSON: the files that its hooks name, with size and checksum; null in rows of an older version. */
    hookFiles: string | null
    /** The cluster that runs on it, of a plugin that was removed: reattaching needs its configuration. */
    sealedCluster: Uint8Array | null
  }
  clusterPlugins: Dated & {
    uuid: string
    name: string
    managementIp: string
    apiPort: number
    /** The package that runs the cluster, once it was configured with one. */
    softwarePackageUuid: string | null
    /** That the component accepts. */
    sealedToken: Uint8Array | null
    /** The last configuration that was begun, whole. */
    sealedConfiguration: Uint8Array | null
    /** User and made-up password, until an admin has read them. */
    sealedCredential: Uint8Array | null
    /** Of that configuration, the step that came to its end last: a repetition goes on behind it. */
    finishedStep: string | null
    /** 1 when the caller named the port; else the component's own counts. */
    isPortGiven: number
    /** What the component was last told of its alerts, as `attachment.ts` writes it; null when it sends none. */
    attachedAlerts: string | null
    /** Unique: address and port in one spelling; null in what was written before this column existed. */
    componentKey: string | null
  }
  clusterPluginAlertPlatforms: {
    clusterUuid: string
    thirdPartyPlatformUuid: string
    createDate: number
  }
  thirdPartyPlatforms: Dated & {
    uuid: string
    name: string
    type: string
    url: string
    template: string
    state: 'Enabled' | 'Disabled'
    description: string | null
    /** The token is derived from it: another number, another token. Random, so that none returns with a reused uuid. */
    tokenVersion: number
    lastSyncDate: number
  }
  thirdPartyAlerts: Dated & {
    uuid: string
    platformUuid: string
    name: string
    status: 'firing' | 'resolved'
    severity: string | null
    fingerprint: string
    /** JSON objects. */
    labels: string
    annotations: string
    startsAt: number
    endsAt: number | null
  }
  chatEndpoints: Dated & {
    uuid: string
    name: string
    description: string | null
    type: ChatKind
    /** As it is shown: nothing behind the host. */
    url: string
    sealedUrl: Uint8Array
    sealedSecret: Uint8Array | null
    atAll: number
    language: 'en' | 'zh'
    /** A JSON list; empty for every platform. */
    platformUuids: string
    state: 'Enabled' | 'Disabled'
    /** Whoever delivers to it now, and until when that holds. */
    owner: string | null
    leaseUntil: number
  }
  atPersons: Dated & {
    uuid: string
    userId: string
    endpointUuid: string
    remark: string | null
  }
  deliveries: Dated & {
    uuid: string
    endpointUuid: string
    alertUuid: string | null
    title: string
    text: string
    severity: 'critical' | 'warning' | 'info' | 'resolved'
    status: 'Waiting' | 'Delivered' | 'Failed'
    attempts: number
    /** Of a message that needs several requests, those that have arrived. */
    partsDelivered: number
    /** Of a message of which a part has arrived, as `audience.ts` writes it. */
    audience: string | null
    reason: string | null
    nextAttemptDate: number | null
    /** When it is Failed at the latest. */
    giveUpDate: number
    deliveredDate: number | null
    /** The order at its endpoint; a message that is sent again goes to the end. */
    sequence: number
  }
  /** What a management node sees on its networks; it counts as long as the node is alive. */
  candidateSightings: {
    managementNodeUuid: string
    identity: string
    /** JSON */
    candidate: string
  }
  /** The one package of type Migrate: its slot is always 1. */
  migratePackages: { slot: number; packageUuid: string; lastOpDate: number }
  migrateImages: Dated & {
    uuid: string
    packageUuid: string
    key: 'GatewayImage' | 'LinuxBootImage' | 'WindowsBootImage'
    name: string
    description: string | null
    state: 'Enabled' | 'Disabled'
    /** As the guest sees it. */
    size: number
    /** Of the file. */
    actualSize: number
    md5Sum: string
    url: string
    mediaType: 'RootVolumeTemplate' | 'ISO'
    platform: 'Linux' | 'Windows' | 'Other'
    format: 'qcow2' | 'raw' | 'iso'
  }
  migrateImageReferences: Dated & {
    imageUuid: string
    backupStorageUuid: string
    installPath: string
  }
  /** Where images have been brought to, so that they are taken away again. */
  migrateImageCopies: {
    imageUuid: string
    hostUuid: string
    path: string
    createDate: number
  }
  gatewayVms: Dated & {
    uuid: string
    name: string
    description: string | null
    role: 'management' | 'gateway'
    /** Creating until its job has ended: only then is a VM that the hypervisor does not know one that has gone. */
    status: 'Creating' | 'Ready'
    hostUuid: string
    packageUuid: string
    imageUuid: string | null
    cpu: number
    memoryBytes: number
    /** Null: the usual one of its host. */
    network: string | null
  }
  uploads: Dated & {
    id: string
    packageUuid: string
    /** Whose disk the bytes are on. */
    managementNodeUuid: string
    accountUuid: string
    userUuid: string
    /** What the user must be allowed for every slice; null in rows of version 1.0: `operate`. */
    permission: Permission | null
    fileName: string
    /** Null while the client has not told it. */
    size: number | null
    /** What the whole must have, when that was told; once finished, what it has. */
    md5: string | null
    /** What the whole must have, when that was told. */
    sha256: string | null
    resumeKey: string | null
    state: 'Open' | 'Finished' | 'Ended'
    /** Bytes from here on belong to a slice whose checksum has not been verified: they do not count yet. */
    uncheckedFrom: number | null
    expiryDate: number
  }
  jobs: Dated & {
    uuid: string
    operation: string
    subjectUuid: string | null
    accountUuid: string
    userUuid: string
    managementNodeUuid: string | null
    state: JobState
    progress: number
    /** The step that runs next, or the one to undo next. */
    position: number
    currentStep: string | null
    errorCode: string | null
    sealedInput: Uint8Array
    /** What the finished steps left for the later ones. */
    sealedMemory: Uint8Array | null
    /** The answer of a finished job, or the failure of one that is being undone. */
    sealedOutcome: Uint8Array | null
    owner: string | null
    /** Counts the owners; a write that carries an older number is refused. */
    fence: number
    leaseUntil: number
    deadline: number
    cancelRequested: number
  }
  jobLogs: { jobUuid: string; sequence: number; at: number; line: string }
  idempotencyKeys: {
    key: string
    accountUuid: string
    /** Null in rows of version 1.0. */
    userUuid: string | null
    /** SHA-256 of method, path, query and body. */
    fingerprint: string
    jobUuid: string | null
    sealedAnswer: Uint8Array | null
    createDate: number
  }
  events: {
    sequence: Generated<number>
    type: string
    resourceType: string
    uuid: string
    at: number
    /** null: everyone; a user's uuid: that user and admins; `internal`: no client. */
    audience: string | null
  }
}

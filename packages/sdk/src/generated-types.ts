// Generated from the contract by `npm run generate`.
import type { Timestamp } from '@wharf/contract'
import type { JobCallOptions } from './call-types.ts'
import type { AllParts, AllRecords, OneRecord } from './pages.ts'

export type AccessKeyInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** The public part of the key, which signed requests name in their Authorization header */
  AccessKeyID: string
  /** Returned only by the operation that creates the key */
  AccessKeySecret: string | null
  /** The account that this belongs to */
  accountUuid: string
  /** The user that this belongs to */
  userUuid: string
  /** Requests that are signed with a disabled key are rejected */
  state: 'Enabled' | 'Disabled'
  /** Limits calls with the key to hosts by their labels, in addition to the scope of its user: conditions such as labels.team=web */
  scope: string[]
  /** Free text of at most 2048 characters */
  description: string | null
  /** The role of its calls; null for that of its user */
  role: 'admin' | 'operator' | 'reader' | null
  /** The only operations that it may call, and groups of them; an empty list means all */
  operations: string[]
  /** The only networks that it may be used from; an empty list means all */
  allowedCidrs: string[]
  /** How its calls may be signed */
  schemes: ('service' | 'rfc9421')[]
  /** The Ed25519 key that verifies its signatures, in PEM; null for a key with a secret */
  publicKey: string | null
  /** From then on it is rejected; null for never. In UTC, or in the zone of the response header X-Time-Zone */
  expiresDate: Timestamp | null
  /** Its last call, to the minute; null before the first. In UTC, or in the zone of the response header X-Time-Zone */
  lastUsedDate: Timestamp | null
  /** Until then the secret before the last rotation is accepted too. In UTC, or in the zone of the response header X-Time-Zone */
  overlapEndDate: Timestamp | null
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
}

export type AccountInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** A name of at most 255 characters */
  name: string
  /** Free text of at most 2048 characters */
  description: string | null
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
}

export type AlertHistogramBucket = {
  /** The start of the interval. In UTC, or in the zone of the response header X-Time-Zone */
  start: Timestamp
  /** Firing alerts with a severity such as critical, error or page */
  critical: number
  /** Firing alerts with another severity, or without one */
  warning: number
  /** Firing alerts with a severity such as info, low or none */
  info: number
  /** Resolved alerts */
  resolved: number
}

export type ApiJobInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** The operation that started the job, such as InstallSoftwarePackage */
  operation: string
  /** The record that the job works on; null when there is none */
  subjectUuid: string | null
  /** The second record of a job with two: the version that an upgrade or a rollback installs in place of the subject */
  relatedUuid: string | null
  /** The name of the record when the job started */
  subjectName: string | null
  /** The version of the software package, once it has been inspected */
  subjectVersion: string | null
  /** The name of the host or backup storage that the job works on */
  targetName: string | null
  /** The account of the user who started it */
  accountUuid: string
  /** The user who started it */
  userUuid: string
  /** The name of the user who started it */
  userName: string | null
  /** What the job does, where, and by whom, in English: a condition such as summary~=%web-1% searches all of these */
  summary: string | null
  /** The node whose disk the job uses */
  managementNodeUuid: string | null
  /** Undoing reverts the steps of a job that fails or is cancelled; the last three states are final */
  state: 'Waiting' | 'Running' | 'Undoing' | 'Succeeded' | 'Failed' | 'Cancelled'
  /** The progress in percent */
  progress: number
  /** The step that runs or is being undone, or that is next; null when the job has ended */
  currentStep: string | null
  /** The code of the failure or the cancellation, also while the job is undone; null without one */
  errorCode: string | null
  /** When the job is aborted and undone, unless it has ended. In UTC, or in the zone of the response header X-Time-Zone */
  deadline: Timestamp
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
  /** Null until it has ended. In UTC, or in the zone of the response header X-Time-Zone */
  endDate: Timestamp | null
  /** Whether it has failed or was cancelled, and its call is stored, so that RetryApiJob can repeat it */
  canRetry: boolean
}

export type ApiJobLogLine = {
  /** The position in the log, from 1 without gaps */
  number: number
  /** When the line was written, in RFC 3339 */
  time: string
  /** The text. The only control characters are tabs and the escape sequences of colours and text styles (SGR), which end with the line */
  line: string
}

export type ApiJobStep = {
  /** Its name in currentStep and in the log */
  name: string
  /** What the step does */
  title: string
  /** Skipped: the job ended before this step */
  state: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Cancelled' | 'Skipped'
  /** Null when the step has not been undone */
  undoState: 'Undoing' | 'Undone' | 'UndoFailed' | null
  /** When it first started, in RFC 3339 */
  startTime: string | null
  /** When it succeeded, failed or was cancelled */
  endTime: string | null
  /** When its undo started */
  undoStartTime: string | null
  /** When its undo ended */
  undoEndTime: string | null
  /** The number of the first line that it wrote to the log */
  logLine: number | null
  /** The number of the first line that its undo wrote to the log */
  undoLogLine: number | null
}

export type AuditDigestInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** The first entry that it covers */
  firstSeq: number
  /** The last entry that it covers */
  lastSeq: number
  /** How many entries it covers */
  count: number
  /** The hash of the last entry that it covers */
  head: string
  /** The signature of the previous digest; null for the first */
  previousSignature: string | null
  /** The text that is signed: canonical JSON of these fields without uuid, and of expiredSeq: the entries up to this one have expired */
  document: string
  /** The Ed25519 signature of the document, in Base64 */
  signature: string
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
}

export type AuditEntryInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** The position in the chain, from 1 without gaps; null until the entry is chained */
  seq: number | null
  /** When the call started; of equal refused calls, when the first one did. In UTC, or in the zone of the response header X-Time-Zone */
  startDate: Timestamp
  /** When the entry was written; of equal refused calls, when the last one ended. In UTC, or in the zone of the response header X-Time-Zone */
  endDate: Timestamp
  /** The X-Request-Id of the call; null without a call */
  requestId: string | null
  /** The node that wrote the entry */
  managementNodeUuid: string
  /** The operation of the API, such as AddHost, or the automatic action of Wharf */
  operation: string
  /** The HTTP method; null without a call */
  method: string | null
  /** The path without its query; null without a call */
  path: string | null
  /** Session and AccessKey: how the caller signed in; System: Wharf acted automatically; Anonymous: the caller is unknown */
  actorKind: 'Session' | 'AccessKey' | 'System' | 'Anonymous'
  /** The account of the user */
  accountUuid: string | null
  /** The user who called, or for whom Wharf acted */
  userUuid: string | null
  /** The name of the user at that time; of a failed sign-in, the name that was sent */
  actorName: string | null
  /** The role of the user at that time */
  role: 'admin' | 'operator' | 'reader' | null
  /** The access key, or an identifier of the session that does not reveal the session id */
  credentialUuid: string | null
  /** The address of the caller */
  sourceIp: string | null
  /** The User-Agent header of the call */
  userAgent: string | null
  /** The type of the record, such as Host */
  resourceType: string | null
  /** The record that was changed, or would have been */
  resourceUuid: string | null
  /** Its name at that time */
  resourceName: string | null
  /** Each changed field with its values before and after. A secret is a keyed hash, by which equal values can be recognized; of a long value the part around the first difference is shown */
  changes: Record<string, {
    /** The value before; null when there was none */
    before: unknown
    /** The value after; null when there is none */
    after: unknown
  }>
  /** Denied: the status was 401 or 403; Failure: any other error; neither changed anything */
  outcome: 'Success' | 'Failure' | 'Denied'
  /** The HTTP status of the result: 202 for a job that is accepted; null for a success without a call */
  status: number | null
  /** The code of the error; null when it succeeded */
  errorCode: string | null
  /** The job that was accepted, that ended, or that changed this record */
  jobUuid: string | null
  /** How many equal refused calls within ten seconds the entry counts; otherwise 1. Further names and records of one source share an entry that has neither */
  count: number
  /** SHA-256 of the hash of the previous entry and all other fields; null until the entry is chained */
  hash: string | null
}

export type BackupStorageInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** A name of at most 255 characters */
  name: string
  /** Free text of at most 2048 characters */
  description: string | null
  /** Where the files are: a folder of a node, an SFTP server or an S3 bucket */
  type: 'folder' | 'sftp' | 's3'
  /** folder: file:///path; sftp: sftp://host:port/path; s3: https://endpoint/bucket */
  url: string
  /** With type folder, the management node that contains the folder */
  managementNodeUuid: string | null
  /** Packages are neither stored on nor installed from disabled storage; stored packages remain */
  state: 'Enabled' | 'Disabled'
  /** Connecting until it has been added; then the result of the last probe */
  status: 'Connecting' | 'Connected' | 'Disconnected'
  /** The error code of the last probe, while the status is Disconnected */
  errorCode: string | null
  /** The error of the last probe, while the status is Disconnected */
  errorDetails: string | null
  /** The size in bytes; 0 when the storage does not report it, as s3 */
  totalCapacity: number
  /** The free space in bytes; 0 when the storage does not report it, as s3 */
  availableCapacity: number
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
}

export type CallerIdentityInventory = {
  /** The account of the caller */
  accountUuid: string
  /** Its name */
  accountName: string
  /** The user that calls */
  userUuid: string
  /** The name of the user; that of the account for its built-in user */
  userName: string
  /** What the user may do: admin, operator or reader */
  role: 'admin' | 'operator' | 'reader'
  /** The conditions on hosts that limit the caller: those of the user and of the access key; empty: no limit */
  scope: string[]
  /** The kind of credential that authenticated the call */
  credentialType: 'AccessKey' | 'Session'
  /** The uuid of the record of that access key or session */
  credentialUuid: string
  /** True while the user has the password of the first start, which should be changed */
  hasBootstrapPassword: boolean
}

export type CandidateHost = {
  /** The name that the machine has for itself; null when it is unknown */
  hostName: string | null
  /** The IPv4 address that the host announces; null when it has none */
  ipv4Address: string | null
  /** The IPv6 address that the host announces; null when it has none */
  ipv6Address: string | null
  /** The network interface of the IPv4 address */
  ipv4Interface: string | null
  /** The network interface of the IPv6 address */
  ipv6Interface: string | null
  /** The manufacturer of the machine; null when it is unknown */
  manufacturer: string | null
  /** The model */
  product: string | null
  /** The serial number; null when the manufacturer left it blank */
  sn: string | null
}

export type ChatAppEndpointInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** A name of at most 255 characters */
  name: string
  /** Free text of at most 2048 characters */
  description: string | null
  /** The chat application */
  type: 'DingTalk' | 'WeCom' | 'FeiShu' | 'Slack' | 'Teams'
  /** The host of the webhook; the rest of the URL is a secret */
  url: string
  /** Mention everyone instead of the registered persons */
  atAll: boolean
  /** The language of the texts that Wharf adds to a message */
  language: 'en' | 'zh'
  /** The alert platforms whose alerts it receives; an empty list means all */
  platformUuids: string[]
  /** The events of Wharf itself that it receives */
  ownEvents: ('RolloutPaused' | 'RolloutFailed' | 'RolloutSucceeded' | 'JobFailed' | 'HostDisconnected' | 'HostConnected' | 'StorageAlmostFull' | 'PackageUnhealthy' | 'AccessKeyExpires')[]
  /** The Liquid template of messages about Wharf itself; null for the default in its language */
  ownEventTemplate: string | null
  /** A disabled endpoint gets no new messages */
  state: 'Enabled' | 'Disabled'
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
}

export type ClusterPluginInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** A name of at most 255 characters */
  name: string
  /** The address of the component */
  managementIp: string
  /** The TCP port of the API of the cluster */
  apiPort: number
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
}

export type ClusterPluginThirdPartyPlatformAlertRefInventory = {
  /** The cluster plugin */
  clusterUuid: string
  /** The alert platform */
  thirdPartyPlatformUuid: string
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
}

export type DeliveryInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** The chat endpoint */
  endpointUuid: string
  /** The alert; null once it was deleted, and for a message about Wharf itself */
  alertUuid: string | null
  /** The event of Wharf itself; null for an alert */
  ownEvent: 'RolloutPaused' | 'RolloutFailed' | 'RolloutSucceeded' | 'JobFailed' | 'HostDisconnected' | 'HostConnected' | 'StorageAlmostFull' | 'PackageUnhealthy' | 'AccessKeyExpires' | null
  /** The type of the record that the event is about; null for an alert or a test */
  resourceType: string | null
  /** The record that the event is about; null for an alert or a test */
  resourceUuid: string | null
  /** The title of the message */
  title: string
  /** The text of the message */
  text: string
  /** Failed is final: only resendDelivery tries again */
  status: 'Waiting' | 'Delivered' | 'Failed'
  /** How often the delivery was attempted since it was created or resent */
  attempts: number
  /** Why the last attempt failed */
  reason: string | null
  /** When the delivery is attempted again; null when no attempt follows. In UTC, or in the zone of the response header X-Time-Zone */
  nextAttemptDate: Timestamp | null
  /** When the message was delivered; null until then. In UTC, or in the zone of the response header X-Time-Zone */
  deliveredDate: Timestamp | null
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
}

export type DeviceLoginInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** The code that the device shows, such as WDJB-MJHT */
  userCode: string
  /** The host name that the device sent */
  clientName: string | null
  /** The User-Agent of the device */
  client: string | null
  /** The address of the device */
  address: string
  /** The role that the device requested; null for none */
  requestedRole: 'admin' | 'operator' | 'reader' | null
  /** Whether a user has confirmed or denied it */
  state: 'Pending' | 'Confirmed' | 'Denied' | 'Redeemed'
  /** The access key that the confirmation created */
  accessKeyUuid: string | null
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** Until then it can be confirmed, and the device can get its key. In UTC, or in the zone of the response header X-Time-Zone */
  expiresDate: Timestamp
}

export type ElaborationCategory = {
  /** The part of the product that the error belongs to */
  category: string
  /** The number of elaborations */
  num: number
}

export type ElaborationContent = {
  /** The part of the product that the error belongs to */
  category: string
  /** The number without its category */
  code: string
  /** The pattern or the sentence that it explains */
  regex: string | null
  /** The explanation in Chinese */
  message_cn: string | null
  /** The explanation in English */
  message_en: string | null
  /** Who wrote it */
  source: string | null
  /** Matched by pattern or by similarity to a sentence; null when matched by keyword */
  method: 'regex' | 'distance' | null
  /** The similarity, where 1 is equal; null unless matched by similarity */
  distance: number | null
}

export type ElaborationProblem = {
  /** Null when the content was sent in the call */
  fileName: string | null
  /** The entry, shortened; null when the problem concerns the whole file */
  content: string | null
  /** Why the entry is rejected */
  reason: string
}

export type GatewayVmInstance = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** A name of at most 255 characters */
  name: string
  /** Free text of at most 2048 characters */
  description: string | null
  /** As reported by the hypervisor; Unknown when its host is disconnected */
  state: string
  /** The host that runs it */
  hostUuid: string
  /** The image that it started from; null when it is unknown */
  imageUuid: string | null
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
}

export type HostInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** A name of at most 255 characters */
  name: string
  /** Free text of at most 2048 characters */
  description: string | null
  /** local is the machine of a management node: packages run as the user of the server, so changes require the role admin */
  driver: 'ssh' | 'local'
  /** The host name or IP address at which Wharf connects to it */
  address: string
  /** The TCP port of its SSH server; null with driver local */
  sshPort: number | null
  /** The user that signs in over SSH; null with driver local */
  username: string | null
  /** The SHA256:… fingerprint of the pinned host key; null with driver local */
  hostKeyFingerprint: string | null
  /** With driver local, the management node on this machine */
  managementNodeUuid: string | null
  /** A disabled host gets no new work; running work continues, and the host is still probed */
  state: 'Enabled' | 'Disabled'
  /** Connecting until it has been added; then the result of the last probe */
  status: 'Connecting' | 'Connected' | 'Disconnected'
  /** The error code of the last probe, while the status is Disconnected */
  errorCode: string | null
  /** The error of the last probe, while the status is Disconnected */
  errorDetails: string | null
  /** The name that the machine has for itself; null when it is unknown */
  hostName: string | null
  /** The serial number of the machine; null when it is unknown */
  sn: string | null
  /** The manufacturer of the machine; null when it is unknown */
  manufacturer: string | null
  /** The product name of the machine; null when it is unknown */
  product: string | null
  /** The operating system of the host; null when it is unknown */
  system: string | null
  /** The processor architecture of the host, such as x86_64 */
  architecture: string | null
  /** The size of the root file system in bytes; 0 until it is known */
  totalCapacity: number
  /** The space of the root file system that packages can use, in bytes */
  availableCapacity: number
  /** The folder on the host for packages from backup storage; null until it is known */
  packagesPath: string | null
  /** The labels of the host by name */
  labels: Record<string, string>
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
}

export type HostMetricPoint = {
  /** The start of the interval; the other fields are averages of its samples. In UTC, or in the zone of the response header X-Time-Zone */
  time: Timestamp
  /** The load average of one minute */
  load1: number | null
  /** The number of processors that are online */
  processors: number | null
  /** Memory that is not available to new programs */
  memoryUsedBytes: number | null
  /** The size of the main memory */
  memoryTotalBytes: number | null
  /** Space of the root file system that packages cannot use */
  diskUsedBytes: number
  /** The size of the root file system */
  diskTotalBytes: number
  /** The same for the file system of packagesPath */
  packagesDiskUsedBytes: number | null
  /** The size of the file system of packagesPath */
  packagesDiskTotalBytes: number | null
}

export type MaintenanceWindowInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** A name of at most 255 characters */
  name: string
  /** Conditions on hosts, as in q; the window restricts the hosts that match all of them, and every host when the list is empty */
  selector: string[]
  /** When it opens: minute, hour, day of the month, month and day of the week, as in crontab */
  cron: string
  /** How long it is open */
  durationMinutes: number
  /** The IANA time zone of cron, such as Europe/Berlin */
  timeZone: string
  /** In the last minutes of the window no host is started; shorter than the window */
  cutoffMinutes: number
  /** When it opens next, also while it is open; null when it never does again. In UTC, or in the zone of the response header X-Time-Zone */
  nextOpenDate: Timestamp | null
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
}

export type ManagementNodeInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** The host name of its machine */
  hostName: string
  /** The URL for other nodes */
  url: string | null
  /** The URL for hosts and for senders of alerts: WHARF_PUBLIC_URL of the node, or else the URL that it listens at; null for a node of an older version */
  publicUrl: string | null
  /** The version of Wharf that it runs */
  version: string
  /** Dead when its heartbeats have stopped */
  status: 'Alive' | 'Dead'
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When it last sent a heartbeat. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
}

export type MigrateImage = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** A name of at most 255 characters */
  name: string
  /** Free text of at most 2048 characters */
  description: string | null
  /** Always Enabled in this version */
  state: 'Enabled' | 'Disabled'
  /** Ready when one of its backup storages has the complete file */
  status: 'Ready' | 'Missing'
  /** The virtual size in bytes, as seen by the guest */
  size: number
  /** The size of the file in bytes */
  actualSize: number
  /** The MD5 checksum of the file in hex digits */
  md5Sum: string | null
  /** The source: package://, the uuid of the software package, and the path in it */
  url: string
  /** ISO for format iso, otherwise RootVolumeTemplate */
  mediaType: 'RootVolumeTemplate' | 'ISO'
  /** Always null in this version */
  guestOsType: string | null
  /** Always wharf in this version */
  type: string
  /** The operating system, as the package declares it */
  platform: 'Linux' | 'Windows' | 'Other'
  /** The format of the file, read from its content */
  format: 'qcow2' | 'raw' | 'iso'
  /** Part of the platform, not created by a user */
  system: boolean
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
  /** The backup storage that contains the image */
  backupStorageRefs: MigrateImageBackupStorageRef[]
}

export type MigrateImageBackupStorageRef = {
  /** The image */
  imageUuid: string
  /** The backup storage */
  backupStorageUuid: string
  /** The path of the image on the backup storage */
  installPath: string
  /** A download URL that is valid for a day, without a credential */
  exportUrl: string | null
  /** The MD5 checksum of the download in hex digits */
  exportMd5Sum: string | null
  /** Missing when the file cannot be read completely from this storage */
  status: 'Ready' | 'Missing'
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
}

export type OfferedHostKey = {
  /** The key type of ssh: ssh-ed25519, ssh-rsa, … */
  type: string
  /** SHA256:…, as printed by ssh-keygen -l; a valid hostKeyFingerprint */
  fingerprint: string
}

export type OidcProviderInventory = {
  /** Identifies the provider in `startOidcSignIn` and in its addresses */
  id: string
  /** The text of its button */
  label: string
}

export type PasskeyInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** Chosen by the user, to recognise the device */
  name: string
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When it last proved a sign-in; null before the first. In UTC, or in the zone of the response header X-Time-Zone */
  lastUsedDate: Timestamp | null
}

export type ReleaseInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** The name of the software, from wharf.json */
  name: string
  /** The version, from wharf.json; unique for a name */
  version: string
  /** The package type, from wharf.json */
  type: string
  /** The SHA-256 of the archive, in lower-case hex */
  sha256: string
  /** The MD5 of the archive, in lower-case hex */
  md5sum: string
  /** The size of the archive in bytes */
  size: number
  /** The package on backup storage that contains the bytes */
  softwarePackageUuid: string
  /** The backup storage that contains the package */
  backupStorageUuid: string
  /** Free text of at most 2048 characters */
  description: string | null
  /** Hosts can be rolled back to a Retired release, but it is not sent to further hosts */
  state: 'Published' | 'Retired'
  /** When it was published. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
}

export type RolloutInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** A name of at most 255 characters */
  name: string
  /** The release that is rolled out */
  releaseUuid: string
  /** The name of the software */
  softwareName: string
  /** The version that hosts receive */
  version: string
  /** The state of the whole rollout */
  state: 'AwaitingApproval' | 'Scheduled' | 'Running' | 'Paused' | 'RollingBack' | 'Succeeded' | 'Failed' | 'Stopped' | 'Denied' | 'RolledBack' | 'RollbackFailed'
  /** Why it is Paused; null in other states */
  pauseReason: 'Operator' | 'Promotion' | 'Failures' | 'Gate' | 'Window' | null
  /** When the maintenance window opens, while it is Paused for Window; otherwise null. In UTC, or in the zone of the response header X-Time-Zone */
  pausedUntil: Timestamp | null
  /** What made it pause, fail or roll back, in a sentence; null when nothing did */
  reason: string | null
  /** The conditions that select its hosts; empty with hostUuids */
  selector: string[]
  /** The waves as cumulative numbers or percentages of the hosts, rounded up; the last wave contains all hosts */
  waves: string[]
  /** The wave that is in progress; null before the first */
  currentWave: number | null
  /** A label of hosts; the hosts of each of its values are spread evenly over the waves */
  spreadBy: string | null
  /** manual waits for promoteRollout after each wave but the last */
  promotion: 'automatic' | 'manual'
  /** The number of hosts that are worked on at the same time, on all nodes together */
  maxParallel: number
  /** The failed hosts that a wave may have, as a number or as a percentage of its size */
  maxFailures: number | string
  /** What happens to a host that is disconnected or disabled: it fails, is skipped, or is waited for until targetDeadlineSeconds */
  unreachable: 'fail' | 'skip' | 'wait'
  /** After this time the job of a host is cancelled and undone */
  targetDeadlineSeconds: number
  /** The pause after the last host of a wave, after which every host of the wave is verified again; 0: neither */
  soakSeconds: number
  /** Alert platforms; an alert of theirs that starts to fire after the wave has started fails its gate */
  alertPlatformUuids: string[]
  /** How often a host is tried again after a lost connection, a timeout or the loss of a node, 30 s apart */
  retries: number
  /** What happens when a wave has too many failures, or its gate fails */
  onFailure: 'pause' | 'rollBackWave' | 'rollBackAll'
  /** Hosts that match the selector later join at the end; the rollout is open until it is stopped */
  dynamic: boolean
  /** When it starts; null: at once. In UTC, or in the zone of the response header X-Time-Zone */
  startAt: Timestamp | null
  /** The maintenance window that it observes; null without one */
  windowUuid: string | null
  /** An admin allowed it to work outside its window */
  ignoreWindow: boolean
  /** It starts after another user has approved it */
  requiresApproval: boolean
  /** The user who approved or denied it; null before */
  approvedBy: string | null
  /** The versions of the software that are kept on each host, the installed one included */
  keepVersions: number
  /** It is being stopped: running hosts finish, or are cancelled; null otherwise */
  stopMode: 'finish' | 'cancel' | null
  /** The number of its hosts */
  targetCount: number
  /** Hosts that are Succeeded or AlreadyInstalled */
  succeededCount: number
  /** Hosts that are Failed, TimedOut, Unreachable or RollbackFailed */
  failedCount: number
  /** Hosts that are Skipped */
  skippedCount: number
  /** The account that this belongs to */
  accountUuid: string
  /** The user who created it; its jobs are jobs of this user */
  userUuid: string
  /** When its first wave started; null before. In UTC, or in the zone of the response header X-Time-Zone */
  startDate: Timestamp | null
  /** When it ended; null while it is unfinished. In UTC, or in the zone of the response header X-Time-Zone */
  endDate: Timestamp | null
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
}

export type RolloutPlanEntry = {
  /** The host */
  hostUuid: string
  /** The name of the host */
  hostName: string
  /** The number of its wave */
  wave: number
  /** What is done with the host */
  action: 'Install' | 'Upgrade' | 'Downgrade' | 'None'
  /** The version that is installed; null when none is */
  fromVersion: string | null
  /** The version that it receives */
  toVersion: string
  /** Bytes to send; 0 when the host has the archive */
  bytes: number
  /** What blocks the host; null when nothing does */
  obstacle: string | null
}

export type RolloutTargetInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** The rollout that it belongs to */
  rolloutUuid: string
  /** The host */
  hostUuid: string
  /** The name of the host when it joined the rollout */
  hostName: string
  /** The number of its wave */
  wave: number
  /** The state of the rollout on this host */
  state: 'Pending' | 'Waiting' | 'Transferring' | 'Installing' | 'Verifying' | 'Succeeded' | 'AlreadyInstalled' | 'Failed' | 'TimedOut' | 'Unreachable' | 'Skipped' | 'RolledBack' | 'RollbackFailed'
  /** What is done with the host */
  action: 'Install' | 'Upgrade' | 'Downgrade' | 'None'
  /** Its last job; null before the first */
  jobUuid: string | null
  /** How often it was tried */
  attempts: number
  /** The code and text of its last failure; null without one */
  error: string | null
  /** The version that was installed before; null when none was */
  fromVersion: string | null
  /** The version that it receives */
  toVersion: string
  /** The software package of the new version on this host; null before */
  packageUuid: string | null
  /** The software package that was installed before; null when none was */
  previousPackageUuid: string | null
  /** When its first attempt started; null before. In UTC, or in the zone of the response header X-Time-Zone */
  startDate: Timestamp | null
  /** When it ended; null before. In UTC, or in the zone of the response header X-Time-Zone */
  endDate: Timestamp | null
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
}

export type RolloutWaveInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** The rollout that it belongs to */
  rolloutUuid: string
  /** Its position, from 1 */
  number: number
  /** The number of its hosts, which never changes */
  size: number
  /** The state of the wave */
  state: 'Pending' | 'Running' | 'Soaking' | 'AwaitingPromotion' | 'Succeeded' | 'Failed' | 'Skipped' | 'RolledBack'
  /** Hosts that are Succeeded or AlreadyInstalled */
  succeededCount: number
  /** Hosts that are Failed, TimedOut, Unreachable or RollbackFailed */
  failedCount: number
  /** Hosts that are Skipped */
  skippedCount: number
  /** When its hosts are verified again; null before and without a soak. In UTC, or in the zone of the response header X-Time-Zone */
  soakUntil: Timestamp | null
  /** When it started; null before. In UTC, or in the zone of the response header X-Time-Zone */
  startDate: Timestamp | null
  /** When it ended; null before. In UTC, or in the zone of the response header X-Time-Zone */
  endDate: Timestamp | null
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
}

export type SNSChatAppAtPersonInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** The id of the person in the chat application */
  userId: string
  /** The chat endpoint that mentions the person */
  endpointUuid: string
  /** A note about the person, shown beside the user id */
  remark: string | null
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
}

export type SecondFactorInventory = {
  /** True if this server requires a second factor of the user */
  isRequired: boolean
  /** When the authenticator app was enrolled; null if there is none. In UTC, or in the zone of the response header X-Time-Zone */
  authenticatorDate: Timestamp | null
  /** How many recovery codes are left */
  recoveryCodes: number
  /** The passkeys of the user, newest first */
  passkeys: PasskeyInventory[]
}

export type SessionInventory = {
  /** The session id: send it as `Authorization: OAuth <uuid>` */
  uuid: string
  /** The account that this belongs to */
  accountUuid: string
  /** The user that this belongs to */
  userUuid: string
  /** When the session ends; a call extends it, up to a limit from its creation. In UTC, or in the zone of the response header X-Time-Zone */
  expiredDate: Timestamp
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
}

export type SessionRecordInventory = {
  /** Identifies the session; it is not the session id, which only its client knows */
  uuid: string
  /** The account that this belongs to */
  accountUuid: string
  /** The user that this belongs to */
  userUuid: string
  /** How the user signed in */
  kind: 'Password' | 'OIDC'
  /** The User-Agent of the client that signed in */
  client: string | null
  /** The address that the client signed in from */
  address: string | null
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** Its last call, to the minute. In UTC, or in the zone of the response header X-Time-Zone */
  lastUsedDate: Timestamp
  /** When it ends unless it is used; removed from the list within ten minutes after that. In UTC, or in the zone of the response header X-Time-Zone */
  expiredDate: Timestamp
}

export type SoftwarePackageInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** A name of at most 255 characters */
  name: string
  /** The host that contains it; null on backup storage */
  hostUuid: string | null
  /** The node that transferred it; null on backup storage */
  managementNodeUuid: string | null
  /** The path of the file; on backup storage as it was sent, relative to the root of the storage */
  installPath: string
  /** The folder with the unpacked files; null when it is not an archive or on backup storage */
  unzipInstallPath: string | null
  /** The package type */
  type: string
  /** Null until the transfer is complete */
  md5sum: string | null
  /** The last action on the package: in progress, done or failed */
  status: 'Uploading' | 'Uploaded' | 'UploadFailed' | 'Installing' | 'Installed' | 'InstallFailed' | 'Initializing' | 'Initialized' | 'InitializeFailed'
  /** The size in bytes; 0 until it is known */
  size: number
  /** The backup storage that contains it; null when it is only on a host */
  backupStorageUuid: string | null
  /** The version in its wharf.json; null without one */
  version: string | null
  /** The release that its bytes belong to; null when they were never published */
  releaseUuid: string | null
  /** The result of its last verification; null when it is not installed */
  health: 'Unknown' | 'Healthy' | 'Unhealthy' | null
  /** Why it is Unhealthy: the code and the text of the error of its last verification; null otherwise */
  healthError: string | null
  /** When it was last verified; null when it never was. In UTC, or in the zone of the response header X-Time-Zone */
  lastVerifiedDate: Timestamp | null
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
}

export type SystemTagInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** The record that has the tag */
  resourceUuid: string
  /** The type of the record that has the tag */
  resourceType: string
  /** The text of the tag */
  tag: string
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
}

export type TagInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** A name of at most 255 characters */
  name: string
  /** A colour name or #rrggbb; null when none was given */
  color: string | null
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
}

export type ThirdPartyPlatformInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** A name of at most 255 characters */
  name: string
  /** The alert protocol */
  type: string
  /** The webhook URL that receives its alerts */
  url: string
  /** The Liquid template that turns an alert into a message */
  template: string
  /** A disabled platform accepts and drops alerts */
  state: 'Enabled' | 'Disabled'
  /** Free text of at most 2048 characters */
  description: string | null
  /** When the last alert was received; the creation date before the first. In UTC, or in the zone of the response header X-Time-Zone */
  lastSyncDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
}

export type ThirdpartyAlertInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** The alert platform that received it */
  platformUuid: string
  /** The label alertname */
  name: string
  /** As received: firing, or resolved when it has ended */
  status: 'firing' | 'resolved'
  /** The label severity */
  severity: string | null
  /** Identifies the alert; the same when it fires again */
  fingerprint: string
  /** The labels of the alert by name; such as alertname and severity */
  labels: Record<string, string>
  /** Texts about the alert, such as summary and description */
  annotations: Record<string, string>
  /** When it started to fire. In UTC, or in the zone of the response header X-Time-Zone */
  startsAt: Timestamp
  /** When it ended; null while it fires. In UTC, or in the zone of the response header X-Time-Zone */
  endsAt: Timestamp | null
  /** The user who acknowledged it; it then sends no message until it is resolved */
  acknowledgedBy: string | null
  /** When it was acknowledged; null when it was not. In UTC, or in the zone of the response header X-Time-Zone */
  acknowledgedDate: Timestamp | null
  /** The comment of the user who acknowledged it */
  acknowledgeComment: string | null
  /** The user who silenced all alerts of the platform with this fingerprint */
  silencedBy: string | null
  /** When its last silence was set, also one that has ended; null without one. In UTC, or in the zone of the response header X-Time-Zone */
  silencedDate: Timestamp | null
  /** The end of the silence; a time in the past when it has ended. In UTC, or in the zone of the response header X-Time-Zone */
  silencedUntil: Timestamp | null
  /** Why it was silenced */
  silenceComment: string | null
  /** When it was received. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
}

export type UserInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** The account that this belongs to */
  accountUuid: string
  /** A name of at most 255 characters */
  name: string
  /** What the user may do: admin, operator or reader */
  role: 'admin' | 'operator' | 'reader'
  /** Limits the user to hosts by their labels, and to the records on them: conditions such as labels.team=web, of which a host must meet all; an empty list is not a limit */
  scope: string[]
  /** True if the user has an authenticator app or a passkey, which each sign-in then requires */
  hasSecondFactor: boolean
  /** Free text of at most 2048 characters */
  description: string | null
  /** Local: created in Wharf; OIDC: created by a sign-in with an identity provider, whose rules set role and account, without a password */
  source: 'Local' | 'OIDC'
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
}

export type UserTagInventory = {
  /** The uuid of the record, 32 lower-case hex digits */
  uuid: string
  /** The record that has the tag */
  resourceUuid: string
  /** The type of the record that has the tag */
  resourceType: string
  /** The text of the tag */
  tag: string
  /** When the record was created. In UTC, or in the zone of the response header X-Time-Zone */
  createDate: Timestamp
  /** When the record was last changed. In UTC, or in the zone of the response header X-Time-Zone */
  lastOpDate: Timestamp
  /** The created tag that was attached, by tagUuids or by its name; null for a text */
  tagUuid: string | null
}

export type QueryFields = {
  /** A condition such as name=web or size>=1024; records match all conditions */
  q?: readonly string[] | undefined
  /** The maximum number of records; defaults to 1000 */
  limit?: number | undefined
  /** The number of records to skip */
  start?: number | undefined
  /** +field or -field; defaults to createDate, then uuid */
  sort?: string | undefined
  /** Return only total */
  count?: boolean | undefined
  /** Include total */
  replyWithCount?: boolean | undefined
  /** The fields to return, separated by commas */
  fields?: readonly string[] | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type QueryThirdpartyAlertAnswer = {
  /** The matching records */
  inventories?: Partial<ThirdpartyAlertInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type GetThirdpartyAlertHistogramFields = {
  /** A condition such as name=web or size>=1024; records match all conditions */
  q?: readonly string[] | undefined
  /** The start of the period; defaults to one day before its end, in ISO 8601 or in the form of the times in answers; without an offset it is in the zone of the server */
  from?: string | undefined
  /** The end of the period, which does not belong to it; defaults to now, in ISO 8601 or in the form of the times in answers; without an offset it is in the zone of the server */
  to?: string | undefined
  /** The number of intervals of equal length; defaults to 48 */
  buckets?: number | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type GetThirdpartyAlertHistogramAnswer = {
  /** The start of the period. In UTC, or in the zone of the response header X-Time-Zone */
  from: Timestamp
  /** The end of the period. In UTC, or in the zone of the response header X-Time-Zone */
  to: Timestamp
  /** The length of an interval */
  intervalSeconds: number
  /** All intervals of the period, oldest first */
  buckets: AlertHistogramBucket[]
}

export type GetFields = {
  /** The fields to return, separated by commas */
  fields?: readonly string[] | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type GetThirdpartyAlertAnswer = {
  /** The matching records */
  inventories?: Partial<ThirdpartyAlertInventory>[]
}

export type AcknowledgeThirdpartyAlertFields = {
  /** A comment for other users */
  comment?: string | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type AcknowledgeThirdpartyAlertAnswer = {
  /** The record after the operation */
  inventory: ThirdpartyAlertInventory
}

export type SilenceThirdpartyAlertFields = {
  /** The end of the silence, at most 90 days from now, in ISO 8601 or in the form of the times in answers; without an offset it is in the zone of the server */
  until: string
  /** Why it is silenced */
  comment: string
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type SilenceThirdpartyAlertAnswer = {
  /** The record after the operation */
  inventory: ThirdpartyAlertInventory
}

export type UnsilenceThirdpartyAlertFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type UnsilenceThirdpartyAlertAnswer = {
  /** The record after the operation */
  inventory: ThirdpartyAlertInventory
}

export type QueryThirdpartyPlatformAnswer = {
  /** The matching records */
  inventories?: Partial<ThirdPartyPlatformInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type CreateThirdpartyPlatformFields = {
  /** A name of at most 255 characters */
  name: string
  /** The alert protocol */
  type: 'Alertmanager'
  /** The Liquid template that turns an alert into a message */
  template?: string | undefined
  /** Free text of at most 2048 characters */
  description?: string | undefined
  /** The uuid of the new record; generated by default */
  resourceUuid?: string | undefined
  /** Tags to attach to it */
  tagUuids?: readonly string[] | undefined
  /** Stored on the new resource, each at most 4096 characters; one or two edits from a known pattern:: is refused */
  systemTags?: readonly string[] | undefined
  /** Free text, stored on the new resource */
  userTags?: readonly string[] | undefined
}

export type CreateThirdpartyPlatformAnswer = {
  /** The record after the operation */
  inventory: ThirdPartyPlatformInventory
  /** The bearer token for the webhook at `url`; resetToken creates another */
  token: string | null
}

export type GetThirdpartyPlatformAnswer = {
  /** The matching records */
  inventories?: Partial<ThirdPartyPlatformInventory>[]
}

export type DeleteThirdpartyPlatformFields = {
  /** Defaults to Permissive */
  deleteMode?: 'Permissive' | 'Enforcing' | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type PreviewTemplateFields = {
  /** The Liquid template that turns an alert into a message */
  template: string
  /** An alert in the format of Alertmanager; defaults to an example */
  alert?: Record<string, unknown> | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type PreviewTemplateAnswer = {
  /** The text of the message */
  text: string
}

export type ResetThirdpartyTokenFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type ResetThirdpartyTokenAnswer = {
  /** The token for the Authorization header of alerts, returned once */
  token: string | null
}

export type UpdateThirdpartyPlatformFields = {
  /** A name of at most 255 characters */
  name?: string | undefined
  /** The Liquid template that turns an alert into a message */
  template?: string | undefined
  /** Free text of at most 2048 characters */
  description?: string | undefined
  /** Alerts of a disabled platform are accepted and dropped */
  stateEvent?: 'enable' | 'disable' | undefined
  /** Fields to set to null; an empty string would mean absent */
  clear?: readonly ('description')[] | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type UpdateThirdpartyPlatformAnswer = {
  /** The record after the operation */
  inventory: ThirdPartyPlatformInventory
}

export type QueryAuditDigestAnswer = {
  /** The matching records */
  inventories?: Partial<AuditDigestInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type GetAuditPublicKeyFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type GetAuditPublicKeyAnswer = {
  /** Ed25519, in PEM */
  publicKey: string
}

export type GetAuditDigestAnswer = {
  /** The matching records */
  inventories?: Partial<AuditDigestInventory>[]
}

export type QueryAuditEntryAnswer = {
  /** The matching records */
  inventories?: Partial<AuditEntryInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type GetAuditEntryAnswer = {
  /** The matching records */
  inventories?: Partial<AuditEntryInventory>[]
}

export type QueryBackupStorageAnswer = {
  /** The matching records */
  inventories?: Partial<BackupStorageInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type AddBackupStorageFields = {
  /** A name of at most 255 characters */
  name: string
  /** folder: a folder on the management node that receives the call */
  type: 'folder' | 'sftp' | 's3'
  /** folder: file:///path; sftp: sftp://host:port/path; s3: https://endpoint/bucket */
  url: string
  /** Free text of at most 2048 characters */
  description?: string | undefined
  /** sftp only: the user that signs in */
  username?: string | undefined
  /** sftp only: an SSH private key without a passphrase; defaults to the key of the server. Required of a caller with a scope */
  privateKey?: string | undefined
  /** sftp only: the SHA256:… fingerprint that the host key must have; by default any key is pinned */
  hostKeyFingerprint?: string | undefined
  /** s3 only */
  accessKeyId?: string | undefined
  /** s3 only */
  secretAccessKey?: string | undefined
  /** s3 only; defaults to us-east-1 */
  region?: string | undefined
  /** The uuid of the new record; generated by default */
  resourceUuid?: string | undefined
  /** Tags to attach to it */
  tagUuids?: readonly string[] | undefined
  /** Stored on the new resource, each at most 4096 characters; one or two edits from a known pattern:: is refused */
  systemTags?: readonly string[] | undefined
  /** Free text, stored on the new resource */
  userTags?: readonly string[] | undefined
}

export type AddBackupStorageAnswer = {
  /** The record after the operation */
  inventory: BackupStorageInventory
}

export type GetBackupStorageAnswer = {
  /** The matching records */
  inventories?: Partial<BackupStorageInventory>[]
}

export type DeleteBackupStorageFields = {
  /** Defaults to Permissive */
  deleteMode?: 'Permissive' | 'Enforcing' | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type ChangeBackupStorageStateFields = {
  /** The change of state: enable or disable */
  stateEvent: 'enable' | 'disable'
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type ChangeBackupStorageStateAnswer = {
  /** The record after the operation */
  inventory: BackupStorageInventory
}

export type ReconnectBackupStorageFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type ReconnectBackupStorageAnswer = {
  /** The record after the operation */
  inventory: BackupStorageInventory
}

export type UpdateBackupStorageFields = {
  /** A name of at most 255 characters */
  name?: string | undefined
  /** Free text of at most 2048 characters */
  description?: string | undefined
  /** Of the same type; the packages must already be there */
  url?: string | undefined
  /** sftp only: the user that signs in */
  username?: string | undefined
  /** sftp only: an SSH private key without a passphrase; clear it to use the key of the server */
  privateKey?: string | undefined
  /** sftp only: the SHA256:… fingerprint that the host key must have; that key is pinned */
  hostKeyFingerprint?: string | undefined
  /** s3 only */
  accessKeyId?: string | undefined
  /** s3 only */
  secretAccessKey?: string | undefined
  /** s3 only */
  region?: string | undefined
  /** Fields to set to null; an empty string would mean absent */
  clear?: readonly ('description' | 'privateKey' | 'region')[] | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type UpdateBackupStorageAnswer = {
  /** The record after the operation */
  inventory: BackupStorageInventory
}

export type GetCandidateMiniHostsFields = {
  /** Only hosts in the networks of the node that answers */
  local?: boolean | undefined
  /** Include hosts that are already added */
  configure?: boolean | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type GetCandidateMiniHostsAnswer = {
  /** The hosts that announce themselves and have not been added */
  hosts: CandidateHost[]
}

export type QueryChatAppEndpointAnswer = {
  /** The matching records */
  inventories?: Partial<ChatAppEndpointInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type CreateChatAppEndpointFields = {
  /** The chat application */
  type: 'DingTalk' | 'WeCom' | 'FeiShu' | 'Slack' | 'Teams'
  /** A name of at most 255 characters */
  name: string
  /** The webhook URL from the chat application */
  url: string
  /** The signing secret of DingTalk and FeiShu */
  secret?: string | undefined
  /** Mention everyone */
  atAll?: boolean | undefined
  /** Defaults to en */
  language?: 'en' | 'zh' | undefined
  /** Free text of at most 2048 characters */
  description?: string | undefined
  /** The alert platforms whose alerts it receives; an empty list means all */
  platformUuids?: readonly string[] | undefined
  /** The events of Wharf itself that it receives */
  ownEvents?: readonly ('RolloutPaused' | 'RolloutFailed' | 'RolloutSucceeded' | 'JobFailed' | 'HostDisconnected' | 'HostConnected' | 'StorageAlmostFull' | 'PackageUnhealthy' | 'AccessKeyExpires')[] | undefined
  /** The Liquid template of messages about Wharf itself; defaults to one in its language */
  ownEventTemplate?: string | undefined
  /** The uuid of the new record; generated by default */
  resourceUuid?: string | undefined
  /** Tags to attach to it */
  tagUuids?: readonly string[] | undefined
  /** Stored on the new resource, each at most 4096 characters; one or two edits from a known pattern:: is refused */
  systemTags?: readonly string[] | undefined
  /** Free text, stored on the new resource */
  userTags?: readonly string[] | undefined
}

export type CreateChatAppEndpointAnswer = {
  /** The record after the operation */
  inventory: ChatAppEndpointInventory
}

export type QueryAtPersonAnswer = {
  /** The matching records */
  inventories?: Partial<SNSChatAppAtPersonInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type AddSNSChatAppAtPersonFields = {
  /** The id of the person in the chat application; unique per endpoint */
  userId: string
  /** The chat endpoint */
  endpointUuid: string
  /** The uuid of the new record; generated by default */
  resourceUuid?: string | undefined
  /** Tags to attach to it */
  tagUuid?: readonly string[] | undefined
  /** Tags to attach to it */
  tagUuids?: readonly string[] | undefined
  /** A note about the person, shown beside the user id */
  remark?: string | undefined
  /** Stored on the new resource, each at most 4096 characters; one or two edits from a known pattern:: is refused */
  systemTags?: readonly string[] | undefined
  /** Free text, stored on the new resource */
  userTags?: readonly string[] | undefined
}

export type AddSNSChatAppAtPersonAnswer = {
  /** The record after the operation */
  inventory: SNSChatAppAtPersonInventory
}

export type GetAtPersonAnswer = {
  /** The matching records */
  inventories?: Partial<SNSChatAppAtPersonInventory>[]
}

export type DeleteAtPersonFields = {
  /** Defaults to Permissive */
  deleteMode?: 'Permissive' | 'Enforcing' | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type UpdateAtPersonFields = {
  /** The id of the person in the chat application */
  userId?: string | undefined
  /** A note about the person, shown beside the user id */
  remark?: string | undefined
  /** Fields to set to null; an empty string would mean absent */
  clear?: readonly ('remark')[] | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type UpdateAtPersonAnswer = {
  /** The record after the operation */
  inventory: SNSChatAppAtPersonInventory
}

export type GetChatAppEndpointAnswer = {
  /** The matching records */
  inventories?: Partial<ChatAppEndpointInventory>[]
}

export type DeleteChatAppEndpointFields = {
  /** Defaults to Permissive */
  deleteMode?: 'Permissive' | 'Enforcing' | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type UpdateChatAppEndpointFields = {
  /** A name of at most 255 characters */
  name?: string | undefined
  /** The webhook URL from the chat application */
  url?: string | undefined
  /** The signing secret of DingTalk and FeiShu */
  secret?: string | undefined
  /** Mention everyone */
  atAll?: boolean | undefined
  /** Defaults to en */
  language?: 'en' | 'zh' | undefined
  /** Free text of at most 2048 characters */
  description?: string | undefined
  /** The alert platforms whose alerts it receives; an empty list means all */
  platformUuids?: readonly string[] | undefined
  /** The events of Wharf itself that it receives */
  ownEvents?: readonly ('RolloutPaused' | 'RolloutFailed' | 'RolloutSucceeded' | 'JobFailed' | 'HostDisconnected' | 'HostConnected' | 'StorageAlmostFull' | 'PackageUnhealthy' | 'AccessKeyExpires')[] | undefined
  /** The Liquid template of messages about Wharf itself; defaults to one in its language */
  ownEventTemplate?: string | undefined
  /** The change of state: enable or disable */
  stateEvent?: 'enable' | 'disable' | undefined
  /** Fields to set to null; an empty string would mean absent */
  clear?: readonly ('secret' | 'description' | 'ownEventTemplate')[] | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type UpdateChatAppEndpointAnswer = {
  /** The record after the operation */
  inventory: ChatAppEndpointInventory
}

export type TestChatAppEndpointFields = {
  /** Send an example of this event, as its template renders it, and store it as a delivery */
  ownEvent?: 'RolloutPaused' | 'RolloutFailed' | 'RolloutSucceeded' | 'JobFailed' | 'HostDisconnected' | 'HostConnected' | 'StorageAlmostFull' | 'PackageUnhealthy' | 'AccessKeyExpires' | undefined
  /** Stored on the new resource, each at most 4096 characters; one or two edits from a known pattern:: is refused */
  systemTags?: readonly string[] | undefined
  /** Free text, stored on the new resource */
  userTags?: readonly string[] | undefined
}

export type QueryDeliveryAnswer = {
  /** The matching records */
  inventories?: Partial<DeliveryInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type GetDeliveryAnswer = {
  /** The matching records */
  inventories?: Partial<DeliveryInventory>[]
}

export type ResendDeliveryFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type ResendDeliveryAnswer = {
  /** The record after the operation */
  inventory: DeliveryInventory
}

export type QueryClusterPluginAnswer = {
  /** The matching records */
  inventories?: Partial<ClusterPluginInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type AddClusterPluginFields = {
  /** A name of at most 255 characters */
  name: string
  /** Adopts a component that already runs. It is verified before anything is stored: by the installed package on the host with this address, otherwise by its /health over TLS (http on loopback and in WHARF_COMPONENT_HTTP) */
  adminToken?: string | undefined
  /** An address or a host name; defaults to the address of the management node */
  managementIp?: string | undefined
  /** Defaults to the port of the package that runs the component, or 8056 */
  apiPort?: number | undefined
  /** The uuid of the new record; generated by default */
  resourceUuid?: string | undefined
  /** Tags to attach to it */
  tagUuids?: readonly string[] | undefined
  /** Stored on the new resource, each at most 4096 characters; one or two edits from a known pattern:: is refused */
  systemTags?: readonly string[] | undefined
  /** Free text, stored on the new resource */
  userTags?: readonly string[] | undefined
}

export type AddClusterPluginAnswer = {
  /** The record after the operation */
  inventory: ClusterPluginInventory
}

export type QueryClusterPluginAlertPlatformAnswer = {
  /** The matching records */
  inventories?: Partial<ClusterPluginThirdPartyPlatformAlertRefInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type UpdateClusterConfigFields = {
  /** The cluster plugin */
  uuid: string
  /** The first node; defaults to the address of the plugin */
  managementIp?: string | undefined
  /** The network of the three management addresses */
  managementNetworkCidr: string
  /** The network of the clients; every node has an address in every network */
  publicNetworkCidr: string
  /** The network between the nodes */
  clusterNetworkCidr: string
  /** Defaults to the public network */
  gatewayNetworkCidr?: string | undefined
  /** The two other nodes; every node must reach every other by SSH without a password */
  otherManagementIp: readonly string[]
  /** More storage nodes, inside the cluster network */
  otherStorageIp?: readonly string[] | undefined
  /** The administrator to create; defaults to admin */
  username?: string | undefined
  /** Generated by default; an admin can read it once */
  password?: string | undefined
  /** The installed package that runs the cluster */
  softwarePackageUuid: string
  /** initConfig::{json} may carry the fields, required ones too, and the body wins; others: accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type UpdateClusterConfigAnswer = {
  /** The cluster has formed */
  clusterInitSuccess: boolean
  /** A token for the cluster was created */
  tokenCreated: boolean
  /** The same as clusterInitSuccess, for older clients */
  initSuccess: boolean
}

export type GetClusterPluginAnswer = {
  /** The matching records */
  inventories?: Partial<ClusterPluginInventory>[]
}

export type RemoveClusterPluginFields = {
  /** Defaults to Permissive; Enforcing continues when a step cannot be undone */
  deleteMode?: 'Permissive' | 'Enforcing' | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type AttachClusterPluginAlertsFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type AttachClusterPluginAlertsAnswer = {
  /** The connection between the cluster and the alert platform */
  attachment: 'None' | 'Pending' | 'Attached' | 'Manual'
}

export type RevealClusterCredentialFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type RevealClusterCredentialAnswer = {
  /** The user name of the credential */
  username: string
  /** The password of the credential; null when the call is repeated */
  password: string | null
}

export type UpdateClusterPluginFields = {
  /** A name of at most 255 characters */
  name?: string | undefined
  /** A token that the component accepts; it is verified as when a plugin is added with one */
  adminToken?: string | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type UpdateClusterPluginAnswer = {
  /** The record after the operation */
  inventory: ClusterPluginInventory
}

export type GetClusterPluginAlertAttachmentFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type GetClusterPluginAlertAttachmentAnswer = {
  /** None: no alert platform exists. Pending: the component has not received the address and the token. Attached: its package has configured it. Manual: they must be entered in its Alertmanager by hand */
  attachment: 'None' | 'Pending' | 'Attached' | 'Manual'
  /** Why, and what to do */
  reason: string
  /** The alert platform */
  platformUuid: string | null
  /** The webhook URL for the alerts of the component; resetToken returns the token, once */
  url: string | null
  /** The package managed by Wharf that runs the component; null without one */
  softwarePackageUuid: string | null
}

export type CreateClusterPluginAlertPlatformFields = {
  /** The uuid of the new record; generated by default */
  resourceUuid?: string | undefined
  /** Tags to attach to it */
  tagUuids?: readonly string[] | undefined
  /** Stored on the new resource, each at most 4096 characters; one or two edits from a known pattern:: is refused */
  systemTags?: readonly string[] | undefined
  /** Free text, stored on the new resource */
  userTags?: readonly string[] | undefined
}

export type CreateClusterPluginAlertPlatformAnswer = {
  /** The alert platform of the cluster */
  thirdPartyPlatform: ThirdPartyPlatformInventory
  /** The record after the operation */
  inventory: ClusterPluginThirdPartyPlatformAlertRefInventory
}

export type ReloadElaborationFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type GetElaborationsFields = {
  /** Such as SYS; not case-sensitive */
  category?: string | undefined
  /** The text to explain, or keywords to search for; code is then ignored */
  regex?: string | undefined
  /** 1001 with a category, or SYS.1001 */
  code?: string | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type GetElaborationsAnswer = {
  /** The explanations that match */
  contents: ElaborationContent[]
}

export type GetElaborationCategoriesFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type GetElaborationCategoriesAnswer = {
  /** The categories of errors, with the number of explanations in each */
  categories: ElaborationCategory[]
}

export type CheckElaborationContentFields = {
  /** A file of elaborations: JSON */
  elaborateContent?: string | undefined
  /** Not supported: send the content */
  elaborateFile?: string | undefined
  /** Stored on the new resource, each at most 4096 characters; one or two edits from a known pattern:: is refused */
  systemTags?: readonly string[] | undefined
  /** Free text, stored on the new resource */
  userTags?: readonly string[] | undefined
}

export type CheckElaborationContentAnswer = {
  /** The entries that were checked, with their problems */
  results: ElaborationProblem[]
}

export type QueryHostAnswer = {
  /** The matching records */
  inventories?: Partial<HostInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type AddHostFields = {
  /** A name of at most 255 characters */
  name: string
  /** local is the machine of the management node that receives the call */
  driver: 'ssh' | 'local'
  /** A host name or an address */
  address: string
  /** Defaults to 22 */
  sshPort?: number | undefined
  /** The user that signs in; ignored with driver local */
  username: string
  /** An SSH private key without a passphrase; defaults to the key of the server. Required of a caller with a scope */
  privateKey?: string | undefined
  /** The SHA256:… fingerprint that the host key must have; by default any key is pinned */
  hostKeyFingerprint?: string | undefined
  /** An absolute folder on the host, writable by its user, for packages from backup storage; defaults to /var/lib/wharf-packages for root and to wharf-packages in the home folder of other users */
  packagesPath?: string | undefined
  /** The labels of the host by name: a to z, 0 to 9 and . _ / -, at most 63 characters, first a letter or digit; values of at most 255 characters */
  labels?: Record<string, string> | undefined
  /** Free text of at most 2048 characters */
  description?: string | undefined
  /** The uuid of the new record; generated by default */
  resourceUuid?: string | undefined
  /** Tags to attach to it */
  tagUuids?: readonly string[] | undefined
  /** Stored on the new resource, each at most 4096 characters; one or two edits from a known pattern:: is refused */
  systemTags?: readonly string[] | undefined
  /** Free text, stored on the new resource */
  userTags?: readonly string[] | undefined
}

export type AddHostAnswer = {
  /** The record after the operation */
  inventory: HostInventory
}

export type GetHostKeysFields = {
  /** A host name or an address */
  address: string
  /** Defaults to 22 */
  sshPort?: number | undefined
  /** Stored on the new resource, each at most 4096 characters; one or two edits from a known pattern:: is refused */
  systemTags?: readonly string[] | undefined
  /** Free text, stored on the new resource */
  userTags?: readonly string[] | undefined
}

export type GetHostKeysAnswer = {
  /** The public keys that the host presents, one for each algorithm */
  keys: OfferedHostKey[]
}

export type GetHostAnswer = {
  /** The matching records */
  inventories?: Partial<HostInventory>[]
}

export type DeleteHostFields = {
  /** Defaults to Permissive */
  deleteMode?: 'Permissive' | 'Enforcing' | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type ChangeHostStateFields = {
  /** The change of state: enable or disable */
  stateEvent: 'enable' | 'disable'
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type ChangeHostStateAnswer = {
  /** The record after the operation */
  inventory: HostInventory
}

export type ReconnectHostFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type ReconnectHostAnswer = {
  /** The record after the operation */
  inventory: HostInventory
}

export type RotateHostKeyFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type RotateHostKeyAnswer = {
  /** The record after the operation */
  inventory: HostInventory
}

export type UpdateHostFields = {
  /** A name of at most 255 characters */
  name?: string | undefined
  /** Free text of at most 2048 characters */
  description?: string | undefined
  /** A host name or an address; the key that the host has there is pinned, unless a fingerprint is given */
  address?: string | undefined
  /** The TCP port of its SSH server */
  sshPort?: number | undefined
  /** The user that signs in */
  username?: string | undefined
  /** An SSH private key without a passphrase; clear it to use the key of the server */
  privateKey?: string | undefined
  /** The SHA256:… fingerprint that the host key must have; that key is pinned */
  hostKeyFingerprint?: string | undefined
  /** Labels to set; the other labels of the host remain */
  labels?: Record<string, string> | undefined
  /** The names of labels to remove; unknown names are ignored */
  removeLabels?: readonly string[] | undefined
  /** Fields to set to null; an empty string would mean absent */
  clear?: readonly ('description' | 'privateKey')[] | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type UpdateHostAnswer = {
  /** The record after the operation */
  inventory: HostInventory
}

export type GetHostMetricsFields = {
  /** The start of the period; defaults to one hour before its end, in ISO 8601 or in the form of the times in answers; without an offset it is in the zone of the server */
  from?: string | undefined
  /** The end of the period, which does not belong to it; defaults to now, in ISO 8601 or in the form of the times in answers; without an offset it is in the zone of the server */
  to?: string | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type GetHostMetricsAnswer = {
  /** The start of the period. In UTC, or in the zone of the response header X-Time-Zone */
  from: Timestamp
  /** The end of the period. In UTC, or in the zone of the response header X-Time-Zone */
  to: Timestamp
  /** The length of an interval */
  intervalSeconds: number
  /** The intervals that have samples, oldest first */
  points: HostMetricPoint[]
}

export type QueryAccessKeyAnswer = {
  /** The matching records */
  inventories?: Partial<AccessKeyInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type CreateAccessKeyFields = {
  /** The account that this belongs to */
  accountUuid: string
  /** The user that this belongs to */
  userUuid: string
  /** Limits calls with the key to hosts by their labels, in addition to the scope of its user: conditions such as labels.team=web */
  scope?: readonly string[] | undefined
  /** Free text of at most 2048 characters */
  description?: string | undefined
  /** Generated by default */
  AccessKeyID?: string | undefined
  /** Generated by default */
  AccessKeySecret?: string | undefined
  /** The uuid of the new record; generated by default */
  resourceUuid?: string | undefined
  /** When it expires, in any format that q accepts; never by default */
  expiresDate?: string | undefined
  /** At most the role of the user, which is the default */
  role?: 'admin' | 'operator' | 'reader' | undefined
  /** Names of operations, or groups such as software-packages:*; all operations by default */
  operations?: readonly string[] | undefined
  /** Networks such as 10.0.0.0/8, or addresses; all by default */
  allowedCidrs?: readonly string[] | undefined
  /** How its calls may be signed; ["rfc9421"] rejects the older scheme; both by default */
  schemes?: readonly ('service' | 'rfc9421')[] | undefined
  /** An Ed25519 public key in PEM that verifies its signatures; the key then has no secret */
  publicKey?: string | undefined
  /** Stored on the new resource, each at most 4096 characters; one or two edits from a known pattern:: is refused */
  systemTags?: readonly string[] | undefined
  /** Free text, stored on the new resource */
  userTags?: readonly string[] | undefined
}

export type CreateAccessKeyAnswer = {
  /** The record after the operation */
  inventory: AccessKeyInventory
}

export type GetAccessKeyAnswer = {
  /** The matching records */
  inventories?: Partial<AccessKeyInventory>[]
}

export type DeleteAccessKeyFields = {
  /** Defaults to Permissive */
  deleteMode?: 'Permissive' | 'Enforcing' | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type ChangeAccessKeyStateFields = {
  /** The change of state: enable or disable */
  stateEvent: 'enable' | 'disable'
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type ChangeAccessKeyStateAnswer = {
  /** The record after the operation */
  inventory: AccessKeyInventory
}

export type RotateAccessKeyFields = {
  /** How long both secrets are accepted; defaults to 24 */
  overlapHours?: number | undefined
  /** The new public key, for a key that has one */
  publicKey?: string | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type RotateAccessKeyAnswer = {
  /** The record after the operation */
  inventory: AccessKeyInventory
}

export type QueryAccountAnswer = {
  /** The matching records */
  inventories?: Partial<AccountInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type CreateAccountFields = {
  /** A name of at most 255 characters */
  name: string
  /** In clear, or its lower-case hex SHA-512 */
  password: string
  /** The role of the built-in user; defaults to operator */
  role?: 'admin' | 'operator' | 'reader' | undefined
  /** The scope of the built-in user. Limits the user to hosts by their labels, and to the records on them: conditions such as labels.team=web, of which a host must meet all; an empty list is not a limit */
  scope?: readonly string[] | undefined
  /** Free text of at most 2048 characters */
  description?: string | undefined
  /** The uuid of the new record; generated by default */
  resourceUuid?: string | undefined
  /** Stored on the new resource, each at most 4096 characters; one or two edits from a known pattern:: is refused */
  systemTags?: readonly string[] | undefined
  /** Free text, stored on the new resource */
  userTags?: readonly string[] | undefined
}

export type CreateAccountAnswer = {
  /** The record after the operation */
  inventory: AccountInventory
}

export type LogInByAccountFields = {
  /** The name of the account */
  accountName: string
  /** In clear, or its lower-case hex SHA-512 */
  password: string
  /** For a user who must prove a second factor (ID.1007): a code of the authenticator app, a recovery code, or the assertion of a passkey as JSON */
  secondFactor?: string | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type LogInByAccountAnswer = {
  /** The record after the operation */
  inventory: SessionInventory
}

export type QuerySessionAnswer = {
  /** The matching records */
  inventories?: Partial<SessionRecordInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type LogOutFields = {
  /** Defaults to Permissive */
  deleteMode?: 'Permissive' | 'Enforcing' | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type EndSessionFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type ValidateSessionFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type ValidateSessionAnswer = {
  /** True while the session has not ended */
  valid: boolean
}

export type LogInByUserFields = {
  /** The account of the user, by its name */
  accountName?: string | undefined
  /** The account of the user, by its uuid */
  accountUuid?: string | undefined
  /** The name of the user in the account */
  userName: string
  /** In clear, or its lower-case hex SHA-512 */
  password: string
  /** For a user who must prove a second factor (ID.1007): a code of the authenticator app, a recovery code, or the assertion of a passkey as JSON */
  secondFactor?: string | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type LogInByUserAnswer = {
  /** The record after the operation */
  inventory: SessionInventory
}

export type GetAccountAnswer = {
  /** The matching records */
  inventories?: Partial<AccountInventory>[]
}

export type DeleteAccountFields = {
  /** Defaults to Permissive */
  deleteMode?: 'Permissive' | 'Enforcing' | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type UpdateAccountFields = {
  /** The new password, in clear or as its lower-case hex SHA-512 */
  password?: string | undefined
  /** The current password, in either form */
  oldPassword?: string | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type UpdateAccountAnswer = {
  /** The record after the operation */
  inventory: AccountInventory
}

export type GetCallerIdentityFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type GetCallerIdentityAnswer = {
  /** The record after the operation */
  inventory: CallerIdentityInventory
}

export type ChangeOwnPasswordFields = {
  /** The current password, in clear or as its lower-case hex SHA-512 */
  oldPassword: string
  /** The new password, in either form */
  password: string
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type ChangeOwnPasswordAnswer = {
  /** The record after the operation */
  inventory: UserInventory
}

export type ConfirmAuthenticatorFields = {
  /** The code that the app shows */
  code: string
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type ConfirmAuthenticatorAnswer = {
  /** Ten codes that replace the second factor once each; null if the user has some already */
  recoveryCodes: string[] | null
}

export type CreatePasskeyFields = {
  /** To recognise the device */
  name: string
  /** JSON: what navigator.credentials.create returned */
  response: string
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type CreatePasskeyAnswer = {
  /** The record after the operation */
  inventory: PasskeyInventory
  /** Ten codes that replace the second factor once each; null if the user has some already */
  recoveryCodes: string[] | null
}

export type CreatePasskeyChallengeFields = {
  /** create: for createPasskey; prove: for a secondFactor */
  purpose: 'create' | 'prove'
  /** The current password of the caller, to create a passkey */
  password?: string | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type CreatePasskeyChallengeAnswer = {
  /** JSON: the options of navigator.credentials */
  options: string | null
}

export type CreateRecoveryCodesFields = {
  /** The current password of the caller */
  password: string
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type CreateRecoveryCodesAnswer = {
  /** Ten codes that replace the second factor once each; null if the user has some already */
  recoveryCodes: string[] | null
}

export type EnrolAuthenticatorFields = {
  /** The current password of the caller */
  password: string
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type EnrolAuthenticatorAnswer = {
  /** In Base32, to type into the app */
  secret: string | null
  /** The otpauth URI of the QR code */
  uri: string | null
}

export type RemoveAuthenticatorFields = {
  /** Proves a second factor before the removal: a code of the authenticator app, a recovery code, or the assertion of a passkey as JSON */
  secondFactor: string
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type RemovePasskeyFields = {
  /** The uuid of the passkey */
  passkey: string
  /** Proves a second factor before the removal: a code of the authenticator app, a recovery code, or the assertion of a passkey as JSON */
  secondFactor: string
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type GetSecondFactorsFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type GetSecondFactorsAnswer = {
  /** The record after the operation */
  inventory: SecondFactorInventory
}

export type ConfirmDeviceLoginFields = {
  /** The code that the device shows; case, spaces and dashes do not matter */
  userCode: string
  /** The role of the key, at most that of the caller, which is the default */
  role?: 'admin' | 'operator' | 'reader' | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type ConfirmDeviceLoginAnswer = {
  /** The record after the operation */
  inventory: DeviceLoginInventory
}

export type DenyDeviceLoginFields = {
  /** The code that the device shows; case, spaces and dashes do not matter */
  userCode: string
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type DenyDeviceLoginAnswer = {
  /** The record after the operation */
  inventory: DeviceLoginInventory
}

export type FindDeviceLoginFields = {
  /** The code that the device shows; case, spaces and dashes do not matter */
  userCode: string
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type FindDeviceLoginAnswer = {
  /** The record after the operation */
  inventory: DeviceLoginInventory
}

export type LogInByOidcFields = {
  /** The provider whose callback address the browser was sent back to */
  provider: string
  /** The query with which the provider sent the browser back, such as `code=…&state=…` */
  response: string
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type LogInByOidcAnswer = {
  /** The record after the operation */
  inventory: SessionInventory
}

export type ListOidcProvidersFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type ListOidcProvidersAnswer = {
  /** In the order of WHARF_OIDC_FILE */
  inventories: OidcProviderInventory[]
}

export type StartOidcSignInFields = {
  /** The id of the provider */
  provider: string
  /** The address of this API as the browser reaches it, such as https://example.com/wharf, where a proxy hides it from the server; the provider sends the browser back there */
  address?: string | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type StartOidcSignInAnswer = {
  /** The address of the provider to open; valid for ten minutes */
  url: string
}

export type QueryUserAnswer = {
  /** The matching records */
  inventories?: Partial<UserInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type CreateUserFields = {
  /** Defaults to the account of the caller */
  accountUuid?: string | undefined
  /** A name of at most 255 characters */
  name: string
  /** In clear, or its lower-case hex SHA-512 */
  password: string
  /** Defaults to reader */
  role?: 'admin' | 'operator' | 'reader' | undefined
  /** Limits the user to hosts by their labels, and to the records on them: conditions such as labels.team=web, of which a host must meet all; an empty list is not a limit */
  scope?: readonly string[] | undefined
  /** Free text of at most 2048 characters */
  description?: string | undefined
  /** The uuid of the new record; generated by default */
  resourceUuid?: string | undefined
  /** Stored on the new resource, each at most 4096 characters; one or two edits from a known pattern:: is refused */
  systemTags?: readonly string[] | undefined
  /** Free text, stored on the new resource */
  userTags?: readonly string[] | undefined
}

export type CreateUserAnswer = {
  /** The record after the operation */
  inventory: UserInventory
}

export type GetUserAnswer = {
  /** The matching records */
  inventories?: Partial<UserInventory>[]
}

export type DeleteUserFields = {
  /** Defaults to Permissive */
  deleteMode?: 'Permissive' | 'Enforcing' | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type EndSessionsFields = {
  /** Do not end the session that makes this call; defaults to false */
  keepCurrent?: boolean | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type EndSessionsAnswer = {
  /** The number of sessions that were ended */
  endedCount: number
}

export type RemoveSecondFactorsFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type RemoveSecondFactorsAnswer = {
  /** The record after the operation */
  inventory: UserInventory
}

export type UpdateUserFields = {
  /** The new password, in clear or as its lower-case hex SHA-512 */
  password?: string | undefined
  /** What the user may do: admin, operator or reader */
  role?: 'admin' | 'operator' | 'reader' | undefined
  /** The new scope. Limits the user to hosts by their labels, and to the records on them: conditions such as labels.team=web, of which a host must meet all; an empty list is not a limit */
  scope?: readonly string[] | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type UpdateUserAnswer = {
  /** The record after the operation */
  inventory: UserInventory
}

export type QueryApiJobAnswer = {
  /** The matching records */
  inventories?: Partial<ApiJobInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type CancelApiJobFields = {
  /** Defaults to Permissive */
  deleteMode?: 'Permissive' | 'Enforcing' | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type RetryApiJobFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type RetryApiJobAnswer = {
  /** The record after the operation */
  inventory: ApiJobInventory
}

export type GetApiJobLogLinesFields = {
  /** Only lines after the one with this number; defaults to 0 */
  after?: number | undefined
  /** The most lines to return; defaults to 1000 */
  limit?: number | undefined
  /** Only lines that contain this text, in upper or lower case, whatever its colours */
  contains?: string | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type GetApiJobLogLinesAnswer = {
  /** In their order */
  lines: ApiJobLogLine[]
  /** The number of the last line that is written so far; 0 for an empty log */
  lastNumber: number
  /** The `after` of the next call; null when the last line has been read */
  nextAfter: number | null
}

export type GetApiJobStepsFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type GetApiJobStepsAnswer = {
  /** In the order in which they run */
  steps: ApiJobStep[]
  /** The number of the log line with the start of the failure; null for a job without one */
  failureFirstLine: number | null
  /** The number of the log line with the end of the failure */
  failureLastLine: number | null
}

export type QueryMaintenanceWindowAnswer = {
  /** The matching records */
  inventories?: Partial<MaintenanceWindowInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type CreateMaintenanceWindowFields = {
  /** A name of at most 255 characters */
  name: string
  /** Conditions on hosts, as in q; the window restricts the hosts that match all of them, and every host when the list is empty */
  selector?: readonly string[] | undefined
  /** When it opens: minute, hour, day of the month, month and day of the week, as in crontab */
  cron: string
  /** How long it is open */
  durationMinutes: number
  /** The IANA time zone of cron, such as Europe/Berlin; defaults to UTC */
  timeZone?: string | undefined
  /** In the last minutes of the window no host is started; shorter than the window */
  cutoffMinutes?: number | undefined
  /** The uuid of the new record; generated by default */
  resourceUuid?: string | undefined
  /** Tags to attach to it */
  tagUuids?: readonly string[] | undefined
  /** Stored on the new resource, each at most 4096 characters; one or two edits from a known pattern:: is refused */
  systemTags?: readonly string[] | undefined
  /** Free text, stored on the new resource */
  userTags?: readonly string[] | undefined
}

export type CreateMaintenanceWindowAnswer = {
  /** The record after the operation */
  inventory: MaintenanceWindowInventory
}

export type GetMaintenanceWindowAnswer = {
  /** The matching records */
  inventories?: Partial<MaintenanceWindowInventory>[]
}

export type DeleteMaintenanceWindowFields = {
  /** Defaults to Permissive */
  deleteMode?: 'Permissive' | 'Enforcing' | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type UpdateMaintenanceWindowFields = {
  /** A name of at most 255 characters */
  name?: string | undefined
  /** Conditions on hosts, as in q; the window restricts the hosts that match all of them, and every host when the list is empty */
  selector?: readonly string[] | undefined
  /** When it opens: minute, hour, day of the month, month and day of the week, as in crontab */
  cron?: string | undefined
  /** How long it is open */
  durationMinutes?: number | undefined
  /** The IANA time zone of cron, such as Europe/Berlin */
  timeZone?: string | undefined
  /** In the last minutes of the window no host is started; shorter than the window */
  cutoffMinutes?: number | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type UpdateMaintenanceWindowAnswer = {
  /** The record after the operation */
  inventory: MaintenanceWindowInventory
}

export type QueryManagementNodeAnswer = {
  /** The matching records */
  inventories?: Partial<ManagementNodeInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type GetManagementNodeAnswer = {
  /** The matching records */
  inventories?: Partial<ManagementNodeInventory>[]
}

export type GetServerSshKeyFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type GetServerSshKeyAnswer = {
  /** One line for authorized_keys on the host */
  publicKey: string
  /** SHA256:…, as printed by ssh-keygen -l */
  fingerprint: string
}

export type GetMigrateImagesFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type GetMigrateImagesAnswer = {
  /** By role: GatewayImage, LinuxBootImage, WindowsBootImage */
  images: Record<string, MigrateImage>
}

export type GetMigrateVmInstancesFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type GetMigrateVmInstancesAnswer = {
  /** Null while none is installed */
  managementVmInstanceUuid: string | null
  /** The virtual machines of the migration gateway, including the management one */
  gatewayVmInstances: GatewayVmInstance[]
}

export type CreateMigrateVmInstanceFields = {
  /** A name of at most 255 characters */
  name: string
  /** The host that it runs on */
  hostUuid: string
  /** Free text of at most 2048 characters */
  description?: string | undefined
  /** Virtual processors; defaults to 1 */
  cpu?: number | undefined
  /** Defaults to 1 GiB */
  memoryBytes?: number | undefined
  /** network:<name> of libvirt, bridge:<name> of the host, or user; defaults to network:default, and to user where libvirt runs for an ordinary user */
  network?: string | undefined
  /** The uuid of the new record; generated by default */
  resourceUuid?: string | undefined
  /** Tags to attach to it */
  tagUuids?: readonly string[] | undefined
  /** Stored on the new resource, each at most 4096 characters; one or two edits from a known pattern:: is refused */
  systemTags?: readonly string[] | undefined
  /** Free text, stored on the new resource */
  userTags?: readonly string[] | undefined
}

export type CreateMigrateVmInstanceAnswer = {
  /** The record after the operation */
  inventory: GatewayVmInstance
}

export type DeleteMigrateVmInstanceFields = {
  /** Defaults to Permissive */
  deleteMode?: 'Permissive' | 'Enforcing' | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type QueryReleaseAnswer = {
  /** The matching records */
  inventories?: Partial<ReleaseInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type PublishReleaseFields = {
  /** An Uploaded package on backup storage whose wharf.json names install */
  softwarePackageUuid: string
  /** Free text of at most 2048 characters */
  description?: string | undefined
  /** The uuid of the new record; generated by default */
  resourceUuid?: string | undefined
  /** Tags to attach to it */
  tagUuids?: readonly string[] | undefined
  /** Stored on the new resource, each at most 4096 characters; one or two edits from a known pattern:: is refused */
  systemTags?: readonly string[] | undefined
  /** Free text, stored on the new resource */
  userTags?: readonly string[] | undefined
}

export type PublishReleaseAnswer = {
  /** The record after the operation */
  inventory: ReleaseInventory
}

export type GetReleaseAnswer = {
  /** The matching records */
  inventories?: Partial<ReleaseInventory>[]
}

export type DeleteReleaseFields = {
  /** Defaults to Permissive */
  deleteMode?: 'Permissive' | 'Enforcing' | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type RetireReleaseFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type RetireReleaseAnswer = {
  /** The record after the operation */
  inventory: ReleaseInventory
}

export type QueryRolloutAnswer = {
  /** The matching records */
  inventories?: Partial<RolloutInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type CreateRolloutFields = {
  /** A name of at most 255 characters */
  name: string
  /** The uuid of a release, name@version, or name@latest for the latest Published one */
  releaseUuid: string
  /** Conditions on hosts, as in q, such as labels.role=web; hosts match all of them */
  selector?: readonly string[] | undefined
  /** The hosts, instead of a selector */
  hostUuids?: readonly string[] | undefined
  /** The configuration for the installer; its strings are Liquid templates over host: name, address, hostName, architecture and labels */
  config?: Record<string, unknown> | undefined
  /** The waves as cumulative numbers or percentages of the hosts, rounded up; the last wave contains all hosts */
  waves?: readonly (number | string)[] | undefined
  /** A label of hosts; the hosts of each of its values are spread evenly over the waves (a to z, 0 to 9 and . _ / -, at most 63 characters, first a letter or digit) */
  spreadBy?: string | undefined
  /** manual waits for promoteRollout after each wave but the last */
  promotion?: 'automatic' | 'manual' | undefined
  /** The number of hosts that are worked on at the same time, on all nodes together */
  maxParallel?: number | undefined
  /** The failed hosts that a wave may have, as a number or as a percentage of its size */
  maxFailures?: number | string | undefined
  /** What happens to a host that is disconnected or disabled: it fails, is skipped, or is waited for until targetDeadlineSeconds */
  unreachable?: 'fail' | 'skip' | 'wait' | undefined
  /** After this time the job of a host is cancelled and undone */
  targetDeadlineSeconds?: number | undefined
  /** The pause after the last host of a wave, after which every host of the wave is verified again; 0: neither */
  soakSeconds?: number | undefined
  /** Alert platforms; an alert of theirs that starts to fire after the wave has started fails its gate */
  alertPlatformUuids?: readonly string[] | undefined
  /** How often a host is tried again after a lost connection, a timeout or the loss of a node, 30 s apart */
  retries?: number | undefined
  /** What happens when a wave has too many failures, or its gate fails */
  onFailure?: 'pause' | 'rollBackWave' | 'rollBackAll' | undefined
  /** Hosts that match the selector later join at the end; the rollout is open until it is stopped */
  dynamic?: boolean | undefined
  /** When it starts; defaults to now, in ISO 8601 or in the form of the times in answers; without an offset it is in the zone of the server */
  startAt?: string | undefined
  /** The maintenance window that it observes */
  windowUuid?: string | undefined
  /** Work outside the window too; requires the role admin */
  ignoreWindow?: boolean | undefined
  /** It starts after another user has approved it */
  requiresApproval?: boolean | undefined
  /** The versions of the software that are kept on each host, the installed one included */
  keepVersions?: number | undefined
  /** Return the plan and write nothing */
  dryRun?: boolean | undefined
  /** The uuid of the new record; generated by default */
  resourceUuid?: string | undefined
  /** Tags to attach to it */
  tagUuids?: readonly string[] | undefined
  /** Stored on the new resource, each at most 4096 characters; one or two edits from a known pattern:: is refused */
  systemTags?: readonly string[] | undefined
  /** Free text, stored on the new resource */
  userTags?: readonly string[] | undefined
}

export type CreateRolloutAnswer = {
  /** The record after the operation */
  inventory: RolloutInventory | null
  /** One entry for each host */
  plan?: RolloutPlanEntry[]
}

export type GetRolloutAnswer = {
  /** The matching records */
  inventories?: Partial<RolloutInventory>[]
}

export type DeleteRolloutFields = {
  /** Defaults to Permissive */
  deleteMode?: 'Permissive' | 'Enforcing' | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type ApproveRolloutFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type ApproveRolloutAnswer = {
  /** The record after the operation */
  inventory: RolloutInventory
}

export type DenyRolloutFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type DenyRolloutAnswer = {
  /** The record after the operation */
  inventory: RolloutInventory
}

export type PauseRolloutFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type PauseRolloutAnswer = {
  /** The record after the operation */
  inventory: RolloutInventory
}

export type PromoteRolloutFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type PromoteRolloutAnswer = {
  /** The record after the operation */
  inventory: RolloutInventory
}

export type ResumeRolloutFields = {
  /** From now on work outside the maintenance window too; requires the role admin */
  ignoreWindow?: boolean | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type ResumeRolloutAnswer = {
  /** The record after the operation */
  inventory: RolloutInventory
}

export type RetryRolloutFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type RetryRolloutAnswer = {
  /** The record after the operation */
  inventory: RolloutInventory
}

export type RollBackRolloutFields = {
  /** The current wave or the whole rollout; defaults to all */
  scope?: 'wave' | 'all' | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type RollBackRolloutAnswer = {
  /** The record after the operation */
  inventory: RolloutInventory
}

export type StopRolloutFields = {
  /** What happens to running hosts; defaults to finish */
  running?: 'finish' | 'cancel' | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type StopRolloutAnswer = {
  /** The record after the operation */
  inventory: RolloutInventory
}

export type GetRolloutPlanFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type GetRolloutPlanAnswer = {
  /** One entry for each host */
  plan: RolloutPlanEntry[]
}

export type QueryRolloutTargetAnswer = {
  /** The matching records */
  inventories?: Partial<RolloutTargetInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type QueryRolloutWaveAnswer = {
  /** The matching records */
  inventories?: Partial<RolloutWaveInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type QuerySoftwarePackageAnswer = {
  /** The matching records */
  inventories?: Partial<SoftwarePackageInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type GetDirectoryUsageFields = {
  /** The management node with the folder */
  managementNodeUuid: string
  /** Absolute; when it does not exist its nearest existing parent is measured */
  directoryPath: string
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type GetDirectoryUsageAnswer = {
  /** Bytes */
  totalCapacity: number
  /** Bytes */
  availableCapacity: number
}

export type InstallSoftwarePackageFields = {
  /** Passed to the installer, at most 128 KiB; for a package on backup storage it contains hostUuid */
  config?: string | undefined
  /** installConfig::{json} may carry the fields, required ones too, and the body wins; others: accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type GetSoftwarePackageAnswer = {
  /** The matching records */
  inventories?: Partial<SoftwarePackageInventory>[]
}

export type DeleteSoftwarePackageFields = {
  /** Defaults to Permissive */
  deleteMode?: 'Permissive' | 'Enforcing' | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type RollBackSoftwarePackageFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type RollBackSoftwarePackageAnswer = {
  /** The record after the operation */
  inventory: SoftwarePackageInventory
}

export type UninstallSoftwarePackageFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type UninstallSoftwarePackageAnswer = {
  /** The record after the operation */
  inventory: SoftwarePackageInventory
}

export type UpgradeSoftwarePackageFields = {
  /** The release to install: its uuid, <name>@<version>, or <name>@latest */
  releaseUuid: string
  /** The configuration of the new version, as an object or as JSON text of at most 128 KiB; defaults to the configuration of the installed version */
  config?: string | Record<string, unknown> | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type UpgradeSoftwarePackageAnswer = {
  /** The record after the operation */
  inventory: SoftwarePackageInventory
}

export type VerifySoftwarePackageFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type VerifySoftwarePackageAnswer = {
  /** The record after the operation */
  inventory: SoftwarePackageInventory
}

export type GetSoftwarePackageConfigFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type GetSoftwarePackageConfigAnswer = {
  /** An object, or text for a package that was installed with text; null when none is stored */
  config: string | Record<string, unknown> | null
}

export type GetSoftwarePackageConfigSchemaFields = {
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type GetSoftwarePackageConfigSchemaAnswer = {
  /** The JSON Schema in wharf.json; null without one */
  configSchema: Record<string, unknown> | null
  /** The backup storage that contains it; null when it is only on a host */
  backupStorageUuid: string | null
  /** wharf.json names a program that forms a cluster */
  canFormCluster: boolean
}

export type UploadSoftwarePackageToBackupStorageFields = {
  /** A name of at most 255 characters */
  name: string
  /** The package type */
  type: string
  /** Defaults to the usable one with the most free space */
  backupStorageUuid?: string | undefined
  /** The source of the package: an http, https or file URL, upload://<name> to upload it in slices, or, for a host, release://<uuid> or release://<name>@<version>, where latest is the latest version. The system tag uploadSoftwarePackage::<MD5 or SHA-256 in hex> announces its digest, which is verified at the end */
  url: string
  /** The file to make, relative to the storage's root; returned as it is sent, with or without a leading slash */
  installPath: string
  /** The uuid of the new record; generated by default */
  resourceUuid?: string | undefined
  /** Tags to attach to it */
  tagUuids?: readonly string[] | undefined
  /** uploadConfig::{json} may carry the fields, required ones too, and the body wins; others: stored on the new resource, each at most 4096 characters; one or two edits from a known pattern:: is refused */
  systemTags?: readonly string[] | undefined
  /** Free text, stored on the new resource */
  userTags?: readonly string[] | undefined
}

export type UploadSoftwarePackageToBackupStorageAnswer = {
  /** The record after the operation */
  inventory: SoftwarePackageInventory
  /** With upload://, one uploadUrl::<url> that receives the slices (tus 1.0.0) */
  systemTags?: string[]
}

export type UploadSoftwarePackageFields = {
  /** A name of at most 255 characters */
  name: string
  /** The package type */
  type: string
  /** The management node that runs the operation */
  managementNodeUuid: string
  /** The host to transfer it to */
  hostUuid: string
  /** The source of the package: an http, https or file URL, upload://<name> to upload it in slices, or, for a host, release://<uuid> or release://<name>@<version>, where latest is the latest version. The system tag uploadSoftwarePackage::<MD5 or SHA-256 in hex> announces its digest, which is verified at the end */
  url: string
  /** The absolute path of the new file on the host; it must not exist */
  installPath: string
  /** The uuid of the new record; generated by default */
  resourceUuid?: string | undefined
  /** Tags to attach to it */
  tagUuids?: readonly string[] | undefined
  /** uploadConfig::{json} may carry the fields, required ones too, and the body wins; others: stored on the new resource, each at most 4096 characters; one or two edits from a known pattern:: is refused */
  systemTags?: readonly string[] | undefined
  /** Free text, stored on the new resource */
  userTags?: readonly string[] | undefined
}

export type UploadSoftwarePackageAnswer = {
  /** The record after the operation */
  inventory: SoftwarePackageInventory
  /** With upload://, one uploadUrl::<url> that receives the slices (tus 1.0.0) */
  systemTags?: string[]
}

export type QuerySystemTagAnswer = {
  /** The matching records */
  inventories?: Partial<SystemTagInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type GetSystemTagAnswer = {
  /** The matching records */
  inventories?: Partial<SystemTagInventory>[]
}

export type QueryTagAnswer = {
  /** The matching records */
  inventories?: Partial<TagInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type CreateTagFields = {
  /** A name of at most 255 characters */
  name: string
  /** A colour name or #rrggbb */
  color?: string | undefined
  /** The uuid of the new record; generated by default */
  resourceUuid?: string | undefined
  /** Stored on the new resource, each at most 4096 characters; one or two edits from a known pattern:: is refused */
  systemTags?: readonly string[] | undefined
  /** Free text, stored on the new resource */
  userTags?: readonly string[] | undefined
}

export type CreateTagAnswer = {
  /** The record after the operation */
  inventory: TagInventory
}

export type GetTagAnswer = {
  /** The matching records */
  inventories?: Partial<TagInventory>[]
}

export type DeleteTagFields = {
  /** Defaults to Permissive */
  deleteMode?: 'Permissive' | 'Enforcing' | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export type QueryUserTagAnswer = {
  /** The matching records */
  inventories?: Partial<UserTagInventory>[]
  /** The number of matching records, with count or replyWithCount */
  total?: number
}

export type CreateUserTagFields = {
  /** The record to attach the tag to */
  resourceUuid: string
  /** The type of that record, such as Host or SoftwarePackage */
  resourceType: string
  /** The name of a created tag, or any text */
  tag: string
  /** Stored on the new resource, each at most 4096 characters; one or two edits from a known pattern:: is refused */
  systemTags?: readonly string[] | undefined
  /** Free text, stored on the new resource */
  userTags?: readonly string[] | undefined
}

export type CreateUserTagAnswer = {
  /** The record after the operation */
  inventory: UserTagInventory
}

export type GetUserTagAnswer = {
  /** The matching records */
  inventories?: Partial<UserTagInventory>[]
}

export type DeleteUserTagFields = {
  /** Defaults to Permissive */
  deleteMode?: 'Permissive' | 'Enforcing' | undefined
  /** Accepted and ignored */
  systemTags?: readonly string[] | undefined
  /** Accepted and ignored */
  userTags?: readonly string[] | undefined
}

export interface AlertsMethods extends AllRecords<ThirdpartyAlertInventory>, OneRecord<ThirdpartyAlertInventory> {
  /**
   * Query alerts
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QueryThirdpartyAlertAnswer>
  /**
   * Count the received alerts by time and severity
   *
   * Permission: read. Since: wharf-1.1.0.
   */
  getHistogram(fields?: GetThirdpartyAlertHistogramFields, options?: JobCallOptions): Promise<GetThirdpartyAlertHistogramAnswer>
  /**
   * Get one of the alerts by its uuid
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  get(uuid: string, fields?: GetFields, options?: JobCallOptions): Promise<GetThirdpartyAlertAnswer>
  /**
   * Acknowledge a firing alert: it sends no further message until it is resolved, which is still reported
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  acknowledge(uuid: string, fields?: AcknowledgeThirdpartyAlertFields, options?: JobCallOptions): Promise<AcknowledgeThirdpartyAlertAnswer>
  /**
   * Silence an alert: until then, alerts of the platform with its fingerprint are stored but send no message
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  silence(uuid: string, fields: SilenceThirdpartyAlertFields, options?: JobCallOptions): Promise<SilenceThirdpartyAlertAnswer>
  /**
   * End the silence of an alert now
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  unsilence(uuid: string, fields?: UnsilenceThirdpartyAlertFields, options?: JobCallOptions): Promise<UnsilenceThirdpartyAlertAnswer>
}

export interface AlertPlatformsMethods extends AllRecords<ThirdPartyPlatformInventory>, OneRecord<ThirdPartyPlatformInventory> {
  /**
   * Query alert platforms
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QueryThirdpartyPlatformAnswer>
  /**
   * Create an alert platform without a cluster, for an existing Alertmanager
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  create(fields: CreateThirdpartyPlatformFields, options?: JobCallOptions): Promise<CreateThirdpartyPlatformAnswer>
  /**
   * Get one of the alert platforms by its uuid
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  get(uuid: string, fields?: GetFields, options?: JobCallOptions): Promise<GetThirdpartyPlatformAnswer>
  /**
   * Delete an alert platform with its alerts; its webhook returns 404
   *
   * Permission: operate. Since: wharf-1.0.0.
   */
  delete(uuid: string, fields?: DeleteThirdpartyPlatformFields, options?: JobCallOptions): Promise<Record<never, never>>
  /**
   * Render a template with an alert; nothing is stored or sent
   *
   * Permission: operate. Since: wharf-1.0.0.
   */
  previewTemplate(uuid: string, fields: PreviewTemplateFields, options?: JobCallOptions): Promise<PreviewTemplateAnswer>
  /**
   * Create a new token for sending alerts; the old one is rejected from then on
   *
   * Permission: operate. Since: wharf-1.0.0.
   */
  resetToken(uuid: string, fields?: ResetThirdpartyTokenFields, options?: JobCallOptions): Promise<ResetThirdpartyTokenAnswer>
  /**
   * Rename an alert platform, change its template, enable or disable it
   *
   * Permission: operate. Since: wharf-1.0.0.
   */
  update(uuid: string, fields?: UpdateThirdpartyPlatformFields, options?: JobCallOptions): Promise<UpdateThirdpartyPlatformAnswer>
}

export interface AuditDigestsMethods extends AllRecords<AuditDigestInventory>, OneRecord<AuditDigestInventory> {
  /**
   * Query audit digests
   *
   * Permission: administer. Since: wharf-1.1.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QueryAuditDigestAnswer>
  /**
   * Get the public key that verifies the signatures of audit digests
   *
   * Permission: administer. Since: wharf-1.1.0.
   */
  publicKey(fields?: GetAuditPublicKeyFields, options?: JobCallOptions): Promise<GetAuditPublicKeyAnswer>
  /**
   * Get one of the audit digests by its uuid
   *
   * Permission: administer. Since: wharf-1.1.0.
   */
  get(uuid: string, fields?: GetFields, options?: JobCallOptions): Promise<GetAuditDigestAnswer>
}

export interface AuditEntriesMethods extends AllRecords<AuditEntryInventory>, OneRecord<AuditEntryInventory> {
  /**
   * Query audit entries
   *
   * Permission: administer. Since: wharf-1.1.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QueryAuditEntryAnswer>
  /**
   * Get one of the audit entries by its uuid
   *
   * Permission: administer. Since: wharf-1.1.0.
   */
  get(uuid: string, fields?: GetFields, options?: JobCallOptions): Promise<GetAuditEntryAnswer>
}

export interface BackupStorageMethods extends AllRecords<BackupStorageInventory>, OneRecord<BackupStorageInventory> {
  /**
   * Query backup storage
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QueryBackupStorageAnswer>
  /**
   * Add a backup storage after testing it
   *
   * Permission: administer. Since: wharf-1.0.0.
   */
  add(fields: AddBackupStorageFields, options?: JobCallOptions): Promise<AddBackupStorageAnswer>
  /**
   * Get one of the backup storage by its uuid
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  get(uuid: string, fields?: GetFields, options?: JobCallOptions): Promise<GetBackupStorageAnswer>
  /**
   * Remove a backup storage from Wharf; rejected while packages are on it
   *
   * Permission: administer. Since: wharf-1.0.0.
   */
  delete(uuid: string, fields?: DeleteBackupStorageFields, options?: JobCallOptions): Promise<Record<never, never>>
  /**
   * Enable or disable a backup storage; only enabled ones receive packages
   *
   * Permission: administer. Since: wharf-1.0.0.
   */
  changeState(uuid: string, fields: ChangeBackupStorageStateFields, options?: JobCallOptions): Promise<ChangeBackupStorageStateAnswer>
  /**
   * Reconnect a backup storage now, without waiting for the next probe
   *
   * Permission: administer. Since: wharf-1.0.0.
   */
  reconnect(uuid: string, fields?: ReconnectBackupStorageFields, options?: JobCallOptions): Promise<ReconnectBackupStorageAnswer>
  /**
   * Change a backup storage. A changed url or credential is tested before it is saved, and its packages must be found there; otherwise nothing changes
   *
   * Permission: administer. Since: wharf-1.1.0.
   */
  update(uuid: string, fields?: UpdateBackupStorageFields, options?: JobCallOptions): Promise<UpdateBackupStorageAnswer>
}

export interface CandidateHostsMethods {
  /**
   * List hosts that announce themselves and are not added yet
   *
   * Permission: read. Since: 3.6.0.
   */
  list(fields?: GetCandidateMiniHostsFields, options?: JobCallOptions): Promise<GetCandidateMiniHostsAnswer>
}

export interface ChatEndpointsMethods extends AllRecords<ChatAppEndpointInventory>, OneRecord<ChatAppEndpointInventory> {
  /**
   * Query chat endpoints
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QueryChatAppEndpointAnswer>
  /**
   * Create a chat endpoint: a group chat that receives alerts and events of Wharf itself
   *
   * Permission: administer. Since: wharf-1.0.0.
   */
  create(fields: CreateChatAppEndpointFields, options?: JobCallOptions): Promise<CreateChatAppEndpointAnswer>
  /**
   * Get one of the chat endpoints by its uuid
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  get(uuid: string, fields?: GetFields, options?: JobCallOptions): Promise<GetChatAppEndpointAnswer>
  /**
   * Delete a chat endpoint with its persons and deliveries
   *
   * Permission: administer. Since: wharf-1.0.0.
   */
  delete(uuid: string, fields?: DeleteChatAppEndpointFields, options?: JobCallOptions): Promise<Record<never, never>>
  /**
   * Change a chat endpoint; a disabled one receives nothing
   *
   * Permission: administer. Since: wharf-1.0.0.
   */
  update(uuid: string, fields?: UpdateChatAppEndpointFields, options?: JobCallOptions): Promise<UpdateChatAppEndpointAnswer>
  /**
   * Send a test message, with the mentions that an alert would have
   *
   * Permission: administer. Since: wharf-1.0.0.
   */
  test(uuid: string, fields?: TestChatAppEndpointFields, options?: JobCallOptions): Promise<Record<never, never>>
}

export interface AtPersonsMethods extends AllRecords<SNSChatAppAtPersonInventory>, OneRecord<SNSChatAppAtPersonInventory> {
  /**
   * Query persons to mention
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QueryAtPersonAnswer>
  /**
   * Add a person that a chat endpoint mentions
   *
   * Permission: operate. Since: 4.2.0.
   */
  add(fields: AddSNSChatAppAtPersonFields, options?: JobCallOptions): Promise<AddSNSChatAppAtPersonAnswer>
  /**
   * Get one of the persons to mention by its uuid
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  get(uuid: string, fields?: GetFields, options?: JobCallOptions): Promise<GetAtPersonAnswer>
  /**
   * Remove a person that a chat endpoint mentions
   *
   * Permission: operate. Since: wharf-1.0.0.
   */
  delete(uuid: string, fields?: DeleteAtPersonFields, options?: JobCallOptions): Promise<Record<never, never>>
  /**
   * Change the user id or the remark of a person to mention
   *
   * Permission: operate. Since: wharf-1.0.0.
   */
  update(uuid: string, fields?: UpdateAtPersonFields, options?: JobCallOptions): Promise<UpdateAtPersonAnswer>
}

export interface DeliveriesMethods extends AllRecords<DeliveryInventory>, OneRecord<DeliveryInventory> {
  /**
   * Query deliveries
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QueryDeliveryAnswer>
  /**
   * Get one of the deliveries by its uuid
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  get(uuid: string, fields?: GetFields, options?: JobCallOptions): Promise<GetDeliveryAnswer>
  /**
   * Retry a failed delivery
   *
   * Permission: operate. Since: wharf-1.0.0.
   */
  resend(uuid: string, fields?: ResendDeliveryFields, options?: JobCallOptions): Promise<ResendDeliveryAnswer>
}

export interface ClusterPluginsMethods extends AllRecords<ClusterPluginInventory>, OneRecord<ClusterPluginInventory> {
  /**
   * Query cluster plugins
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QueryClusterPluginAnswer>
  /**
   * Add a cluster component, new or already running
   *
   * Permission: operate. Since: 4.10.6.
   */
  add(fields: AddClusterPluginFields, options?: JobCallOptions): Promise<AddClusterPluginAnswer>
  /**
   * Form the cluster from three nodes and an installed package
   *
   * Permission: operate. Since: 4.10.6.
   */
  configure(fields: UpdateClusterConfigFields, options?: JobCallOptions): Promise<UpdateClusterConfigAnswer>
  /**
   * Get one of the cluster plugins by its uuid
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  get(uuid: string, fields?: GetFields, options?: JobCallOptions): Promise<GetClusterPluginAnswer>
  /**
   * Remove a cluster plugin and its alert platform; the cluster keeps its data
   *
   * Permission: operate. Since: 4.10.6.
   */
  remove(uuid: string, fields?: RemoveClusterPluginFields, options?: JobCallOptions): Promise<Record<never, never>>
  /**
   * Configure the component again to send its alerts, after its token was reset or a package was installed
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  attachAlerts(uuid: string, fields?: AttachClusterPluginAlertsFields, options?: JobCallOptions): Promise<AttachClusterPluginAlertsAnswer>
  /**
   * Get the generated password of a cluster, once
   *
   * Permission: administer. Since: wharf-1.0.0.
   */
  revealCredential(uuid: string, fields?: RevealClusterCredentialFields, options?: JobCallOptions): Promise<RevealClusterCredentialAnswer>
  /**
   * Change the name of a cluster plugin, or its token, which is verified before it is stored
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  update(uuid: string, fields?: UpdateClusterPluginFields, options?: JobCallOptions): Promise<UpdateClusterPluginAnswer>
  /**
   * Get whether the component of a cluster sends its alerts to Wharf, and what is missing
   *
   * Permission: read. Since: wharf-1.1.0.
   */
  getAlertAttachment(uuid: string, fields?: GetClusterPluginAlertAttachmentFields, options?: JobCallOptions): Promise<GetClusterPluginAlertAttachmentAnswer>
  /**
   * Receive the alerts of a cluster: one alert platform per plugin
   *
   * Permission: operate. Since: 4.10.6.
   */
  createAlertPlatform(uuid: string, fields?: CreateClusterPluginAlertPlatformFields, options?: JobCallOptions): Promise<CreateClusterPluginAlertPlatformAnswer>
}

export interface ClusterAlertPlatformsMethods extends AllRecords<ClusterPluginThirdPartyPlatformAlertRefInventory> {
  /**
   * Query alert platforms of cluster plugins
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QueryClusterPluginAlertPlatformAnswer>
}

export interface ElaborationsMethods {
  /**
   * Reload the files of WHARF_ELABORATIONS on the node that answers; all of them or none
   *
   * Permission: administer. Since: wharf-1.0.0.
   */
  reload(fields?: ReloadElaborationFields, options?: JobCallOptions): Promise<Record<never, never>>
  /**
   * Explain an error text, search the explanations, or get them by error code
   *
   * Permission: read. Since: 3.3.0.
   */
  find(fields?: GetElaborationsFields, options?: JobCallOptions): Promise<GetElaborationsAnswer>
  /**
   * List the categories that have elaborations
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  categories(fields?: GetElaborationCategoriesFields, options?: JobCallOptions): Promise<GetElaborationCategoriesAnswer>
  /**
   * Validate elaborations before they are installed
   *
   * Permission: operate. Since: wharf-1.0.0.
   */
  check(fields?: CheckElaborationContentFields, options?: JobCallOptions): Promise<CheckElaborationContentAnswer>
}

export interface HostsMethods extends AllRecords<HostInventory>, OneRecord<HostInventory> {
  /**
   * Query hosts
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QueryHostAnswer>
  /**
   * Add a host: connect to it, pin its key and read its properties
   *
   * Permission: administer. Since: wharf-1.0.0.
   */
  add(fields: AddHostFields, options?: JobCallOptions): Promise<AddHostAnswer>
  /**
   * Get the host keys that a machine offers, without signing in or adding it; ssh uses the first
   *
   * Permission: administer. Since: wharf-1.0.0.
   */
  getKeys(fields: GetHostKeysFields, options?: JobCallOptions): Promise<GetHostKeysAnswer>
  /**
   * Get one of the hosts by its uuid
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  get(uuid: string, fields?: GetFields, options?: JobCallOptions): Promise<GetHostAnswer>
  /**
   * Remove a host from Wharf; rejected while packages are on it
   *
   * Permission: administer. Since: wharf-1.0.0.
   */
  delete(uuid: string, fields?: DeleteHostFields, options?: JobCallOptions): Promise<Record<never, never>>
  /**
   * Enable or disable a host; only enabled hosts receive work
   *
   * Permission: administer. Since: wharf-1.0.0.
   */
  changeState(uuid: string, fields: ChangeHostStateFields, options?: JobCallOptions): Promise<ChangeHostStateAnswer>
  /**
   * Reconnect a host now, without waiting for the next probe
   *
   * Permission: administer. Since: wharf-1.0.0.
   */
  reconnect(uuid: string, fields?: ReconnectHostFields, options?: JobCallOptions): Promise<ReconnectHostAnswer>
  /**
   * Replace the SSH key with which Wharf signs in to a host by a new one of its own: it is installed, tried, and only then the former one is removed from the host
   *
   * Permission: administer. Since: wharf-1.1.0.
   */
  rotateKey(uuid: string, fields?: RotateHostKeyFields, options?: JobCallOptions): Promise<RotateHostKeyAnswer>
  /**
   * Change a host. A changed connection, which requires the role admin, is tested before it is saved; if it fails, nothing changes
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  update(uuid: string, fields?: UpdateHostFields, options?: JobCallOptions): Promise<UpdateHostAnswer>
  /**
   * Get load, memory and disk usage of a host over time; samples are taken every 5 minutes and kept for 7 days
   *
   * Permission: read. Since: wharf-1.1.0.
   */
  getMetrics(uuid: string, fields?: GetHostMetricsFields, options?: JobCallOptions): Promise<GetHostMetricsAnswer>
  /**
   * Get the host keys that a machine offers, without signing in or adding it; ssh uses the first
   *
   * Permission: administer. Since: wharf-1.0.0.
   *
   * @deprecated Use hosts.getKeys.
   */
  lookAtKeys(fields: GetHostKeysFields, options?: JobCallOptions): Promise<GetHostKeysAnswer>
}

export interface AccessKeysMethods extends AllRecords<AccessKeyInventory>, OneRecord<AccessKeyInventory> {
  /**
   * Query access keys
   *
   * Permission: own. Since: wharf-1.0.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QueryAccessKeyAnswer>
  /**
   * Create an access key for a user
   *
   * Permission: own. Since: wharf-1.0.0.
   */
  create(fields: CreateAccessKeyFields, options?: JobCallOptions): Promise<CreateAccessKeyAnswer>
  /**
   * Get one of the access keys by its uuid
   *
   * Permission: own. Since: wharf-1.0.0.
   */
  get(uuid: string, fields?: GetFields, options?: JobCallOptions): Promise<GetAccessKeyAnswer>
  /**
   * Delete an access key
   *
   * Permission: own. Since: wharf-1.0.0.
   */
  delete(uuid: string, fields?: DeleteAccessKeyFields, options?: JobCallOptions): Promise<Record<never, never>>
  /**
   * Enable or disable an access key
   *
   * Permission: own. Since: wharf-1.0.0.
   */
  changeState(uuid: string, fields: ChangeAccessKeyStateFields, options?: JobCallOptions): Promise<ChangeAccessKeyStateAnswer>
  /**
   * Create a second secret for an access key; the first is accepted until the end of the overlap
   *
   * Permission: own. Since: wharf-1.1.0.
   */
  rotate(uuid: string, fields?: RotateAccessKeyFields, options?: JobCallOptions): Promise<RotateAccessKeyAnswer>
}

export interface AccountsMethods extends AllRecords<AccountInventory>, OneRecord<AccountInventory> {
  /**
   * Query accounts
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QueryAccountAnswer>
  /**
   * Create an account with its built-in user
   *
   * Permission: administer. Since: wharf-1.0.0.
   */
  create(fields: CreateAccountFields, options?: JobCallOptions): Promise<CreateAccountAnswer>
  /**
   * Get one of the accounts by its uuid
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  get(uuid: string, fields?: GetFields, options?: JobCallOptions): Promise<GetAccountAnswer>
  /**
   * Delete an account with its users, sessions and access keys
   *
   * Permission: administer. Since: wharf-1.0.0.
   */
  delete(uuid: string, fields?: DeleteAccountFields, options?: JobCallOptions): Promise<Record<never, never>>
  /**
   * Change the password of an account; only an admin may omit the old one
   *
   * Permission: own. Since: wharf-1.0.0.
   */
  update(uuid: string, fields?: UpdateAccountFields, options?: JobCallOptions): Promise<UpdateAccountAnswer>
}

export interface SessionsMethods extends AllRecords<SessionRecordInventory> {
  /**
   * Start a session as an account
   *
   * Permission: public. Since: wharf-1.0.0.
   */
  logInByAccount(fields: LogInByAccountFields, options?: JobCallOptions): Promise<LogInByAccountAnswer>
  /**
   * Query sessions
   *
   * Permission: own. Since: wharf-1.1.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QuerySessionAnswer>
  /**
   * End a session; the session id is the credential
   *
   * Permission: public. Since: wharf-1.0.0.
   */
  logOut(uuid: string, fields?: LogOutFields, options?: JobCallOptions): Promise<Record<never, never>>
  /**
   * End a session by the uuid of its record; its open streams are closed
   *
   * Permission: own. Since: wharf-1.1.0.
   */
  end(uuid: string, fields?: EndSessionFields, options?: JobCallOptions): Promise<Record<never, never>>
  /**
   * Check whether a session is valid, without extending it
   *
   * Permission: public. Since: wharf-1.0.0.
   */
  validate(uuid: string, fields?: ValidateSessionFields, options?: JobCallOptions): Promise<ValidateSessionAnswer>
  /**
   * Start a session as a user of an account
   *
   * Permission: public. Since: wharf-1.0.0.
   */
  logInByUser(fields: LogInByUserFields, options?: JobCallOptions): Promise<LogInByUserAnswer>
}

export interface IdentityMethods {
  /**
   * Get the account, user, role and scope of the caller
   *
   * Permission: own. Since: wharf-1.1.0.
   */
  caller(fields?: GetCallerIdentityFields, options?: JobCallOptions): Promise<GetCallerIdentityAnswer>
  /**
   * Change the password of the caller, who proves the current one; the other sessions of the caller end
   *
   * Permission: own. Since: wharf-1.1.0.
   */
  changePassword(fields: ChangeOwnPasswordFields, options?: JobCallOptions): Promise<ChangeOwnPasswordAnswer>
}

export interface SecondFactorsMethods {
  /**
   * Put an authenticator app into effect by its first code; from then on each sign-in requires a second factor
   *
   * Permission: own. Since: wharf-1.1.0.
   */
  confirmAuthenticator(fields: ConfirmAuthenticatorFields, options?: JobCallOptions): Promise<ConfirmAuthenticatorAnswer>
  /**
   * Store a passkey that the browser has created; from then on each sign-in requires a second factor
   *
   * Permission: own. Since: wharf-1.1.0.
   */
  createPasskey(fields: CreatePasskeyFields, options?: JobCallOptions): Promise<CreatePasskeyAnswer>
  /**
   * Create the options with which a browser creates a passkey, or proves one; valid for five minutes
   *
   * Permission: own. Since: wharf-1.1.0.
   */
  createPasskeyChallenge(fields: CreatePasskeyChallengeFields, options?: JobCallOptions): Promise<CreatePasskeyChallengeAnswer>
  /**
   * Replace the recovery codes of the caller
   *
   * Permission: own. Since: wharf-1.1.0.
   */
  createRecoveryCodes(fields: CreateRecoveryCodesFields, options?: JobCallOptions): Promise<CreateRecoveryCodesAnswer>
  /**
   * Create the secret of an authenticator app (TOTP, RFC 6238); confirmAuthenticator puts it into effect
   *
   * Permission: own. Since: wharf-1.1.0.
   */
  enrolAuthenticator(fields: EnrolAuthenticatorFields, options?: JobCallOptions): Promise<EnrolAuthenticatorAnswer>
  /**
   * Remove the authenticator app of the caller
   *
   * Permission: own. Since: wharf-1.1.0.
   */
  removeAuthenticator(fields: RemoveAuthenticatorFields, options?: JobCallOptions): Promise<Record<never, never>>
  /**
   * Remove a passkey of the caller
   *
   * Permission: own. Since: wharf-1.1.0.
   */
  removePasskey(fields: RemovePasskeyFields, options?: JobCallOptions): Promise<Record<never, never>>
  /**
   * Get the second factors of the caller
   *
   * Permission: own. Since: wharf-1.1.0.
   */
  get(fields?: GetSecondFactorsFields, options?: JobCallOptions): Promise<GetSecondFactorsAnswer>
}

export interface DeviceLoginsMethods {
  /**
   * Create an access key of the caller for the device that shows this code; it is valid for 90 days
   *
   * Permission: own. Since: wharf-1.1.0.
   */
  confirm(fields: ConfirmDeviceLoginFields, options?: JobCallOptions): Promise<ConfirmDeviceLoginAnswer>
  /**
   * Refuse the device that shows this code
   *
   * Permission: own. Since: wharf-1.1.0.
   */
  deny(fields: DenyDeviceLoginFields, options?: JobCallOptions): Promise<DenyDeviceLoginAnswer>
  /**
   * Find a sign-in that a device waits for, by the code that the device shows
   *
   * Permission: own. Since: wharf-1.1.0.
   */
  find(fields: FindDeviceLoginFields, options?: JobCallOptions): Promise<FindDeviceLoginAnswer>
}

export interface OidcMethods {
  /**
   * Start a session with the response of an identity provider, in the browser that started the sign-in
   *
   * Permission: public. Since: wharf-1.1.0.
   */
  logIn(fields: LogInByOidcFields, options?: JobCallOptions): Promise<LogInByOidcAnswer>
  /**
   * List the identity providers that users can sign in with
   *
   * Permission: public. Since: wharf-1.1.0.
   */
  providers(fields?: ListOidcProvidersFields, options?: JobCallOptions): Promise<ListOidcProvidersAnswer>
  /**
   * Start a sign-in with an identity provider; the answer sets a cookie that binds it to this browser
   *
   * Permission: public. Since: wharf-1.1.0.
   */
  start(fields: StartOidcSignInFields, options?: JobCallOptions): Promise<StartOidcSignInAnswer>
}

export interface UsersMethods extends AllRecords<UserInventory>, OneRecord<UserInventory> {
  /**
   * Query users
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QueryUserAnswer>
  /**
   * Create a user in an account
   *
   * Permission: administer. Since: wharf-1.0.0.
   */
  create(fields: CreateUserFields, options?: JobCallOptions): Promise<CreateUserAnswer>
  /**
   * Get one of the users by its uuid
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  get(uuid: string, fields?: GetFields, options?: JobCallOptions): Promise<GetUserAnswer>
  /**
   * Delete a user with its sessions and access keys
   *
   * Permission: administer. Since: wharf-1.0.0.
   */
  delete(uuid: string, fields?: DeleteUserFields, options?: JobCallOptions): Promise<Record<never, never>>
  /**
   * End all sessions of a user; its access keys stay valid
   *
   * Permission: own. Since: wharf-1.1.0.
   */
  endSessions(uuid: string, fields?: EndSessionsFields, options?: JobCallOptions): Promise<EndSessionsAnswer>
  /**
   * Remove every second factor of another user, who has lost them
   *
   * Permission: administer. Since: wharf-1.1.0.
   */
  removeSecondFactors(uuid: string, fields?: RemoveSecondFactorsFields, options?: JobCallOptions): Promise<RemoveSecondFactorsAnswer>
  /**
   * Change the password, the role or the scope of a user
   *
   * Permission: administer. Since: wharf-1.0.0.
   */
  update(uuid: string, fields?: UpdateUserFields, options?: JobCallOptions): Promise<UpdateUserAnswer>
}

export interface JobsMethods extends AllRecords<ApiJobInventory> {
  /**
   * Query jobs
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QueryApiJobAnswer>
  /**
   * Cancel a job; its finished steps are undone
   *
   * Permission: operate. Since: wharf-1.0.0.
   */
  cancel(uuid: string, fields?: CancelApiJobFields, options?: JobCallOptions): Promise<Record<never, never>>
  /**
   * Repeat the call of a failed or cancelled job, with the same input, as a new job of the caller
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  retry(uuid: string, fields?: RetryApiJobFields, options?: JobCallOptions): Promise<RetryApiJobAnswer>
  /**
   * Get a part of the log of a job, or the lines that contain a text
   *
   * Permission: read. Since: wharf-1.1.0.
   */
  logLines(uuid: string, fields?: GetApiJobLogLinesFields, options?: JobCallOptions): Promise<GetApiJobLogLinesAnswer>
  /**
   * Get the steps of a job: what each does, its state and its times
   *
   * Permission: read. Since: wharf-1.1.0.
   */
  steps(uuid: string, fields?: GetApiJobStepsFields, options?: JobCallOptions): Promise<GetApiJobStepsAnswer>
}

export interface MaintenanceWindowsMethods extends AllRecords<MaintenanceWindowInventory>, OneRecord<MaintenanceWindowInventory> {
  /**
   * Query maintenance windows
   *
   * Permission: read. Since: wharf-1.1.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QueryMaintenanceWindowAnswer>
  /**
   * Create a maintenance window: the times at which a rollout may start work on hosts
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  create(fields: CreateMaintenanceWindowFields, options?: JobCallOptions): Promise<CreateMaintenanceWindowAnswer>
  /**
   * Get one of the maintenance windows by its uuid
   *
   * Permission: read. Since: wharf-1.1.0.
   */
  get(uuid: string, fields?: GetFields, options?: JobCallOptions): Promise<GetMaintenanceWindowAnswer>
  /**
   * Delete a maintenance window; rejected while an unfinished rollout uses it
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  delete(uuid: string, fields?: DeleteMaintenanceWindowFields, options?: JobCallOptions): Promise<Record<never, never>>
  /**
   * Change a maintenance window; unfinished rollouts follow its new times at once, and keep the hosts that its selector matched when they were created
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  update(uuid: string, fields?: UpdateMaintenanceWindowFields, options?: JobCallOptions): Promise<UpdateMaintenanceWindowAnswer>
}

export interface ManagementNodesMethods extends AllRecords<ManagementNodeInventory>, OneRecord<ManagementNodeInventory> {
  /**
   * Query management nodes
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QueryManagementNodeAnswer>
  /**
   * Get one of the management nodes by its uuid
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  get(uuid: string, fields?: GetFields, options?: JobCallOptions): Promise<GetManagementNodeAnswer>
  /**
   * Get the public SSH key with which a management node signs in to hosts without a key of their own
   *
   * Permission: read. Since: wharf-1.1.0.
   */
  sshKey(uuid: string, fields?: GetServerSshKeyFields, options?: JobCallOptions): Promise<GetServerSshKeyAnswer>
}

export interface MigrationMethods {
  /**
   * List the images of the migration gateway
   *
   * Permission: read. Since: 5.0.0.
   */
  images(fields?: GetMigrateImagesFields, options?: JobCallOptions): Promise<GetMigrateImagesAnswer>
  /**
   * List the virtual machines of the migration gateway, the management VM first
   *
   * Permission: read. Since: 5.0.0.
   */
  vmInstances(fields?: GetMigrateVmInstancesFields, options?: JobCallOptions): Promise<GetMigrateVmInstancesAnswer>
  /**
   * Create a virtual machine from the gateway image and start it
   *
   * Permission: operate. Since: wharf-1.0.0.
   */
  createVmInstance(fields: CreateMigrateVmInstanceFields, options?: JobCallOptions): Promise<CreateMigrateVmInstanceAnswer>
  /**
   * Stop a gateway VM and remove it with its disk
   *
   * Permission: operate. Since: wharf-1.0.0.
   */
  deleteVmInstance(uuid: string, fields?: DeleteMigrateVmInstanceFields, options?: JobCallOptions): Promise<Record<never, never>>
}

export interface ReleasesMethods extends AllRecords<ReleaseInventory>, OneRecord<ReleaseInventory> {
  /**
   * Query releases
   *
   * Permission: read. Since: wharf-1.1.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QueryReleaseAnswer>
  /**
   * Publish a package on backup storage as a release; a package without a stored SHA-256 is read first
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  publish(fields: PublishReleaseFields, options?: JobCallOptions): Promise<PublishReleaseAnswer>
  /**
   * Get one of the releases by its uuid
   *
   * Permission: read. Since: wharf-1.1.0.
   */
  get(uuid: string, fields?: GetFields, options?: JobCallOptions): Promise<GetReleaseAnswer>
  /**
   * Delete a release that no host has installed; its package stays on backup storage
   *
   * Permission: administer. Since: wharf-1.1.0.
   */
  delete(uuid: string, fields?: DeleteReleaseFields, options?: JobCallOptions): Promise<Record<never, never>>
  /**
   * Retire a release: it is not sent to further hosts, but hosts can be rolled back to it
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  retire(uuid: string, fields?: RetireReleaseFields, options?: JobCallOptions): Promise<RetireReleaseAnswer>
}

export interface RolloutsMethods extends AllRecords<RolloutInventory>, OneRecord<RolloutInventory> {
  /**
   * Query rollouts
   *
   * Permission: read. Since: wharf-1.1.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QueryRolloutAnswer>
  /**
   * Roll a release out to hosts in waves, or with dryRun plan it without any effect
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  create(fields: CreateRolloutFields, options?: JobCallOptions): Promise<CreateRolloutAnswer>
  /**
   * Get one of the rollouts by its uuid
   *
   * Permission: read. Since: wharf-1.1.0.
   */
  get(uuid: string, fields?: GetFields, options?: JobCallOptions): Promise<GetRolloutAnswer>
  /**
   * Delete the record of a rollout that has ended; hosts are not changed
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  delete(uuid: string, fields?: DeleteRolloutFields, options?: JobCallOptions): Promise<Record<never, never>>
  /**
   * Approve a rollout that another user has created
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  approve(uuid: string, fields?: ApproveRolloutFields, options?: JobCallOptions): Promise<ApproveRolloutAnswer>
  /**
   * Deny a rollout that awaits approval; it ends
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  deny(uuid: string, fields?: DenyRolloutFields, options?: JobCallOptions): Promise<DenyRolloutAnswer>
  /**
   * Pause a rollout: no further host is started, and running hosts finish
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  pause(uuid: string, fields?: PauseRolloutFields, options?: JobCallOptions): Promise<PauseRolloutAnswer>
  /**
   * Start the next wave of a rollout with manual promotion
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  promote(uuid: string, fields?: PromoteRolloutFields, options?: JobCallOptions): Promise<PromoteRolloutAnswer>
  /**
   * Resume a paused rollout; failures and alerts so far are accepted
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  resume(uuid: string, fields?: ResumeRolloutFields, options?: JobCallOptions): Promise<ResumeRolloutAnswer>
  /**
   * Try the failed hosts of a rollout again, and only those
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  retry(uuid: string, fields?: RetryRolloutFields, options?: JobCallOptions): Promise<RetryRolloutAnswer>
  /**
   * Restore what the changed hosts of the current wave, or of the whole rollout, had before
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  rollBack(uuid: string, fields?: RollBackRolloutFields, options?: JobCallOptions): Promise<RollBackRolloutAnswer>
  /**
   * Stop a rollout: pending hosts are skipped, running ones finish or are cancelled and undone
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  stop(uuid: string, fields?: StopRolloutFields, options?: JobCallOptions): Promise<StopRolloutAnswer>
  /**
   * Get the plan of a rollout: each host with its wave, what is done with it and what blocks it now
   *
   * Permission: read. Since: wharf-1.1.0.
   */
  getPlan(uuid: string, fields?: GetRolloutPlanFields, options?: JobCallOptions): Promise<GetRolloutPlanAnswer>
}

export interface RolloutTargetsMethods extends AllParts<RolloutTargetInventory> {
  /**
   * Query the targets of a rollout: its hosts with their states
   *
   * Permission: read. Since: wharf-1.1.0.
   */
  query(uuid: string, fields?: QueryFields, options?: JobCallOptions): Promise<QueryRolloutTargetAnswer>
}

export interface RolloutWavesMethods extends AllParts<RolloutWaveInventory> {
  /**
   * Query the waves of a rollout
   *
   * Permission: read. Since: wharf-1.1.0.
   */
  query(uuid: string, fields?: QueryFields, options?: JobCallOptions): Promise<QueryRolloutWaveAnswer>
}

export interface SoftwarePackagesMethods extends AllRecords<SoftwarePackageInventory>, OneRecord<SoftwarePackageInventory> {
  /**
   * Query software packages
   *
   * Permission: read. Since: 4.10.20.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QuerySoftwarePackageAnswer>
  /**
   * Get the capacity and free space of the file system of a folder
   *
   * Permission: read. Since: 4.10.20.
   */
  directoryUsage(fields: GetDirectoryUsageFields, options?: JobCallOptions): Promise<GetDirectoryUsageAnswer>
  /**
   * Run the installer of an uploaded package on its host
   *
   * Permission: operate. Since: 4.10.20.
   */
  install(uuid: string, fields?: InstallSoftwarePackageFields, options?: JobCallOptions): Promise<Record<never, never>>
  /**
   * Get one of the software packages by its uuid
   *
   * Permission: read. Since: 4.10.20.
   */
  get(uuid: string, fields?: GetFields, options?: JobCallOptions): Promise<GetSoftwarePackageAnswer>
  /**
   * Delete a package and its files; Enforcing cancels a running job of the package
   *
   * Permission: operate. Since: wharf-1.0.0.
   */
  delete(uuid: string, fields?: DeleteSoftwarePackageFields, options?: JobCallOptions): Promise<Record<never, never>>
  /**
   * Install the previous version on the host again, with its configuration; a failure restores the current version
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  rollBack(uuid: string, fields?: RollBackSoftwarePackageFields, options?: JobCallOptions): Promise<RollBackSoftwarePackageAnswer>
  /**
   * Run the uninstaller of a package on its host; the package itself stays on the host
   *
   * Permission: operate. Since: wharf-1.0.0.
   */
  uninstall(uuid: string, fields?: UninstallSoftwarePackageFields, options?: JobCallOptions): Promise<UninstallSoftwarePackageAnswer>
  /**
   * Replace an installed package by a release of the same software; a failure restores the earlier version
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  upgrade(uuid: string, fields: UpgradeSoftwarePackageFields, options?: JobCallOptions): Promise<UpgradeSoftwarePackageAnswer>
  /**
   * Run the verify hook of an installed package and store its health; fails when the package is Unhealthy
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  verify(uuid: string, fields?: VerifySoftwarePackageFields, options?: JobCallOptions): Promise<VerifySoftwarePackageAnswer>
  /**
   * Get the configuration with which a package was installed, without the fields that its schema marks writeOnly
   *
   * Permission: administer. Since: wharf-1.1.0.
   */
  config(uuid: string, fields?: GetSoftwarePackageConfigFields, options?: JobCallOptions): Promise<GetSoftwarePackageConfigAnswer>
  /**
   * Get the configuration schema, the capabilities and the location of a software package
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  configSchema(uuid: string, fields?: GetSoftwarePackageConfigSchemaFields, options?: JobCallOptions): Promise<GetSoftwarePackageConfigSchemaAnswer>
  /**
   * Store a software package on backup storage
   *
   * Permission: operate. Since: 5.0.0.
   */
  uploadToBackupStorage(fields: UploadSoftwarePackageToBackupStorageFields, options?: JobCallOptions): Promise<UploadSoftwarePackageToBackupStorageAnswer>
  /**
   * Transfer a software package to a host and unpack it
   *
   * Permission: operate. Since: 4.10.20.
   */
  upload(fields: UploadSoftwarePackageFields, options?: JobCallOptions): Promise<UploadSoftwarePackageAnswer>
}

export interface SystemTagsMethods extends AllRecords<SystemTagInventory>, OneRecord<SystemTagInventory> {
  /**
   * Query system tags
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QuerySystemTagAnswer>
  /**
   * Get one of the system tags by its uuid
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  get(uuid: string, fields?: GetFields, options?: JobCallOptions): Promise<GetSystemTagAnswer>
}

export interface TagsMethods extends AllRecords<TagInventory>, OneRecord<TagInventory> {
  /**
   * Query tags
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QueryTagAnswer>
  /**
   * Create a tag, which other operations attach by tagUuids
   *
   * Permission: operate. Since: wharf-1.0.0.
   */
  create(fields: CreateTagFields, options?: JobCallOptions): Promise<CreateTagAnswer>
  /**
   * Get one of the tags by its uuid
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  get(uuid: string, fields?: GetFields, options?: JobCallOptions): Promise<GetTagAnswer>
  /**
   * Delete a tag and detach it from every resource
   *
   * Permission: operate. Since: wharf-1.0.0.
   */
  delete(uuid: string, fields?: DeleteTagFields, options?: JobCallOptions): Promise<Record<never, never>>
}

export interface UserTagsMethods extends AllRecords<UserTagInventory>, OneRecord<UserTagInventory> {
  /**
   * Query user tags
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  query(fields?: QueryFields, options?: JobCallOptions): Promise<QueryUserTagAnswer>
  /**
   * Attach a text, or the created tag of that name, to any record; a record that has the tag already keeps it
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  create(fields: CreateUserTagFields, options?: JobCallOptions): Promise<CreateUserTagAnswer>
  /**
   * Get one of the user tags by its uuid
   *
   * Permission: read. Since: wharf-1.0.0.
   */
  get(uuid: string, fields?: GetFields, options?: JobCallOptions): Promise<GetUserTagAnswer>
  /**
   * Remove a tag from its record
   *
   * Permission: operate. Since: wharf-1.1.0.
   */
  delete(uuid: string, fields?: DeleteUserTagFields, options?: JobCallOptions): Promise<Record<never, never>>
}

/** The methods of the client, such as `wharf.hosts.add(…)`. */
export interface Groups {
  readonly accessKeys: AccessKeysMethods
  readonly accounts: AccountsMethods
  readonly alertPlatforms: AlertPlatformsMethods
  readonly alerts: AlertsMethods
  readonly atPersons: AtPersonsMethods
  readonly auditDigests: AuditDigestsMethods
  readonly auditEntries: AuditEntriesMethods
  readonly backupStorage: BackupStorageMethods
  readonly candidateHosts: CandidateHostsMethods
  readonly chatEndpoints: ChatEndpointsMethods
  readonly clusterAlertPlatforms: ClusterAlertPlatformsMethods
  readonly clusterPlugins: ClusterPluginsMethods
  readonly deliveries: DeliveriesMethods
  readonly deviceLogins: DeviceLoginsMethods
  readonly elaborations: ElaborationsMethods
  readonly hosts: HostsMethods
  readonly identity: IdentityMethods
  readonly jobs: JobsMethods
  readonly maintenanceWindows: MaintenanceWindowsMethods
  readonly managementNodes: ManagementNodesMethods
  readonly migration: MigrationMethods
  readonly oidc: OidcMethods
  readonly releases: ReleasesMethods
  readonly rolloutTargets: RolloutTargetsMethods
  readonly rolloutWaves: RolloutWavesMethods
  readonly rollouts: RolloutsMethods
  readonly secondFactors: SecondFactorsMethods
  readonly sessions: SessionsMethods
  readonly softwarePackages: SoftwarePackagesMethods
  readonly systemTags: SystemTagsMethods
  readonly tags: TagsMethods
  readonly userTags: UserTagsMethods
  readonly users: UsersMethods
}

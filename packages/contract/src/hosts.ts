import { hostErrors } from './errors.ts'
import { LabelName, Labels, labelNameRule, maxLabels } from './host-labels.ts'
import { alias, inventory, operation } from './operation.ts'
import { queryOperations } from './query.ts'
import {
  Choice,
  Description,
  Double,
  Flag,
  Integer,
  List,
  Long,
  Name,
  optional,
  orNull,
  Sealed,
  SecretText,
  Text,
  Timestamp,
  Uuid,
} from './schema.ts'
import { clearable, creationFields, deletionFields, periodFields, probeFailure } from './shared-fields.ts'

const since = 'wharf-1.0.0'
const resource = 'hosts'

export const resourceStates = ['Enabled', 'Disabled'] as const
export const stateEvents = ['enable', 'disable'] as const
export const connectionStatuses = ['Connecting', 'Connected', 'Disconnected'] as const
const drivers = ['ssh', 'local'] as const

/** Longer than any usual SSH key. */
export const maxPrivateKeyLength = 16 * 1024

export const HostInventory = inventory({
  name: 'HostInventory',
  since,
  events: ['Host'],
  table: 'hosts',
  scope: { host: 'uuid' },
  routine: ['totalCapacity', 'availableCapacity', 'isPackagesPathGiven'],
  fields: {
    uuid: Uuid(),
    name: Name(),
    description: orNull(Description()),
    driver: Choice(drivers, {
      description:
        'local is the machine of a management node: packages run as the user of the server, so changes require the role admin',
    }),
    address: Name({ description: 'The host name or IP address at which Wharf connects to it' }),
    sshPort: orNull(Integer(1, 65_535, { description: 'The TCP port of its SSH server; null with driver local' })),
    username: orNull(Name({ description: 'The user that signs in over SSH; null with driver local' })),
    hostKeyFingerprint: orNull(
      Text(255, { description: 'The SHA256:… fingerprint of the pinned host key; null with driver local' }),
    ),
    managementNodeUuid: orNull(Uuid({ description: 'With driver local, the management node on this machine' })),
    state: Choice(resourceStates, {
      description: 'A disabled host gets no new work; running work continues, and the host is still probed',
    }),
    status: Choice(connectionStatuses, {
      description: 'Connecting until it has been added; then the result of the last probe',
    }),
    ...probeFailure,
    hostName: orNull(Name()),
    sn: orNull(Name()),
    manufacturer: orNull(Name()),
    product: orNull(Name()),
    system: orNull(Name()),
    architecture: orNull(Name()),
    totalCapacity: Long({ description: 'The size of the root file system in bytes; 0 until it is known' }),
    availableCapacity: Long({ description: 'The space of the root file system that packages can use, in bytes' }),
    packagesPath: orNull(
      Text(1024, {
        since: 'wharf-1.1.0',
        description: 'The folder on the host for packages from backup storage; null until it is known',
      }),
    ),
    labels: Labels('The labels of the host by name'),
    createDate: Timestamp(),
    lastOpDate: Timestamp(),
  },
  labels: { field: 'labels', table: 'hostLabels' },
  private: {
    /** True when the caller chose packagesPath; otherwise it is the default of the user on the host. */
    isPackagesPathGiven: Flag(),
    /** The pinned public key of an ssh host. */
    hostKey: orNull(Text(16_384)),
    /** Null: the server signs in with its own key. */
    sealedPrivateKey: orNull(Sealed()),
  },
})

export const addHost = operation({
  name: 'AddHost',
  client: 'hosts.add',
  resource,
  method: 'POST',
  path: '/v1/hosts',
  structure: 'params',
  summary: 'Add a host: connect to it, pin its key and read its properties',
  since,
  permission: 'administer',
  mode: 'job',
  timeoutSeconds: 30 * 60,
  fields: {
    name: Name(),
    driver: Choice(drivers, { description: 'local is the machine of the management node that receives the call' }),
    address: Name({ description: 'A host name or an address' }),
    sshPort: optional(Integer(1, 65_535, { description: 'Defaults to 22' })),
    username: Name({ description: 'The user that signs in; ignored with driver local' }),
    privateKey: optional(
      SecretText(maxPrivateKeyLength, {
        minLength: 1,
        description:
          'An SSH private key without a passphrase; defaults to the key of the server. Required of a caller with a scope',
      }),
    ),
    hostKeyFingerprint: optional(
      Text(255, { description: 'The SHA256:… fingerprint that the host key must have; by default any key is pinned' }),
    ),
    packagesPath: optional(
      Text(1024, {
        minLength: 1,
        since: 'wharf-1.1.0',
        description:
          'An absolute folder on the host, writable by its user, for packages from backup storage; defaults to /var/lib/wharf-packages for root and to wharf-packages in the home folder of other users',
      }),
    ),
    labels: optional(Labels(`The labels of the host by name: ${labelNameRule}; values of at most 255 characters`)),
    description: optional(Description()),
    ...creationFields,
  },
  answer: { inventory: HostInventory.schema },
  errors: [
    'SYS.1002',
    'SYS.1003',
    'SYS.1005',
    'SYS.1012',
    'HOST.1000',
    'HOST.1003',
    'HOST.1004',
    'HOST.1005',
    'SoftwarePackage.1131',
  ],
})

export const OfferedHostKey = inventory({
  name: 'OfferedHostKey',
  since,
  events: [],
  fields: {
    type: Name({ description: 'The key type of ssh: ssh-ed25519, ssh-rsa, …' }),
    fingerprint: Name({ description: 'SHA256:…, as printed by ssh-keygen -l; a valid hostKeyFingerprint' }),
  },
})

/** For a person to compare a key before it is pinned. */
export const getHostKeys = operation({
  name: 'GetHostKeys',
  client: 'hosts.getKeys',
  resource,
  method: 'POST',
  path: '/v1/hosts/keys',
  structure: 'params',
  summary: 'Get the host keys that a machine offers, without signing in or adding it; ssh uses the first',
  since,
  permission: 'administer',
  changes: false,
  fields: {
    address: Name({ description: 'A host name or an address' }),
    sshPort: optional(Integer(1, 65_535, { description: 'Defaults to 22' })),
  },
  answer: { keys: List(OfferedHostKey.schema, { maxItems: 16 }) },
  errors: ['HOST.1003', 'HOST.1004', 'HOST.1005'],
})

/** @deprecated Use `getHostKeys`. */
export const lookAtHostKeys = alias(getHostKeys, { name: 'LookAtHostKeys', client: 'hosts.lookAtKeys' })

export const { query: queryHost, get: getHost } = queryOperations({
  resource,
  noun: 'Host',
  client: 'hosts',
  plural: 'hosts',
  path: '/v1/hosts',
  inventory: HostInventory,
})

/** The most points of an answer; a longer period has longer intervals. */
export const maxMetricPoints = 300

export const HostMetricPoint = inventory({
  name: 'HostMetricPoint',
  since: 'wharf-1.1.0',
  events: [],
  fields: {
    time: Timestamp({ description: 'The start of the interval; the other fields are averages of its samples' }),
    load1: orNull(Double({ description: 'The load average of one minute' })),
    processors: orNull(Long({ description: 'The number of processors that are online' })),
    memoryUsedBytes: orNull(Long({ description: 'Memory that is not available to new programs' })),
    memoryTotalBytes: orNull(Long({ description: 'The size of the main memory' })),
    diskUsedBytes: Long({ description: 'Space of the root file system that packages cannot use' }),
    diskTotalBytes: Long({ description: 'The size of the root file system' }),
    packagesDiskUsedBytes: orNull(Long({ description: 'The same for the file system of packagesPath' })),
    packagesDiskTotalBytes: orNull(Long({ description: 'The size of the file system of packagesPath' })),
  },
})

export const getHostMetrics = operation({
  name: 'GetHostMetrics',
  client: 'hosts.getMetrics',
  resource,
  method: 'GET',
  path: '/v1/hosts/{uuid}/metrics',
  summary: 'Get load, memory and disk usage of a host over time; samples are taken every 5 minutes and kept for 7 days',
  since: 'wharf-1.1.0',
  permission: 'read',
  fields: periodFields('one hour'),
  answer: {
    from: Timestamp({ description: 'The start of the period' }),
    to: Timestamp({ description: 'The end of the period' }),
    intervalSeconds: Long({ description: 'The length of an interval' }),
    points: List(HostMetricPoint.schema, {
      maxItems: maxMetricPoints,
      description: 'The intervals that have samples, oldest first',
    }),
  },
  errors: ['SYS.1003'],
})

export const changeHostState = operation({
  name: 'ChangeHostState',
  client: 'hosts.changeState',
  resource,
  method: 'PUT',
  path: '/v1/hosts/{uuid}/actions',
  structure: 'changeHostState',
  summary: 'Enable or disable a host; only enabled hosts receive work',
  since,
  permission: 'administer',
  fields: { stateEvent: Choice(stateEvents) },
  answer: { inventory: HostInventory.schema },
  errors: ['SYS.1003'],
})

export const reconnectHost = operation({
  name: 'ReconnectHost',
  client: 'hosts.reconnect',
  resource,
  method: 'PUT',
  path: '/v1/hosts/{uuid}/actions',
  structure: 'reconnectHost',
  summary: 'Reconnect a host now, without waiting for the next probe',
  since,
  permission: 'administer',
  fields: {},
  answer: { inventory: HostInventory.schema },
  errors: ['SYS.1003', 'SYS.1005', 'SYS.1012', ...hostErrors],
})

/** The fields that decide how a host is reached. */
export const hostConnectionFields = ['address', 'sshPort', 'username', 'privateKey', 'hostKeyFingerprint'] as const

export const updateHost = operation({
  name: 'UpdateHost',
  client: 'hosts.update',
  resource,
  method: 'PUT',
  path: '/v1/hosts/{uuid}/actions',
  structure: 'updateHost',
  summary:
    'Change a host. A changed connection, which requires the role admin, is tested before it is saved; if it fails, nothing changes',
  since: 'wharf-1.1.0',
  permission: 'operate',
  mode: 'job',
  timeoutSeconds: 30 * 60,
  fields: {
    name: optional(Name()),
    description: optional(Description()),
    address: optional(
      Name({
        description:
          'A host name or an address; the key that the host has there is pinned, unless a fingerprint is given',
      }),
    ),
    sshPort: optional(Integer(1, 65_535, { description: 'The TCP port of its SSH server' })),
    username: optional(Name({ description: 'The user that signs in' })),
    privateKey: optional(
      SecretText(maxPrivateKeyLength, {
        minLength: 1,
        description: 'An SSH private key without a passphrase; clear it to use the key of the server',
      }),
    ),
    hostKeyFingerprint: optional(
      Text(255, { description: 'The SHA256:… fingerprint that the host key must have; that key is pinned' }),
    ),
    labels: optional(Labels('Labels to set; the other labels of the host remain')),
    removeLabels: optional(
      List(LabelName(), {
        maxItems: maxLabels,
        description: 'The names of labels to remove; unknown names are ignored',
      }),
    ),
    ...clearable('description', 'privateKey'),
  },
  answer: { inventory: HostInventory.schema },
  errors: ['SYS.1003', 'SYS.1005', 'SYS.1012', 'SYS.1016', 'SoftwarePackage.1131', ...hostErrors],
})

export const rotateHostKey = operation({
  name: 'RotateHostKey',
  client: 'hosts.rotateKey',
  resource,
  method: 'PUT',
  path: '/v1/hosts/{uuid}/actions',
  structure: 'rotateHostKey',
  summary:
    'Replace the SSH key with which Wharf signs in to a host by a new one of its own: it is installed, tried, and only then the former one is removed from the host',
  since: 'wharf-1.1.0',
  permission: 'administer',
  mode: 'job',
  timeoutSeconds: 30 * 60,
  fields: {},
  answer: { inventory: HostInventory.schema },
  errors: ['SYS.1003', 'SYS.1005', 'SYS.1012', 'SYS.1016', ...hostErrors],
})

export const deleteHost = operation({
  name: 'DeleteHost',
  client: 'hosts.delete',
  resource,
  method: 'DELETE',
  path: '/v1/hosts/{uuid}',
  summary: 'Remove a host from Wharf; rejected while packages are on it',
  since,
  permission: 'administer',
  fields: deletionFields,
  answer: {},
  errors: ['SYS.1003', 'SYS.1004', 'SYS.1005'],
})

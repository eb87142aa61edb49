import { ThirdPartyPlatformInventory } from './alerts.ts'
import { hostErrors } from './errors.ts'
import { type FieldsOf, inventory, operation } from './operation.ts'
import { queryOperations } from './query.ts'
import {
  Choice,
  Flag,
  Integer,
  List,
  Name,
  optional,
  orNull,
  Sealed,
  SecretText,
  shownOnce,
  Text,
  Timestamp,
  Uuid,
} from './schema.ts'
import { creationFields, deleteModes } from './shared-fields.ts'
import { Type } from './type.ts'

const since = '4.10.6'
const resource = 'cluster-plugins'
const timeoutSeconds = 30 * 60
const ours = 'wharf-1.0.0'
const next = 'wharf-1.1.0'

export const ClusterPluginInventory = inventory({
  name: 'ClusterPluginInventory',
  since,
  events: ['ClusterPlugin'],
  table: 'clusterPlugins',
  scope: 'cluster',
  routine: ['finishedStep', 'isPortGiven', 'componentKey'],
  fields: {
    uuid: Uuid(),
    name: Name(),
    managementIp: Name({ description: 'The address of the component' }),
    apiPort: Integer(1, 65_535),
    createDate: Timestamp(),
    lastOpDate: Timestamp(),
  },
  private: {
    /** The package that runs the cluster, once it was configured with one. */
    softwarePackageUuid: orNull(Uuid()),
    /** The token that the component accepts. */
    sealedToken: orNull(Sealed()),
    /** The last configuration that was started, complete. */
    sealedConfiguration: orNull(Sealed()),
    /** User and generated password, until an admin has read them. */
    sealedCredential: orNull(Sealed()),
    /** The last step of that configuration that finished: the next attempt resumes after it. */
    finishedStep: orNull(Name()),
    /** True when the caller chose the port; otherwise the component's own port applies. */
    isPortGiven: Flag(),
    /** JSON: the alert settings that the component last received; null when it sends no alerts. */
    attachedAlerts: orNull(Text(16_384)),
    /** Unique: address and port in canonical form; null in rows of versions before this column. */
    componentKey: orNull(Text(1024)),
  },
})

/** A secret, but trimmed and without control characters like other text: it is sent in a header. */
const adminToken = Type.String({
  minLength: 1,
  maxLength: 1024,
  writeOnly: true,
  description:
    'Adopts a component that already runs. It is verified before anything is stored: by the installed package on the host with this address, otherwise by its /health over TLS (http on loopback and in WHARF_COMPONENT_HTTP)',
})

export const addClusterPlugin = operation({
  name: 'AddClusterPlugin',
  client: 'clusterPlugins.add',
  resource,
  method: 'POST',
  path: '/v1/cluster-plugin',
  structure: 'params',
  summary: 'Add a cluster component, new or already running',
  since,
  permission: 'operate',
  mode: 'job',
  timeoutSeconds,
  hostFields: { addresses: ['managementIp'] },
  fields: {
    name: Name(),
    adminToken: optional(adminToken),
    managementIp: optional(
      Name({ description: 'An address or a host name; defaults to the address of the management node' }),
    ),
    apiPort: optional(
      Integer(1, 65_535, { description: 'Defaults to the port of the package that runs the component, or 8056' }),
    ),
    ...creationFields,
  },
  answer: { inventory: ClusterPluginInventory.schema },
  errors: [
    'SYS.1002',
    'SYS.1003',
    'SYS.1005',
    'SYS.1006',
    'SYS.1012',
    'SYS.1015',
    ...hostErrors,
    'SoftwarePackage.1300',
    'ClusterPlugin.1001',
  ],
})

export const { query: queryClusterPlugin, get: getClusterPlugin } = queryOperations({
  resource,
  noun: 'ClusterPlugin',
  client: 'clusterPlugins',
  plural: 'cluster plugins',
  path: '/v1/cluster-plugin',
  inventory: ClusterPluginInventory,
  since: ours,
})

const cidr = (description: string) => Text(64, { description })
const address = () => Text(64)

export const updateClusterConfig = operation({
  name: 'UpdateClusterConfig',
  client: 'clusterPlugins.configure',
  resource,
  method: 'PUT',
  path: '/v1/cluster-plugin/config/cluster',
  structure: 'updateClusterConfig',
  summary: 'Form the cluster from three nodes and an installed package',
  since,
  permission: 'operate',
  mode: 'job',
  timeoutSeconds,
  configTag: 'initConfig',
  hostFields: { addresses: ['managementIp', 'otherManagementIp', 'otherStorageIp'] },
  fields: {
    uuid: Uuid({ description: 'The cluster plugin' }),
    managementIp: optional(Name({ description: 'The first node; defaults to the address of the plugin' })),
    managementNetworkCidr: cidr('The network of the three management addresses'),
    publicNetworkCidr: cidr('The network of the clients; every node has an address in every network'),
    clusterNetworkCidr: cidr('The network between the nodes'),
    gatewayNetworkCidr: optional(cidr('Defaults to the public network')),
    otherManagementIp: List(address(), {
      maxItems: 2,
      description: 'The two other nodes; every node must reach every other by SSH without a password',
    }),
    otherStorageIp: optional(List(address(), { description: 'More storage nodes, inside the cluster network' })),
    username: optional(Name({ description: 'The administrator to create; defaults to admin' })),
    password: optional(
      SecretText(1024, { minLength: 1, description: 'Generated by default; an admin can read it once' }),
    ),
    softwarePackageUuid: Uuid({ since: '4.10.20', description: 'The installed package that runs the cluster' }),
  },
  answer: {
    clusterInitSuccess: Flag({ since: '4.10.20', description: 'The cluster has formed' }),
    tokenCreated: Flag({ since: '4.10.20', description: 'A token for the cluster was created' }),
    initSuccess: Flag({ description: 'The same as clusterInitSuccess, for older clients' }),
  },
  errors: [
    'SYS.1002',
    'SYS.1003',
    'SYS.1005',
    'SYS.1006',
    'SYS.1012',
    ...hostErrors,
    'SoftwarePackage.1132',
    'SoftwarePackage.1300',
    'SoftwarePackage.1901',
    'ClusterPlugin.1002',
    'ClusterPlugin.1003',
  ],
})

type ClusterFields = Required<FieldsOf<typeof updateClusterConfig>>

/** The configuration that the package's hooks receive. */
export type ClusterConfiguration = Omit<ClusterFields, 'uuid' | 'softwarePackageUuid'>

/** What the `initConfig` tag of a cluster shows. */
export type TaggedClusterConfiguration = Omit<ClusterFields, 'uuid' | 'password'>

export const ClusterPluginThirdPartyPlatformAlertRefInventory = inventory({
  name: 'ClusterPluginThirdPartyPlatformAlertRefInventory',
  since,
  events: ['ClusterPlugin', 'ThirdPartyPlatform'],
  table: 'clusterPluginAlertPlatforms',
  scope: { like: 'clusterUuid', of: 'clusterPlugins' },
  fields: {
    clusterUuid: Uuid({ description: 'The cluster plugin' }),
    thirdPartyPlatformUuid: Uuid(),
    createDate: Timestamp(),
  },
})

export const createClusterPluginAlertPlatform = operation({
  name: 'CreateClusterPluginAlertPlatform',
  client: 'clusterPlugins.createAlertPlatform',
  resource,
  method: 'POST',
  path: '/v1/cluster-plugin/{uuid}/alert-platform',
  structure: 'params',
  summary: 'Receive the alerts of a cluster: one alert platform per plugin',
  since,
  permission: 'operate',
  mode: 'job',
  timeoutSeconds,
  fields: creationFields,
  answer: {
    thirdPartyPlatform: ThirdPartyPlatformInventory.schema,
    inventory: ClusterPluginThirdPartyPlatformAlertRefInventory.schema,
  },
  errors: [
    'SYS.1002',
    'SYS.1003',
    'SYS.1005',
    'SYS.1006',
    'SYS.1012',
    ...hostErrors,
    'SoftwarePackage.1300',
    'ClusterPlugin.1001',
  ],
})

/** References have no uuid, so there is no get operation. */
export const { query: queryClusterPluginAlertPlatform } = queryOperations({
  resource,
  noun: 'ClusterPluginAlertPlatform',
  client: 'clusterAlertPlatforms',
  plural: 'alert platforms of cluster plugins',
  path: '/v1/cluster-plugin/alert-platform',
  inventory: ClusterPluginThirdPartyPlatformAlertRefInventory,
  since: ours,
})

export const alertAttachments = ['None', 'Pending', 'Attached', 'Manual'] as const

export const getClusterPluginAlertAttachment = operation({
  name: 'GetClusterPluginAlertAttachment',
  client: 'clusterPlugins.getAlertAttachment',
  resource,
  method: 'GET',
  path: '/v1/cluster-plugin/{uuid}/alert-attachment',
  summary: 'Get whether the component of a cluster sends its alerts to Wharf, and what is missing',
  since: next,
  permission: 'read',
  fields: {},
  answer: {
    attachment: Choice(alertAttachments, {
      description:
        'None: no alert platform exists. Pending: the component has not received the address and the token. Attached: its package has configured it. Manual: they must be entered in its Alertmanager by hand',
    }),
    reason: Text(1024, { description: 'Why, and what to do' }),
    platformUuid: orNull(Uuid({ description: 'The alert platform' })),
    url: orNull(
      Text(2048, {
        description: 'The webhook URL for the alerts of the component; resetToken returns the token, once',
      }),
    ),
    softwarePackageUuid: orNull(
      Uuid({ description: 'The package managed by Wharf that runs the component; null without one' }),
    ),
  },
  errors: ['SYS.1003'],
})

export const attachClusterPluginAlerts = operation({
  name: 'AttachClusterPluginAlerts',
  client: 'clusterPlugins.attachAlerts',
  resource,
  method: 'PUT',
  path: '/v1/cluster-plugin/{uuid}/actions',
  structure: 'attachAlerts',
  summary: 'Configure the component again to send its alerts, after its token was reset or a package was installed',
  since: next,
  permission: 'operate',
  mode: 'job',
  timeoutSeconds,
  fields: {},
  answer: { attachment: Choice(alertAttachments) },
  errors: ['SYS.1003', 'SYS.1005', 'SYS.1006', 'SYS.1012', ...hostErrors, 'SoftwarePackage.1300', 'ClusterPlugin.1001'],
})

export const updateClusterPlugin = operation({
  name: 'UpdateClusterPlugin',
  client: 'clusterPlugins.update',
  resource,
  method: 'PUT',
  path: '/v1/cluster-plugin/{uuid}/actions',
  structure: 'updateClusterPlugin',
  summary: 'Change the name of a cluster plugin, or its token, which is verified before it is stored',
  since: next,
  permission: 'operate',
  mode: 'job',
  timeoutSeconds,
  fields: {
    name: optional(Name()),
    adminToken: optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        writeOnly: true,
        description: 'A token that the component accepts; it is verified as when a plugin is added with one',
      }),
    ),
  },
  answer: { inventory: ClusterPluginInventory.schema },
  errors: [
    'SYS.1003',
    'SYS.1005',
    'SYS.1006',
    'SYS.1012',
    'SYS.1015',
    ...hostErrors,
    'SoftwarePackage.1300',
    'ClusterPlugin.1001',
  ],
})

export const revealClusterCredential = operation({
  name: 'RevealClusterCredential',
  client: 'clusterPlugins.revealCredential',
  resource,
  method: 'PUT',
  path: '/v1/cluster-plugin/{uuid}/actions',
  structure: 'revealCredential',
  summary: 'Get the generated password of a cluster, once',
  since: ours,
  permission: 'administer',
  fields: {},
  answer: { username: Name(), password: orNull(shownOnce(Text(255))) },
  errors: ['SYS.1003', 'SYS.1005'],
})

export const removeClusterPlugin = operation({
  name: 'RemoveClusterPlugin',
  client: 'clusterPlugins.remove',
  resource,
  method: 'DELETE',
  path: '/v1/cluster-plugin/{uuid}',
  summary: 'Remove a cluster plugin and its alert platform; the cluster keeps its data',
  since,
  permission: 'operate',
  mode: 'job',
  timeoutSeconds,
  fields: {
    deleteMode: optional(
      Choice(deleteModes, { description: 'Defaults to Permissive; Enforcing continues when a step cannot be undone' }),
    ),
  },
  answer: 'empty',
  errors: ['SYS.1003', 'SYS.1004', 'SYS.1005'],
})

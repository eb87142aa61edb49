import {
  addClusterPlugin,
  ClusterPluginInventory,
  ClusterPluginThirdPartyPlatformAlertRefInventory,
  createClusterPluginAlertPlatform,
  getClusterPlugin,
  queryClusterPlugin,
  queryClusterPluginAlertPlatform,
  removeClusterPlugin,
  revealClusterCredential,
  updateClusterConfig,
} from '@wharf/contract'
import { collection } from '../database/query.ts'
import { type Binding, handle, start } from '../http/bind.ts'
import { type Queries, queryBinding, queryBindings } from '../http/query-bindings.ts'
import type { ClusterPluginService } from './service.ts'
import type { ClusterStarting } from './starting.ts'

export function clusterPluginOperations(parts: {
  queries: Queries
  plugins: ClusterPluginService
  starting: ClusterStarting
}): Binding[] {
  const { queries, plugins, starting } = parts
  const records = collection({ table: 'clusterPlugins', inventory: ClusterPluginInventory })
  const references = collection({
    table: 'clusterPluginAlertPlatforms',
    inventory: ClusterPluginThirdPartyPlatformAlertRefInventory,
  })
  return [
    start(addClusterPlugin, (call) => starting.add(call, call.fields)),
    start(updateClusterConfig, (call) => starting.configure(call, call.fields)),
    start(createClusterPluginAlertPlatform, (call) => starting.createAlertPlatform(call, call.path.uuid, call.fields)),
    start(removeClusterPlugin, (call) => starting.remove(call, call.path.uuid, call.fields.deleteMode ?? 'Permissive')),
    handle(revealClusterCredential, ({ path, commit }) => commit((tx) => plugins.reveal(tx, path.uuid))),
    ...queryBindings(queries, records, queryClusterPlugin, getClusterPlugin),
    queryBinding(queries, references, queryClusterPluginAlertPlatform),
  ]
}

import {
  addClusterPlugin,
  attachClusterPluginAlerts,
  ClusterPluginInventory,
  ClusterPluginThirdPartyPlatformAlertRefInventory,
  createClusterPluginAlertPlatform,
  getClusterPlugin,
  getClusterPluginAlertAttachment,
  queryClusterPlugin,
  queryClusterPluginAlertPlatform,
  removeClusterPlugin,
  revealClusterCredential,
  updateClusterConfig,
} from '@wharf/contract'
import { collection } from '@wharf/database/query.ts'
import { type Binding, handle, start } from '../../calls/bind.ts'
import { type Queries, queryBinding, queryBindings } from '../../calls/query-bindings.ts'
import type { SoftwarePackageService } from '../software-packages/service.ts'
import { alertStateIn } from './alert-state.ts'
import type { ClusterPluginService } from './service.ts'
import type { ClusterStarting } from './starting.ts'

export function clusterPluginOperations(parts: {
  queries: Queries
  plugins: ClusterPluginService
  packages: SoftwarePackageService
  starting: ClusterStarting
}): Binding[] {
  const { queries, plugins, packages, starting } = parts
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
    start(attachClusterPluginAlerts, (call) => starting.attachAlerts(call, call.path.uuid)),
    handle(getClusterPluginAlertAttachment, async ({ path }) => {
      const { attachment, reason, plugin, platform } = await alertStateIn({ plugins, packages }, path.uuid)
      const { softwarePackageUuid } = plugin
      return {
        attachment,
        reason,
        platformUuid: platform?.uuid ?? null,
        url: platform?.url ?? null,
        softwarePackageUuid,
      }
    }),
    handle(revealClusterCredential, ({ path, commit }) => commit((tx) => plugins.reveal(tx, path.uuid))),
    ...queryBindings(queries, records, queryClusterPlugin, getClusterPlugin),
    queryBinding(queries, references, queryClusterPluginAlertPlatform),
  ]
}

import { getCandidateMiniHosts } from './candidate-hosts.ts'
import { addSNSChatAppAtPerson } from './chat-endpoints.ts'
import {
  addClusterPlugin,
  createClusterPluginAlertPlatform,
  removeClusterPlugin,
  updateClusterConfig,
} from './cluster-plugins.ts'
import { getElaborations } from './elaborations.ts'
import { getMigrateImages, getMigrateVmInstances } from './migration.ts'

/** Declared, so that the document is whole, and not served yet: no route answers for them. */
export const planned: ReadonlySet<string> = new Set(
  [
    addClusterPlugin,
    addSNSChatAppAtPerson,
    createClusterPluginAlertPlatform,
    getCandidateMiniHosts,
    getElaborations,
    getMigrateImages,
    getMigrateVmInstances,
    removeClusterPlugin,
    updateClusterConfig,
  ].map((operation) => operation.name),
)

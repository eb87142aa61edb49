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
import {
  getDirectoryUsage,
  getSoftwarePackage,
  installSoftwarePackage,
  querySoftwarePackage,
  uploadSoftwarePackage,
  uploadSoftwarePackageToBackupStorage,
} from './software-packages.ts'

/** Declared, so that the document is whole, and not served yet: no route answers for them. */
export const planned: ReadonlySet<string> = new Set(
  [
    addClusterPlugin,
    addSNSChatAppAtPerson,
    createClusterPluginAlertPlatform,
    getCandidateMiniHosts,
    getDirectoryUsage,
    getElaborations,
    getMigrateImages,
    getMigrateVmInstances,
    getSoftwarePackage,
    installSoftwarePackage,
    querySoftwarePackage,
    removeClusterPlugin,
    updateClusterConfig,
    uploadSoftwarePackage,
    uploadSoftwarePackageToBackupStorage,
  ].map((operation) => operation.name),
)

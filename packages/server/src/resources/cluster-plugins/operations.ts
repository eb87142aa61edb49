import {
  getClusterPlugin,
  getClusterPluginAlertAttachment,
  queryClusterPlugin,
  queryClusterPluginAlertPlatform,
  revealClusterCredential,
} from '@wharf/contract'
import { type Binding, handle } from '../../calls/bind.ts'
import { bindJob } from '../../calls/job-operation.ts'
import { type Queries, queryBinding, queryBindings } from '../../calls/query-bindings.ts'
import { alertStateIn } from './alert-state.ts'
import { addJob } from './jobs/add.ts'
import { alertPlatformJob, attachAlertsJob } from './jobs/alert-platform.ts'
import type { ClusterJobDeps } from './jobs/cluster-job-deps.ts'
import { configureJob } from './jobs/configure.ts'
import { removeJob } from './jobs/remove.ts'
import { updateJob } from './jobs/update.ts'

export function clusterPluginOperations(deps: ClusterJobDeps & { readonly queries: Queries }): Binding[] {
  const { queries, plugins, jobs } = deps
  return [
    bindJob(jobs, addJob(deps)),
    bindJob(jobs, updateJob(deps)),
    bindJob(jobs, configureJob(deps)),
    bindJob(jobs, alertPlatformJob(deps)),
    bindJob(jobs, removeJob(deps)),
    bindJob(jobs, attachAlertsJob(deps)),
    handle(getClusterPluginAlertAttachment, async ({ path }) => {
      const { attachment, reason, plugin, platform } = await alertStateIn(deps, path.uuid)
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
    ...queryBindings(queries, queryClusterPlugin, getClusterPlugin),
    queryBinding(queries, queryClusterPluginAlertPlatform),
  ]
}

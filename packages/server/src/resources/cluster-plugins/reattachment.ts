import type { ClusterConfiguration } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { isSameConfiguration } from './configuration.ts'
import type { FormedCluster } from './formed-cluster.ts'
import type { ClusterPluginRow } from './store.ts'

interface Named {
  readonly uuid: string
  readonly name: string
}

/** A component that was taken over cannot be configured on another package. */
export function refuseOtherPackage(plugin: ClusterPluginRow, { uuid, name }: Named): void {
  const { softwarePackageUuid, sealedConfiguration } = plugin
  if (softwarePackageUuid === null || softwarePackageUuid === uuid || sealedConfiguration !== null) return
  throw new ApiError(
    'SYS.1006',
    `cluster plugin ${plugin.name} runs on software package ${softwarePackageUuid}, not on ${name}; configure it with that one, or remove it first`,
  )
}

/** A cluster is attached again only with the configuration that it was formed with. */
export function refuseOtherCluster(
  plugin: ClusterPluginRow,
  { name }: Named,
  formed: FormedCluster,
  configuration: ClusterConfiguration,
): void {
  const fields = Object.keys(configuration) as (keyof ClusterConfiguration)[]
  const differing: string[] = fields.filter(
    (field) => !isSameConfiguration(formed.configuration, { ...formed.configuration, [field]: configuration[field] }),
  )
  if (plugin.isPortGiven === 1 && plugin.apiPort !== formed.apiPort) differing.push('apiPort')
  if (differing.length === 0) return
  throw new ApiError(
    'SYS.1006',
    `a cluster runs on software package ${name} that was formed with another ${differing.join(', ')}; repeat the configuration it was formed with, or take it over by its token`,
  )
}

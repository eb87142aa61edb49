import { queryClusterPlugin, queryHost, queryManagementNode, querySoftwarePackage } from '@wharf/contract'
import { useAnswer } from '../../../wharf/answers.ts'
import { useConfigurations } from '../use-configuration.ts'
import type { Known } from './preflight.ts'

const many = { limit: 1000, sort: '+name' }

export interface KnownPackage {
  readonly uuid: string
  readonly name: string
  readonly status: string
  readonly hostUuid: string | null
  readonly takenBy: string | undefined
}

/** Everything that the wizard chooses from and checks by, kept true while it is open. */
export function useKnown(pluginUuid: string | undefined) {
  const hosts = useAnswer(queryHost, many)
  const packages = useAnswer(querySoftwarePackage, many)
  const plugins = useAnswer(queryClusterPlugin, many)
  const nodes = useAnswer(queryManagementNode, {})
  const { configurations } = useConfigurations()
  const takenBy = (packageUuid: string): string | undefined => {
    const other = [...configurations].find(
      ([uuid, { softwarePackageUuid }]) => softwarePackageUuid === packageUuid && uuid !== pluginUuid,
    )
    return other && (plugins.data?.inventories?.find(({ uuid }) => uuid === other[0])?.name ?? other[0])
  }
  return {
    error: hosts.error ?? packages.error ?? plugins.error ?? nodes.error,
    isPending: hosts.isPending || packages.isPending,
    hosts: (hosts.data?.inventories ?? []) as Known['hosts'],
    url: nodes.data?.inventories?.find(({ status }) => status === 'Alive')?.url ?? undefined,
    packages: (packages.data?.inventories ?? []).map(
      ({ uuid = '', name = '', status = '', hostUuid = null }): KnownPackage => ({
        uuid,
        name,
        status,
        hostUuid,
        takenBy: takenBy(uuid),
      }),
    ),
  }
}

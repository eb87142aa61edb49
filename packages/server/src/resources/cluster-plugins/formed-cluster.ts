import type { ClusterConfiguration } from '@wharf/contract'
import type { Sealing } from '@wharf/platform/sealing.ts'

/** A removed plugin leaves this with its package, because the cluster continues to run and can be attached again. */
export interface FormedCluster {
  readonly configuration: ClusterConfiguration
  readonly apiPort: number
  /** The generated password has not been shown yet. */
  readonly isPasswordUnread: boolean
}

const sealContext = (packageUuid: string): string => `softwarePackages.cluster.${packageUuid}`

export const sealCluster = (sealing: Sealing, packageUuid: string, cluster: FormedCluster): Uint8Array =>
  sealing.seal(JSON.stringify(cluster), sealContext(packageUuid))

export const openCluster = (
  sealing: Sealing,
  { uuid, sealedCluster }: { uuid: string; sealedCluster: Uint8Array | null },
): FormedCluster | undefined =>
  sealedCluster === null ? undefined : (JSON.parse(sealing.open(sealedCluster, sealContext(uuid))) as FormedCluster)

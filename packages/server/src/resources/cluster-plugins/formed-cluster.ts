import type { Sealing } from '@wharf/platform/sealing.ts'
import type { ClusterConfiguration } from './configuration.ts'

/** What a removed plugin leaves with its package: the cluster goes on, and can be attached again. */
export interface FormedCluster {
  readonly configuration: ClusterConfiguration
  readonly apiPort: number
  /** Nobody has read the password that was generated. */
  readonly isPasswordUnread: boolean
}

const place = (packageUuid: string): string => `softwarePackages.cluster.${packageUuid}`

export const sealCluster = (sealing: Sealing, packageUuid: string, cluster: FormedCluster): Uint8Array =>
  sealing.seal(JSON.stringify(cluster), place(packageUuid))

export const openCluster = (
  sealing: Sealing,
  { uuid, sealedCluster }: { uuid: string; sealedCluster: Uint8Array | null },
): FormedCluster | undefined =>
  sealedCluster === null ? undefined : (JSON.parse(sealing.open(sealedCluster, place(uuid))) as FormedCluster)

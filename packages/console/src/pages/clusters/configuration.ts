/** The configuration of a cluster from its system tag, without the password. */
export interface Configuration {
  readonly softwarePackageUuid: string
  readonly managementIp: string
  readonly managementNetworkCidr: string
  readonly publicNetworkCidr: string
  readonly clusterNetworkCidr: string
  readonly gatewayNetworkCidr: string
  readonly otherManagementIp: readonly string[]
  readonly otherStorageIp: readonly string[]
  readonly username: string
}

const prefix = 'initConfig::'

/** Undefined for other tags and for those of another version. */
export function parseConfiguration(tag: string | undefined): Configuration | undefined {
  if (!tag?.startsWith(prefix)) return undefined
  try {
    const read = JSON.parse(tag.slice(prefix.length)) as Partial<Configuration>
    const isWhole = Array.isArray(read.otherManagementIp) && typeof read.softwarePackageUuid === 'string'
    return isWhole ? { ...(read as Configuration), otherStorageIp: read.otherStorageIp ?? [] } : undefined
  } catch {
    return undefined
  }
}

interface ConfiguredClusters {
  readonly configurations: ReadonlyMap<string, Pick<Configuration, 'softwarePackageUuid'>>
  readonly names: ReadonlyMap<string, string>
  /** A cluster that does not count. */
  readonly except: string | undefined
}

/** The name of the cluster that runs on a package; its uuid while the name is unknown. */
export function clusterOn(packageUuid: string, { configurations, names, except }: ConfiguredClusters) {
  const [uuid] =
    [...configurations].find(
      ([cluster, { softwarePackageUuid }]) => softwarePackageUuid === packageUuid && cluster !== except,
    ) ?? []
  return uuid && (names.get(uuid) ?? uuid)
}

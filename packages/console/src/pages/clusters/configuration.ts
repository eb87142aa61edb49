import type { TaggedClusterConfiguration } from '@wharf/contract'

const prefix = 'initConfig::'

/** Undefined for other tags and for those of another version. */
export function parseConfiguration(tag: string | undefined): TaggedClusterConfiguration | undefined {
  if (!tag?.startsWith(prefix)) return undefined
  try {
    const read = JSON.parse(tag.slice(prefix.length)) as Partial<TaggedClusterConfiguration>
    const isWhole = Array.isArray(read.otherManagementIp) && typeof read.softwarePackageUuid === 'string'
    return isWhole ? { ...(read as TaggedClusterConfiguration), otherStorageIp: read.otherStorageIp ?? [] } : undefined
  } catch {
    return undefined
  }
}

interface ConfiguredClusters {
  readonly configurations: ReadonlyMap<string, Pick<TaggedClusterConfiguration, 'softwarePackageUuid'>>
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

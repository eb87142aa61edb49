import type { Destination } from './destination.ts'

interface RecentPackage {
  readonly type?: string
  readonly installPath?: string
  readonly hostUuid?: string | null
}

export interface UploadSuggestions {
  readonly types: readonly string[]
  readonly foldersOf: (destination: Pick<Destination, 'kind' | 'uuid'> | undefined) => readonly string[]
}

/** The types of recent packages, and the folders of those at the same destination. */
export function uploadSuggestions(packages: readonly RecentPackage[]): UploadSuggestions {
  return {
    types: [...new Set(packages.map(({ type = '' }) => type))],
    foldersOf(destination) {
      const hostUuid = destination?.kind === 'host' ? destination.uuid : null
      const folders = packages
        .filter((one) => one.hostUuid === hostUuid)
        .map(({ installPath = '' }) => installPath.replace(/\/?[^/]*$/, ''))
      return [...new Set(folders)].filter(Boolean)
    },
  }
}

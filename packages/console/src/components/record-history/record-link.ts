import { linkTo } from '../../browser/route.ts'

/** The page that shows the records of each type. */
const pages: Readonly<Record<string, readonly string[]>> = {
  Account: ['accounts'],
  ApiJob: ['jobs'],
  BackupStorage: ['backup-storage'],
  ChatAppEndpoint: ['chat'],
  ClusterPlugin: ['clusters'],
  Host: ['hosts'],
  Release: ['releases'],
  Rollout: ['rollouts'],
  SoftwarePackage: ['packages'],
  ThirdPartyAlert: ['alerts'],
  ThirdPartyPlatform: ['alerts', 'platforms'],
}

interface Recorded {
  readonly resourceType?: string | null | undefined
  readonly resourceUuid?: string | null | undefined
}

/** The page of the record of an entry, which may no longer exist; undefined for types without a page. */
export function recordLink({ resourceType, resourceUuid }: Recorded): string | undefined {
  const path = resourceType && Object.hasOwn(pages, resourceType) ? pages[resourceType] : undefined
  return path && resourceUuid ? linkTo([...path, resourceUuid]) : undefined
}

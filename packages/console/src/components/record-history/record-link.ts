import type { Operation } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'

/** The page of the records of each type that has one. */
const pages: Readonly<Record<string, readonly string[]>> = {
  Account: ['accounts'],
  ApiJob: ['jobs'],
  BackupStorage: ['backup-storage'],
  ChatAppEndpoint: ['chat'],
  ClusterPlugin: ['clusters'],
  Delivery: ['chat', 'deliveries'],
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

const hasPage = (resourceType: string): boolean => Object.hasOwn(pages, resourceType)

/** The type of the records of a list if they have no page but that of their history. */
export function typeWithoutPage(operation: Pick<Operation, 'queries'> | undefined): string | undefined {
  const type = operation?.queries?.events[0]
  return type === undefined || hasPage(type) ? undefined : type
}

/** The page of the record of an entry, which may no longer exist; undefined for an entry without a record. */
export function recordLink({ resourceType, resourceUuid }: Recorded): string | undefined {
  if (!resourceType || !resourceUuid) return undefined
  const path = hasPage(resourceType) ? pages[resourceType] : undefined
  return path ? linkTo([...path, resourceUuid]) : historyLink(resourceType, resourceUuid)
}

/** The history of the record of a page, such as `hosts/<uuid>`; undefined for other pages. */
export function historyLinkOfPage(path: readonly string[]): string | undefined {
  const [uuid, list] = [path.at(-1), linkTo(path.slice(0, -1))]
  const type = Object.keys(pages).find((one) => linkTo(pages[one] ?? []) === list)
  return uuid && type ? historyLink(type, uuid) : undefined
}

const historyLink = (type: string, uuid: string): string => linkTo(['audit', 'history'], { type, uuid })

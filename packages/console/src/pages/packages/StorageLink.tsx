import Link from '@cloudscape-design/components/link'
import { getSoftwarePackageConfigSchema, queryBackupStorage } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { useApiQuery } from '../../data/api-query.ts'

/** The backup storage of a package; its record does not contain it, so it needs a query. */
export function StorageLink({ packageUuid }: { packageUuid: string }) {
  const uuid = useApiQuery(getSoftwarePackageConfigSchema, { uuid: packageUuid }).data?.backupStorageUuid
  const { data } = useApiQuery(queryBackupStorage, { q: [`uuid=${uuid}`] }, { enabled: Boolean(uuid) })
  return uuid ? <Link href={linkTo(['backup-storage', uuid])}>{data?.inventories?.[0]?.name ?? uuid}</Link> : <>–</>
}

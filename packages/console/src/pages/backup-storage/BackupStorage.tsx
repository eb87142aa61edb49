import type { Route } from '../../browser/route.ts'
import { StorageDetail } from './StorageDetail.tsx'
import { StorageTable } from './StorageTable.tsx'

/** `#/backup-storage`, `#/backup-storage/<uuid>` */
export default function BackupStorage({ path: [uuid], search }: Route) {
  return uuid === undefined ? <StorageTable search={search} /> : <StorageDetail uuid={uuid} />
}

import type { Route } from '../../browser/route.ts'
import { ReleaseDetail } from './ReleaseDetail.tsx'
import { ReleaseTable } from './ReleaseTable.tsx'

/** `#/releases`, `#/releases/<uuid>` */
export default function Releases({ path: [uuid], search }: Route) {
  return uuid === undefined ? <ReleaseTable search={search} /> : <ReleaseDetail uuid={uuid} />
}

import type { Route } from '../../browser/route.ts'
import { ClusterTable } from './ClusterTable.tsx'
import './clusters.css'
import { ClusterDetail } from './detail/ClusterDetail.tsx'
import { AddCluster } from './wizard/AddCluster.tsx'
import { ConfigureCluster } from './wizard/ConfigureCluster.tsx'

/** `#/clusters`, `#/clusters/add`, `#/clusters/<uuid>`, `#/clusters/<uuid>/configure` */
export default function Clusters({ path: [place, action], search }: Route) {
  if (place === 'add') return <AddCluster />
  if (place === undefined) return <ClusterTable search={search} />
  return action === 'configure' ? <ConfigureCluster uuid={place} /> : <ClusterDetail uuid={place} />
}

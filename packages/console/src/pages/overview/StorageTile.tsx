import Box from '@cloudscape-design/components/box'
import ColumnLayout from '@cloudscape-design/components/column-layout'
import Link from '@cloudscape-design/components/link'
import { queryBackupStorage, queryHost } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { Capacity } from '../../components/Capacity.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { Tile } from './Tile.tsx'

/** The fullest ones; a total of 0 means unknown. */
const fullestFirst = {
  q: ['totalCapacity>0'],
  sort: '+availableCapacity',
  limit: 5,
  fields: ['uuid', 'name', 'totalCapacity', 'availableCapacity'],
}

export function StorageTile() {
  const t = useMessages(messages)
  const hosts = useApiQuery(queryHost, fullestFirst)
  const storages = useApiQuery(queryBackupStorage, fullestFirst)
  return (
    <Tile title={t.storage} href={linkTo(['backup-storage'])} error={hosts.error ?? storages.error}>
      <ColumnLayout columns={2}>
        <CapacityList title={t.storageOf.hosts} page="hosts" records={hosts.data?.inventories} />
        <CapacityList title={t.storageOf.storages} page="backup-storage" records={storages.data?.inventories} />
      </ColumnLayout>
    </Tile>
  )
}

interface CapacityListProps {
  readonly title: string
  readonly page: string
  readonly records:
    | readonly { uuid?: string; name?: string; totalCapacity?: number; availableCapacity?: number }[]
    | undefined
}

function CapacityList({ title, page, records }: CapacityListProps) {
  const t = useMessages(messages)
  return (
    <div>
      <Box variant="h3">{title}</Box>
      {records?.length === 0 ? <Box color="text-body-secondary">{t.noStorage}</Box> : null}
      <ul className="lines">
        {records?.map(({ uuid = '', name = '', totalCapacity, availableCapacity }) => (
          <li key={uuid}>
            <Link href={linkTo([page, uuid])}>{name}</Link>
            <Capacity total={totalCapacity} available={availableCapacity} />
          </li>
        ))}
      </ul>
    </div>
  )
}

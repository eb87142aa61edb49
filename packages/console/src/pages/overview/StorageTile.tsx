import Box from '@cloudscape-design/components/box'
import ColumnLayout from '@cloudscape-design/components/column-layout'
import Link from '@cloudscape-design/components/link'
import { queryBackupStorage, queryHost } from '@wharf/contract'
import { linkTo } from '../../frame/route.ts'
import { Capacity } from '../../parts/Capacity.tsx'
import { useAnswer } from '../../wharf/answers.ts'
import { useWords } from '../../words/words.ts'
import { Tile } from './Tile.tsx'
import { words } from './words.ts'

/** Those that will be full first; a total of 0 is one that nobody knows. */
const asked = {
  q: ['totalCapacity>0'],
  sort: '+availableCapacity',
  limit: 5,
  fields: ['uuid', 'name', 'totalCapacity', 'availableCapacity'],
}

export function StorageTile() {
  const say = useWords(words)
  const hosts = useAnswer(queryHost, asked)
  const storages = useAnswer(queryBackupStorage, asked)
  return (
    <Tile title={say.storage} href={linkTo(['backup-storage'])} error={hosts.error ?? storages.error}>
      <ColumnLayout columns={2}>
        <Rooms title={say.storageOf.hosts} page="hosts" rooms={hosts.data?.inventories} />
        <Rooms title={say.storageOf.storages} page="backup-storage" rooms={storages.data?.inventories} />
      </ColumnLayout>
    </Tile>
  )
}

interface RoomsProps {
  readonly title: string
  readonly page: string
  readonly rooms:
    | readonly { uuid?: string; name?: string; totalCapacity?: number; availableCapacity?: number }[]
    | undefined
}

function Rooms({ title, page, rooms }: RoomsProps) {
  const say = useWords(words)
  return (
    <div>
      <Box variant="h3">{title}</Box>
      {rooms?.length === 0 ? <Box color="text-body-secondary">{say.noStorage}</Box> : null}
      <ul className="lines">
        {rooms?.map(({ uuid = '', name = '', totalCapacity, availableCapacity }) => (
          <li key={uuid}>
            <Link href={linkTo([page, uuid])}>{name}</Link>
            <Capacity total={totalCapacity} available={availableCapacity} />
          </li>
        ))}
      </ul>
    </div>
  )
}

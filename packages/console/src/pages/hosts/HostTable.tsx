import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import { addHost, connectionStatuses, queryHost, resourceStates } from '@wharf/contract'
import { go, linkTo } from '../../frame/route.ts'
import { Capacity } from '../../parts/Capacity.tsx'
import { useRefusal } from '../../parts/permission.ts'
import { type Column, type RecordOf, ResourceTable } from '../../parts/ResourceTable.tsx'
import { Status } from '../../parts/Status.tsx'
import { When } from '../../parts/When.tsx'
import { useWords } from '../../words/words.ts'
import { words } from './words.ts'

export function HostTable({ search }: { search: URLSearchParams }) {
  const say = useWords(words)
  const refused = useRefusal()
  const add = (
    <Button variant="primary" {...refused(addHost)} onClick={() => go(linkTo(['hosts', 'add']))}>
      {say.add}
    </Button>
  )
  const columns: Column<RecordOf<typeof queryHost>>[] = [
    {
      field: 'name',
      label: say.name,
      cell: (host) => <Link href={linkTo(['hosts', host.uuid ?? ''])}>{host.name}</Link>,
    },
    { field: 'address', label: say.address },
    {
      field: 'status',
      label: say.status,
      choices: connectionStatuses,
      cell: (host) => <Status value={host.status} />,
    },
    { field: 'state', label: say.state, choices: resourceStates, cell: (host) => <Status value={host.state} /> },
    {
      field: 'availableCapacity',
      label: say.free,
      isMeasure: true,
      cell: ({ totalCapacity, availableCapacity }) => <Capacity total={totalCapacity} available={availableCapacity} />,
    },
    { field: 'system', label: say.system },
    { field: 'createDate', label: say.created, isMeasure: true, cell: (host) => <When time={host.createDate} /> },
  ]
  return (
    <ResourceTable
      operation={queryHost}
      title={say.title}
      columns={columns}
      search={search}
      path={['hosts']}
      actions={add}
      empty={say.empty}
      first={add}
    />
  )
}

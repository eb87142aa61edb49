import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import { addBackupStorage, connectionStatuses, queryBackupStorage, resourceStates } from '@wharf/contract'
import { useState } from 'react'
import type { PageProps } from '../../frame/page-props.ts'
import { linkTo } from '../../frame/route.ts'
import { Capacity } from '../../parts/Capacity.tsx'
import { useRefusal } from '../../parts/permission.ts'
import { type Column, type RecordOf, ResourceTable } from '../../parts/ResourceTable.tsx'
import { Status } from '../../parts/Status.tsx'
import { useWords } from '../../words/words.ts'
import { AddStorage } from './add/AddStorage.tsx'
import { storageTypes } from './add/storage-form.ts'
import { words } from './words.ts'

export function StorageTable({ search }: Pick<PageProps, 'search'>) {
  const say = useWords(words)
  const refused = useRefusal()
  const [isAdding, setAdding] = useState(false)
  const columns: Column<RecordOf<typeof queryBackupStorage>>[] = [
    {
      field: 'name',
      label: say.name,
      cell: (one) => <Link href={linkTo(['backup-storage', one.uuid ?? ''])}>{one.name}</Link>,
    },
    { field: 'type', label: say.type, choices: storageTypes, cell: ({ type }) => (type ? say.types[type] : '–') },
    { field: 'status', label: say.status, choices: connectionStatuses, cell: (one) => <Status value={one.status} /> },
    { field: 'state', label: say.state, choices: resourceStates, cell: (one) => <Status value={one.state} /> },
    {
      field: 'availableCapacity',
      label: say.capacity,
      isMeasure: true,
      cell: (one) => <Capacity total={one.totalCapacity} available={one.availableCapacity} />,
    },
    { field: 'url', label: say.url },
  ]
  const add = (
    <Button variant="primary" {...refused(addBackupStorage)} onClick={() => setAdding(true)}>
      {say.add}
    </Button>
  )
  return (
    <>
      <ResourceTable
        operation={queryBackupStorage}
        title={say.title}
        columns={columns}
        search={search}
        path={['backup-storage']}
        actions={add}
        empty={say.empty}
        first={add}
      />
      {isAdding ? <AddStorage onDismiss={() => setAdding(false)} /> : null}
    </>
  )
}

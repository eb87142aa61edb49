import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import { addBackupStorage, connectionStatuses, queryBackupStorage, resourceStates } from '@wharf/contract'
import type { Route } from '../../browser/route.ts'
import { linkTo } from '../../browser/route.ts'
import { useDialogLink } from '../../browser/use-dialog-link.ts'
import { Capacity } from '../../components/Capacity.tsx'
import { useRefusal } from '../../components/permission.ts'
import { type Column, type RecordOf, ResourceTable } from '../../components/ResourceTable.tsx'
import { Status } from '../../components/Status.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { AddStorage } from './add/AddStorage.tsx'
import { storageTypes } from './add/storage-form.ts'
import { messages } from './messages.ts'
import { useStorageBulkActions } from './use-storage-bulk-actions.ts'

export function StorageTable({ search }: Pick<Route, 'search'>) {
  const t = useMessages(messages)
  const refused = useRefusal()
  const adding = useDialogLink('add')
  const refusal = refused(addBackupStorage)
  const columns: Column<RecordOf<typeof queryBackupStorage>>[] = [
    {
      field: 'name',
      label: t.name,
      width: 190,
      cell: (one) => <Link href={linkTo(['backup-storage', one.uuid ?? ''])}>{one.name}</Link>,
    },
    {
      field: 'type',
      label: t.type,
      width: 115,
      choices: storageTypes,
      cell: ({ type }) => (type ? t.types[type] : '–'),
      text: ({ type }) => (type ? t.types[type] : ''),
    },
    {
      field: 'status',
      label: t.status,
      choices: connectionStatuses,
      width: 145,
      cell: (one) => <Status value={one.status} />,
    },
    {
      field: 'state',
      label: t.state,
      choices: resourceStates,
      width: 125,
      cell: (one) => <Status value={one.state} />,
    },
    {
      field: 'availableCapacity',
      label: t.capacity,
      isMeasure: true,
      cell: (one) => <Capacity total={one.totalCapacity} available={one.availableCapacity} />,
    },
    { field: 'url', label: t.url, width: 240 },
  ]
  const add = (
    <Button variant="primary" {...refusal} onClick={adding.open}>
      {t.add}
    </Button>
  )
  return (
    <>
      <ResourceTable
        operation={queryBackupStorage}
        title={t.title}
        columns={columns}
        search={search}
        path={['backup-storage']}
        bulkActions={useStorageBulkActions()}
        hasTags
        actions={add}
        empty={t.empty}
        first={add}
      />
      {adding.isOpen && !refusal ? <AddStorage onDismiss={adding.close} /> : null}
    </>
  )
}

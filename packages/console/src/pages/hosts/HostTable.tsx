import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { addHost, connectionStatuses, queryHost, resourceStates } from '@wharf/contract'
import { linkTo, navigate } from '../../browser/route.ts'
import { useDialogLink } from '../../browser/use-dialog-link.ts'
import { Capacity } from '../../components/Capacity.tsx'
import { useRefusal } from '../../components/permission.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { type Column, type RecordOf, ResourceTable } from '../../components/ResourceTable.tsx'
import { Status } from '../../components/Status.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { ImportHosts } from './import/ImportHosts.tsx'
import { useLabelColumns } from './labels/use-label-columns.tsx'
import { messages } from './messages.ts'
import { useHostBulkActions } from './use-host-bulk-actions.ts'

export function HostTable({ search }: { search: URLSearchParams }) {
  const t = useMessages(messages)
  const refused = useRefusal()
  const add = (
    <Button variant="primary" {...refused(addHost)} onClick={() => navigate(linkTo(['hosts', 'add']))}>
      {t.add}
    </Button>
  )
  const importing = useDialogLink('import')
  const addMany = (
    <Button {...refused(addHost)} onClick={importing.open}>
      {t.import}
    </Button>
  )
  const [labels, ...labelColumns] = useLabelColumns(search.getAll('q'))
  const columns: Column<RecordOf<typeof queryHost>>[] = [
    {
      field: 'name',
      label: t.name,
      width: 130,
      cell: (host) => <Link href={linkTo(['hosts', host.uuid ?? ''])}>{host.name}</Link>,
    },
    { field: 'address', label: t.address, width: 135 },
    {
      field: 'status',
      label: t.status,
      width: 140,
      choices: connectionStatuses,
      cell: (host) => <Status value={host.status} />,
    },
    {
      field: 'state',
      label: t.state,
      width: 115,
      choices: resourceStates,
      cell: (host) => <Status value={host.state} />,
    },
    ...(labels ? [labels] : []),
    {
      field: 'availableCapacity',
      label: t.capacity,
      isMeasure: true,
      width: 155,
      cell: ({ totalCapacity, availableCapacity }) => <Capacity total={totalCapacity} available={availableCapacity} />,
    },
    { field: 'system', label: t.system, isOptional: true },
    {
      field: 'createDate',
      label: t.created,
      isMeasure: true,
      width: 160,
      cell: (host) => <RelativeTime time={host.createDate} />,
    },
    ...labelColumns,
  ]
  return (
    <>
      <ResourceTable
        operation={queryHost}
        title={t.title}
        columns={columns}
        search={search}
        path={['hosts']}
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            {addMany}
            {add}
          </SpaceBetween>
        }
        bulkActions={useHostBulkActions()}
        hasTags
        empty={t.empty}
        first={add}
      />
      {importing.isOpen && !refused(addHost) ? <ImportHosts onDismiss={importing.close} /> : null}
    </>
  )
}

import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import { addClusterPlugin, queryClusterPlugin, removeClusterPlugin } from '@wharf/contract'
import { linkTo, navigate } from '../../browser/route.ts'
import { useRefusal } from '../../components/permission.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { type BulkAction, type Column, type RecordOf, ResourceTable } from '../../components/ResourceTable.tsx'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages as detailMessages } from './detail/messages.ts'
import { messages } from './messages.ts'

export function ClusterTable({ search }: { search: URLSearchParams }) {
  const t = useMessages(messages)
  const detail = useMessages(detailMessages)
  const { clusterPlugins } = useWharf()
  const refused = useRefusal()
  const columns: Column<RecordOf<typeof queryClusterPlugin>>[] = [
    {
      field: 'name',
      label: t.name,
      cell: ({ uuid = '', name }) => <Link href={linkTo(['clusters', uuid])}>{name}</Link>,
    },
    { field: 'managementIp', label: t.managementIp, width: 225 },
    { field: 'apiPort', label: t.apiPort, isMeasure: true, width: 130 },
    {
      field: 'createDate',
      label: t.created,
      isMeasure: true,
      cell: (plugin) => <RelativeTime time={plugin.createDate} />,
    },
    {
      field: 'lastOpDate',
      label: t.changed,
      isMeasure: true,
      cell: (plugin) => <RelativeTime time={plugin.lastOpDate} />,
    },
  ]
  const bulkActions: BulkAction<RecordOf<typeof queryClusterPlugin>>[] = [
    {
      id: 'remove',
      label: detail.remove,
      operation: removeClusterPlugin,
      consequences: detail.removeConsequences,
      run: ({ uuid = '' }) => clusterPlugins.remove(uuid),
      inputOf: ({ uuid }) => ({ uuid }),
    },
  ]
  const add = (
    <Button variant="primary" {...refused(addClusterPlugin)} onClick={() => navigate(linkTo(['clusters', 'add']))}>
      {t.add}
    </Button>
  )
  return (
    <ResourceTable
      operation={queryClusterPlugin}
      title={t.title}
      columns={columns}
      search={search}
      path={['clusters']}
      bulkActions={bulkActions}
      hasTags
      actions={add}
      empty={t.empty}
      first={add}
    />
  )
}

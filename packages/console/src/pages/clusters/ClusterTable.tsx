import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import { addClusterPlugin, queryClusterPlugin } from '@wharf/contract'
import { go, linkTo } from '../../frame/route.ts'
import { useRefusal } from '../../parts/permission.ts'
import { type Column, type RecordOf, ResourceTable } from '../../parts/ResourceTable.tsx'
import { When } from '../../parts/When.tsx'
import { useWords } from '../../words/words.ts'
import { words } from './words.ts'

export function ClusterTable({ search }: { search: URLSearchParams }) {
  const say = useWords(words)
  const refused = useRefusal()
  const columns: Column<RecordOf<typeof queryClusterPlugin>>[] = [
    {
      field: 'name',
      label: say.name,
      cell: ({ uuid = '', name }) => <Link href={linkTo(['clusters', uuid])}>{name}</Link>,
    },
    { field: 'managementIp', label: say.managementIp },
    { field: 'apiPort', label: say.apiPort, isMeasure: true },
    { field: 'createDate', label: say.created, isMeasure: true, cell: (plugin) => <When time={plugin.createDate} /> },
    { field: 'lastOpDate', label: say.changed, isMeasure: true, cell: (plugin) => <When time={plugin.lastOpDate} /> },
  ]
  const add = (
    <Button variant="primary" {...refused(addClusterPlugin)} onClick={() => go(linkTo(['clusters', 'add']))}>
      {say.add}
    </Button>
  )
  return (
    <ResourceTable
      operation={queryClusterPlugin}
      title={say.title}
      columns={columns}
      search={search}
      path={['clusters']}
      actions={add}
      empty={say.empty}
      first={add}
    />
  )
}

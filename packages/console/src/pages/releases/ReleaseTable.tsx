import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import { publishRelease, queryRelease, releaseStates } from '@wharf/contract'
import { linkTo, type Route } from '../../browser/route.ts'
import { useDialogLink } from '../../browser/use-dialog-link.ts'
import { NotAllowed } from '../../components/NotAllowed.tsx'
import { useRefusal } from '../../components/permission.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { type Column, type RecordOf, ResourceTable } from '../../components/ResourceTable.tsx'
import { Status } from '../../components/Status.tsx'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { InstalledCount } from './InstalledCount.tsx'
import { messages } from './messages.ts'
import { PublishRelease } from './publish/PublishRelease.tsx'
import { useReleaseBulkActions } from './use-release-bulk-actions.ts'

type Release = RecordOf<typeof queryRelease>

export function ReleaseTable({ search }: Pick<Route, 'search'>) {
  const t = useMessages(messages)
  const columns = useColumns()
  const refusal = useRefusal()(publishRelease)
  const publishing = useDialogLink('publish')
  const publish = (
    <Button variant="primary" {...refusal} onClick={publishing.open}>
      {t.publish}
    </Button>
  )
  return (
    <>
      {publishing.isOpen ? <NotAllowed refusal={refusal} /> : null}
      <ResourceTable
        operation={queryRelease}
        title={t.title}
        columns={columns}
        search={search}
        path={['releases']}
        bulkActions={useReleaseBulkActions()}
        hasTags
        actions={publish}
        empty={t.empty}
        first={publish}
      />
      {publishing.isOpen && !refusal ? <PublishRelease onDismiss={publishing.close} /> : null}
    </>
  )
}

function useColumns(): Column<Release>[] {
  const t = useMessages(messages)
  const format = useFormat()
  return [
    {
      field: 'name',
      label: t.name,
      width: 190,
      cell: ({ uuid = '', name }) => <Link href={linkTo(['releases', uuid])}>{name}</Link>,
    },
    { field: 'version', label: t.version, width: 120 },
    { field: 'type', label: t.type, width: 130 },
    {
      field: 'state',
      label: t.state,
      width: 130,
      choices: releaseStates,
      cell: ({ state }) => <Status value={state} />,
    },
    {
      field: 'uuid',
      label: t.installedOn,
      width: 150,
      isDerived: true,
      isReadPerCell: true,
      cell: ({ uuid = '' }) => <InstalledCount releaseUuid={uuid} />,
      text: () => '',
    },
    { field: 'size', label: t.size, isMeasure: true, width: 115, cell: ({ size = 0 }) => format.bytes(size) },
    {
      field: 'createDate',
      label: t.published,
      isMeasure: true,
      cell: ({ createDate }) => <RelativeTime time={createDate} />,
    },
    { field: 'description', label: t.description, isOptional: true },
    { field: 'sha256', label: t.sha256, isOptional: true },
  ]
}

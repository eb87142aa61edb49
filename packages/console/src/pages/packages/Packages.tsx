import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { packageHealths, packageStatuses, querySoftwarePackage, uploadSoftwarePackage } from '@wharf/contract'
import { useState } from 'react'
import type { Route } from '../../browser/route.ts'
import { linkTo } from '../../browser/route.ts'
import { useDialogLink } from '../../browser/use-dialog-link.ts'
import { Health } from '../../components/Health.tsx'
import { HostLink } from '../../components/HostLink.tsx'
import { NotAllowed } from '../../components/NotAllowed.tsx'
import { PackageStatus } from '../../components/package-status/PackageStatus.tsx'
import { useRefusal } from '../../components/permission.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { type Column, type RecordOf, ResourceTable } from '../../components/ResourceTable.tsx'
import { useHostNames } from '../../components/use-host-names.ts'
import { UploadList } from '../../features/uploads/UploadList.tsx'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { PackageDetail } from './PackageDetail.tsx'
import { UploadDialog } from './upload/UploadDialog.tsx'
import { WindowDropTarget } from './upload/WindowDropTarget.tsx'
import { usePackageBulkActions } from './use-package-bulk-actions.ts'

export default function Packages({ path: [uuid], search }: Route) {
  return uuid === undefined ? <PackageList search={search} /> : <PackageDetail uuid={uuid} search={search} />
}

function PackageList({ search }: Pick<Route, 'search'>) {
  const t = useMessages(messages)
  const columns = useColumns()
  const bulkActions = usePackageBulkActions()
  const refusal = useRefusal()(uploadSoftwarePackage)
  const upload = useDialogLink('upload')
  const [files, setFiles] = useState<readonly File[]>([])
  const open = (dropped: readonly File[]): void => {
    setFiles(dropped)
    upload.open()
  }
  return (
    <>
      <SpaceBetween size="l">
        {upload.isOpen ? <NotAllowed refusal={refusal} /> : null}
        <UploadList />
        <ResourceTable
          operation={querySoftwarePackage}
          title={t.title}
          columns={columns}
          search={search}
          path={['packages']}
          bulkActions={bulkActions}
          hasTags
          actions={
            <Button variant="primary" iconName="upload" {...refusal} onClick={() => open([])}>
              {t.upload}
            </Button>
          }
          empty={t.empty}
          first={
            <Button {...refusal} onClick={() => open([])}>
              {t.upload}
            </Button>
          }
        />
      </SpaceBetween>
      {refusal ? null : upload.isOpen ? (
        <UploadDialog files={files} onDismiss={upload.close} />
      ) : (
        <WindowDropTarget label={t.dropHere} onFiles={open} />
      )}
    </>
  )
}

function useColumns(): Column<RecordOf<typeof querySoftwarePackage>>[] {
  const t = useMessages(messages)
  const format = useFormat()
  const hosts = useHostNames()
  return [
    {
      field: 'name',
      label: t.name,
      width: 180,
      cell: (one) => <Link href={linkTo(['packages', one.uuid ?? ''])}>{one.name}</Link>,
    },
    { field: 'version', label: t.version, width: 105 },
    {
      field: 'status',
      label: t.status,
      width: 145,
      choices: packageStatuses,
      cell: ({ uuid = '', status }) => <PackageStatus uuid={uuid} status={status} />,
    },
    {
      field: 'health',
      label: t.health,
      width: 140,
      choices: packageHealths,
      cell: ({ health }) => <Health value={health} />,
    },
    {
      field: 'hostUuid',
      label: t.host,
      width: 150,
      choices: [...hosts].map(([value, label]) => ({ value, label })),
      cell: ({ hostUuid }) => (hostUuid ? <HostLink uuid={hostUuid} name={hosts.get(hostUuid)} /> : t.onStorage),
      text: ({ hostUuid }) => (hostUuid ? (hosts.get(hostUuid) ?? hostUuid) : t.onStorage),
    },
    {
      field: 'size',
      label: t.size,
      isMeasure: true,
      width: 120,
      cell: ({ size = 0 }) => (size ? format.bytes(size) : '–'),
    },
    {
      field: 'lastVerifiedDate',
      label: t.verified,
      isMeasure: true,
      isOptional: true,
      cell: ({ lastVerifiedDate }) => (lastVerifiedDate ? <RelativeTime time={lastVerifiedDate} /> : '–'),
    },
    {
      field: 'createDate',
      label: t.created,
      isMeasure: true,
      cell: (one) => <RelativeTime time={one.createDate} />,
    },
    { field: 'type', label: t.type, isOptional: true },
    { field: 'installPath', label: t.installPath, isOptional: true },
  ]
}

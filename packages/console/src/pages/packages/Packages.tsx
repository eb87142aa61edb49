import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { packageStatuses, querySoftwarePackage, uploadSoftwarePackage } from '@wharf/contract'
import { useState } from 'react'
import type { PageProps } from '../../frame/page-props.ts'
import { go, linkTo } from '../../frame/route.ts'
import { NotAllowed } from '../../parts/NotAllowed.tsx'
import { useRefusal } from '../../parts/permission.ts'
import { type Column, type RecordOf, ResourceTable } from '../../parts/ResourceTable.tsx'
import { Status } from '../../parts/Status.tsx'
import { When } from '../../parts/When.tsx'
import { UploadList } from '../../uploads/UploadList.tsx'
import { useFigures } from '../../words/figures.ts'
import { useWords } from '../../words/words.ts'
import { HostLink } from './HostLink.tsx'
import { useHostNames } from './host-names.ts'
import { PackageDetail } from './PackageDetail.tsx'
import { DropAnywhere } from './upload/DropAnywhere.tsx'
import { UploadDialog } from './upload/UploadDialog.tsx'
import { words } from './words.ts'

export default function Packages({ path: [uuid], search }: PageProps) {
  return uuid === undefined ? <PackageList search={search} /> : <PackageDetail uuid={uuid} search={search} />
}

function PackageList({ search }: Pick<PageProps, 'search'>) {
  const say = useWords(words)
  const columns = useColumns()
  const refusal = useRefusal()(uploadSoftwarePackage)
  // a link may lead straight to the dialog
  const [chosen, setChosen] = useState<readonly File[] | undefined>(search.has('upload') ? [] : undefined)
  const dismiss = (): void => {
    setChosen(undefined)
    // or the dialog would be back with the next reload
    if (search.has('upload')) go(linkTo(['packages']), { replace: true })
  }
  return (
    <>
      <SpaceBetween size="l">
        {chosen === undefined ? null : <NotAllowed refusal={refusal} />}
        <UploadList />
        <ResourceTable
          operation={querySoftwarePackage}
          title={say.title}
          columns={columns}
          search={search}
          path={['packages']}
          actions={
            <Button variant="primary" iconName="upload" {...refusal} onClick={() => setChosen([])}>
              {say.upload}
            </Button>
          }
          empty={say.empty}
          first={
            <Button {...refusal} onClick={() => setChosen([])}>
              {say.upload}
            </Button>
          }
        />
      </SpaceBetween>
      {refusal ? null : chosen === undefined ? (
        <DropAnywhere label={say.dropHere} onFiles={setChosen} />
      ) : (
        <UploadDialog files={chosen} onDismiss={dismiss} />
      )}
    </>
  )
}

function useColumns(): Column<RecordOf<typeof querySoftwarePackage>>[] {
  const say = useWords(words)
  const figures = useFigures()
  const hosts = useHostNames()
  return [
    {
      field: 'name',
      label: say.name,
      cell: (one) => <Link href={linkTo(['packages', one.uuid ?? ''])}>{one.name}</Link>,
    },
    { field: 'status', label: say.status, choices: packageStatuses, cell: (one) => <Status value={one.status} /> },
    { field: 'type', label: say.type },
    {
      field: 'hostUuid',
      label: say.place,
      choices: [...hosts].map(([value, label]) => ({ value, label })),
      cell: ({ hostUuid }) => (hostUuid ? <HostLink uuid={hostUuid} /> : say.onStorage),
    },
    { field: 'size', label: say.size, isMeasure: true, cell: ({ size = 0 }) => (size ? figures.bytes(size) : '–') },
    { field: 'createDate', label: say.created, isMeasure: true, cell: (one) => <When time={one.createDate} /> },
    { field: 'installPath', label: say.installPath },
  ]
}

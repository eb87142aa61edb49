import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { querySoftwarePackage } from '@wharf/contract'
import { useEffect } from 'react'
import type { Route } from '../../browser/route.ts'
import { linkTo } from '../../browser/route.ts'
import { DeletedNotice } from '../../components/DeletedNotice.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { UploadRow } from '../../features/uploads/UploadRow.tsx'
import '../../features/uploads/uploads.css'
import { useApiQuery } from '../../data/api-query.ts'
import { uploads, useUploads } from '../../features/uploads/use-uploads.ts'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'
import { PackageActions } from './PackageActions.tsx'
import { PackageFacts } from './PackageFacts.tsx'
import { PackageJobs } from './PackageJobs.tsx'
import { PackageTags } from './PackageTags.tsx'
import type { PackageRecord } from './package-record.ts'
import { StatusSteps } from './StatusSteps.tsx'

export function PackageDetail({ uuid, search }: { uuid: string } & Pick<Route, 'search'>) {
  const t = useMessages(messages)
  const { data, error, isPending } = useApiQuery(querySoftwarePackage, { q: [`uuid=${uuid}`] })
  const mine = useUploads().find(({ packageUuid }) => packageUuid === uuid)
  const arrived = mine?.state === 'done' ? mine.id : undefined
  useEffect(() => {
    // who is here need not be told any more
    if (arrived !== undefined) uploads.dismiss(arrived)
  }, [arrived])
  const record = data?.inventories?.[0] as PackageRecord | undefined
  if (error) return <ErrorAlert error={error} />
  if (isPending) return <Spinner size="large" />
  if (record === undefined) return <DeletedNotice text={t.gone} href={linkTo(['packages'])} toList={t.toList} />
  return (
    <ContentLayout
      header={
        <Header variant="h1" actions={<PackageActions record={record} />}>
          {record.name}
        </Header>
      }
    >
      <SpaceBetween size="l">
        {mine && arrived === undefined ? (
          <Container>
            <UploadRow item={mine} />
          </Container>
        ) : null}
        <Container>
          <StatusSteps status={record.status} type={record.type} />
        </Container>
        <PackageFacts record={record} />
        <PackageTags uuid={uuid} />
        <PackageJobs uuid={uuid} chosen={search.get('job') ?? undefined} />
      </SpaceBetween>
    </ContentLayout>
  )
}

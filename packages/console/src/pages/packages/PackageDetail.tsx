import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { querySoftwarePackage } from '@wharf/contract'
import { useEffect } from 'react'
import type { PageProps } from '../../frame/page-props.ts'
import { linkTo } from '../../frame/route.ts'
import { Failure } from '../../parts/Failure.tsx'
import { Gone } from '../../parts/Gone.tsx'
import { UploadRow } from '../../uploads/UploadRow.tsx'
import '../../uploads/uploads.css'
import { uploads, useUploads } from '../../uploads/uploads.ts'
import { useAnswer } from '../../wharf/answers.ts'
import { useWords } from '../../words/words.ts'
import { PackageActions } from './PackageActions.tsx'
import { PackageFacts } from './PackageFacts.tsx'
import { PackageJobs } from './PackageJobs.tsx'
import { PackageTags } from './PackageTags.tsx'
import type { PackageRecord } from './package-record.ts'
import { StatusPath } from './StatusPath.tsx'
import { words } from './words.ts'

export function PackageDetail({ uuid, search }: { uuid: string } & Pick<PageProps, 'search'>) {
  const say = useWords(words)
  const { data, error, isPending } = useAnswer(querySoftwarePackage, { q: [`uuid=${uuid}`] })
  const mine = useUploads().find(({ packageUuid }) => packageUuid === uuid)
  const arrived = mine?.state === 'done' ? mine.id : undefined
  useEffect(() => {
    // who is here need not be told any more
    if (arrived !== undefined) uploads.dismiss(arrived)
  }, [arrived])
  const record = data?.inventories?.[0] as PackageRecord | undefined
  if (error) return <Failure error={error} />
  if (isPending) return <Spinner size="large" />
  if (record === undefined) return <Gone text={say.gone} href={linkTo(['packages'])} toList={say.toList} />
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
          <StatusPath status={record.status} type={record.type} />
        </Container>
        <PackageFacts record={record} />
        <PackageTags uuid={uuid} />
        <PackageJobs uuid={uuid} chosen={search.get('job') ?? undefined} />
      </SpaceBetween>
    </ContentLayout>
  )
}

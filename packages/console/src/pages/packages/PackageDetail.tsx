import Container from '@cloudscape-design/components/container'
import { querySoftwarePackage } from '@wharf/contract'
import { useEffect } from 'react'
import type { Route } from '../../browser/route.ts'
import { DetailPage } from '../../components/DetailPage.tsx'
import { NewestJobFailure } from '../../components/job-failure/NewestJobFailure.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { UploadRow } from '../../features/uploads/UploadRow.tsx'
import '../../features/uploads/uploads.css'
import { uploads, useUploads } from '../../features/uploads/use-uploads.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { HealthFailure } from './HealthFailure.tsx'
import { messages } from './messages.ts'
import { PackageFacts } from './PackageFacts.tsx'
import { PackageJobs } from './PackageJobs.tsx'
import { PackageTags } from './PackageTags.tsx'
import type { PackageRecord } from './package-record.ts'
import { ReplacedNotice } from './ReplacedNotice.tsx'
import { StatusSteps } from './StatusSteps.tsx'
import { usePackageActions } from './use-package-actions.tsx'

export function PackageDetail({ uuid, search }: { uuid: string } & Pick<Route, 'search'>) {
  const t = useMessages(messages)
  const query = useApiQuery(querySoftwarePackage, { q: [`uuid=${uuid}`] })
  const actions = usePackageActions(uuid, query.data?.inventories?.[0]?.hostUuid ?? undefined)
  const upload = useUploads().find(({ packageUuid }) => packageUuid === uuid)
  const finished = upload?.state === 'done' ? upload.id : undefined
  useEffect(() => {
    // this page shows the result, so no notification is needed
    if (finished !== undefined) uploads.dismiss(finished)
  }, [finished])
  return (
    <DetailPage
      query={query}
      notFound={t.notFound}
      list={{ path: ['packages'], label: t.toList }}
      title={({ name }) => name}
      actions={(record) => actions(record as PackageRecord)}
    >
      {(found) => {
        const record = found as PackageRecord
        return (
          <>
            {upload && finished === undefined ? (
              <Container>
                <UploadRow item={upload} />
              </Container>
            ) : null}
            <NewestJobFailure subjectUuid={uuid} />
            <HealthFailure record={record} />
            <ReplacedNotice record={record} />
            <Container>
              <StatusSteps record={record} />
            </Container>
            <PackageFacts record={record} />
            <PackageTags uuid={uuid} />
            <PackageJobs uuid={uuid} chosen={search.get('job') ?? undefined} />
          </>
        )
      }}
    </DetailPage>
  )
}

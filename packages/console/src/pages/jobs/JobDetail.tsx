import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { cancelApiJob, queryApiJob } from '@wharf/contract'
import { useState } from 'react'
import { linkTo } from '../../browser/route.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { DeletedNotice } from '../../components/DeletedNotice.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { JobLog } from '../../components/JobLog.tsx'
import { useJobTitles } from '../../components/job-titles/use-job-titles.ts'
import { useRefusal } from '../../components/permission.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { Status } from '../../components/Status.tsx'
import { useJobFailure } from '../../components/use-job-failure.ts'
import { useApiQuery } from '../../data/api-query.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'

const running: readonly string[] = ['Waiting', 'Running', 'Undoing']

export function JobDetail({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const refused = useRefusal()
  const [isConfirming, setConfirming] = useState(false)
  const { data, error } = useApiQuery(queryApiJob, { q: [`uuid=${uuid}`] })
  const job = data?.inventories?.[0]
  const { title, subject } = useJobTitles(job ? [job] : [])(job ?? { operation: uuid })
  const isRunning = running.includes(job?.state ?? '')
  const failure = useJobFailure(uuid, job?.state === 'Failed')
  if (error) return <ErrorAlert error={error} />
  if (data && job === undefined)
    return <DeletedNotice text={t.unknown(uuid)} href={linkTo(['jobs'])} toList={t.toJobs} />
  return (
    <ContentLayout
      header={
        <Header
          variant="h1"
          description={job?.operation}
          actions={
            <Button
              {...(refused(cancelApiJob) ?? (isRunning ? {} : { disabled: true, disabledReason: t.ended }))}
              onClick={() => setConfirming(true)}
            >
              {t.cancel}
            </Button>
          }
        >
          {title}
        </Header>
      }
    >
      <SpaceBetween size="l">
        {failure ? <ErrorAlert error={failure} /> : null}
        <Container>
          <KeyValuePairs
            columns={4}
            items={[
              { label: t.state, value: <Status value={job?.state} isJob /> },
              { label: t.progress, value: <ProgressBar value={job?.progress ?? 0} ariaLabel={t.progress} /> },
              { label: t.step, value: job?.currentStep ?? '–' },
              { label: t.created, value: <RelativeTime time={job?.createDate} /> },
              { label: t.changed, value: <RelativeTime time={job?.lastOpDate} /> },
              { label: t.deadline, value: <RelativeTime time={job?.deadline} /> },
              {
                label: t.subject,
                value: subject ? <Link href={subject.href}>{subject.name}</Link> : (job?.subjectUuid ?? '–'),
              },
              { label: t.node, value: job?.managementNodeUuid ?? '–' },
            ]}
          />
        </Container>
        <Container header={<Header variant="h2">{t.log}</Header>}>
          <JobLog jobUuid={uuid} />
        </Container>
      </SpaceBetween>
      {isConfirming ? (
        <Confirm
          title={t.cancelTitle(title)}
          consequences={t.cancelMeans}
          action={t.cancel}
          onConfirm={() => wharf.jobs.cancel(uuid)}
          onDismiss={() => setConfirming(false)}
        />
      ) : null}
    </ContentLayout>
  )
}

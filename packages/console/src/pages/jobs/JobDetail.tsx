import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import { cancelApiJob, isActiveJob, queryApiJob } from '@wharf/contract'
import { DetailPage } from '../../components/DetailPage.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { JobLog } from '../../components/job-log/JobLog.tsx'
import { JobTimeline } from '../../components/job-steps/JobTimeline.tsx'
import { useStepTitle } from '../../components/job-steps/use-step-title.ts'
import { useJobTitles } from '../../components/job-titles/use-job-titles.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { Status } from '../../components/Status.tsx'
import { useJobFailure } from '../../components/use-job-failure.ts'
import { useApiQuery } from '../../data/api-query.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

export function JobDetail({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const stepTitle = useStepTitle()
  const query = useApiQuery(queryApiJob, { q: [`uuid=${uuid}`] })
  const loaded = query.data?.inventories?.[0]
  const { title, subject } = useJobTitles(loaded ? [loaded] : [])(loaded ?? { operation: uuid })
  const failure = useJobFailure(uuid, loaded?.state === 'Failed')
  return (
    <DetailPage
      query={query}
      notFound={t.notFound(uuid)}
      list={{ path: ['jobs'], label: t.toList }}
      title={() => title}
      description={({ operation }) => operation}
      actions={({ state = '' }) => [
        {
          label: t.cancel,
          operation: cancelApiJob,
          disabledReason: isActiveJob(state) ? undefined : t.ended,
          confirm: { title: t.cancelTitle(title), consequences: t.cancelMeans },
          run: () => wharf.jobs.cancel(uuid),
        },
      ]}
    >
      {(job) => (
        <>
          {failure ? <ErrorAlert error={failure} /> : null}
          <Container>
            <KeyValuePairs
              columns={4}
              items={[
                { label: t.state, value: <Status value={job.state} isJob /> },
                { label: t.progress, value: <ProgressBar value={job.progress ?? 0} ariaLabel={t.progress} /> },
                { label: t.step, value: job.currentStep ? stepTitle(job.operation ?? '', job.currentStep) : '–' },
                { label: t.created, value: <RelativeTime time={job.createDate} /> },
                { label: t.changed, value: <RelativeTime time={job.lastOpDate} /> },
                { label: t.deadline, value: <RelativeTime time={job.deadline} /> },
                {
                  label: t.subject,
                  value: subject ? <Link href={subject.href}>{subject.name}</Link> : (job.subjectUuid ?? '–'),
                },
                { label: t.node, value: job.managementNodeUuid ?? '–' },
              ]}
            />
          </Container>
          <JobTimeline jobUuid={uuid} operation={job.operation ?? ''} />
          <Container header={<Header variant="h2">{t.log}</Header>}>
            <JobLog jobUuid={uuid} operation={job.operation ?? ''} />
          </Container>
        </>
      )}
    </DetailPage>
  )
}

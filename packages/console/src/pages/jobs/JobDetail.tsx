import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import { cancelApiJob, isActiveJob, queryApiJob, versionedName } from '@wharf/contract'
import { useEffect } from 'react'
import { DetailPage } from '../../components/DetailPage.tsx'
import { JobDuration } from '../../components/JobDuration.tsx'
import { JobFailure } from '../../components/job-failure/JobFailure.tsx'
import { useRetryAction } from '../../components/job-failure/use-retry-action.ts'
import { JobLog } from '../../components/job-log/JobLog.tsx'
import { JobTimeline } from '../../components/job-steps/JobTimeline.tsx'
import { useStepTitle } from '../../components/job-steps/use-step-title.ts'
import { useJobSubject } from '../../components/job-titles/use-job-subject.ts'
import { useJobTitle } from '../../components/job-titles/use-job-title.ts'
import { NodeName } from '../../components/NodeName.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import type { RecordOf } from '../../components/ResourceTable.tsx'
import { Status } from '../../components/Status.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useSession } from '../../data/session.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { isAbout } from '../../features/notifications/notification.ts'
import { notificationStore } from '../../features/notifications/use-notifications.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { useCancelProblem } from './use-cancel-problem.ts'

export function JobDetail({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const stepTitle = useStepTitle()
  const query = useApiQuery(queryApiJob, { q: [`uuid=${uuid}`] })
  const loaded = query.data?.inventories?.[0]
  const title = useJobTitle()(loaded ?? { operation: uuid })
  const subjectHref = useJobSubject(loaded ?? {})
  const retry = useRetryAction()
  const cancelProblem = useCancelProblem()
  const { userUuid = '' } = useSession() ?? {}
  useEffect(() => notificationStore(userUuid).markRead((one) => isAbout(one, uuid)), [userUuid, uuid])
  return (
    <DetailPage
      query={query}
      notFound={t.notFound(uuid)}
      list={{ path: ['jobs'], label: t.toList }}
      title={() => title}
      description={({ operation }) => operation}
      historyField="jobUuid"
      actions={(job) => [
        ...(isActiveJob(job.state ?? '') || job.state === 'Succeeded' ? [] : [retry(job)]),
        {
          label: t.cancel,
          operation: cancelApiJob,
          disabledReason: cancelProblem(job),
          call: { operation: cancelApiJob, input: { uuid } },
          confirm: {
            title: t.cancelTitle(title),
            consequences: t.cancelConsequences,
          },
          run: () => wharf.jobs.cancel(uuid),
        },
      ]}
    >
      {(job) => (
        <>
          <JobFailure job={job} isOwnPage />
          <Container>
            <KeyValuePairs
              columns={4}
              items={[
                { label: t.state, value: <Status value={job.state} isJob /> },
                ...(isActiveJob(job.state ?? '')
                  ? [
                      { label: t.progress, value: <ProgressBar value={job.progress ?? 0} ariaLabel={t.progress} /> },
                      { label: t.step, value: job.currentStep ? stepTitle(job.operation ?? '', job.currentStep) : '–' },
                      { label: t.deadline, value: <RelativeTime time={job.deadline} /> },
                    ]
                  : []),
                { label: t.user, value: job.userName ?? job.userUuid },
                { label: t.created, value: <RelativeTime time={job.createDate} /> },
                { label: t.duration, value: <JobDuration job={job} /> },
                { label: t.end, value: <RelativeTime time={job.endDate} /> },
                { label: t.subject, value: <JobSubject job={job} href={subjectHref} /> },
                ...(job.targetName ? [{ label: t.target, value: job.targetName }] : []),
                ...(job.managementNodeUuid
                  ? [{ label: t.node, value: <NodeName uuid={job.managementNodeUuid} /> }]
                  : []),
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

/** The name of the record, with a link while it exists. */
function JobSubject({ job, href }: { job: RecordOf<typeof queryApiJob>; href: string | undefined }) {
  const name = versionedName(job) ?? job.subjectUuid ?? '–'
  return href ? <Link href={href}>{name}</Link> : name
}

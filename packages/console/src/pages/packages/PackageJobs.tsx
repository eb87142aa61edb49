import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { queryApiJob } from '@wharf/contract'
import { linkTo, navigate } from '../../browser/route.ts'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { JobDuration } from '../../components/JobDuration.tsx'
import { JobLog } from '../../components/job-log/JobLog.tsx'
import { useJobTitle } from '../../components/job-titles/use-job-title.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { Status } from '../../components/Status.tsx'
import { SectionTable } from '../../components/table/SectionTable.tsx'
import { useJobFailure } from '../../components/use-job-failure.ts'
import { useApiQuery } from '../../data/api-query.ts'
import { useNewestJobs } from '../../data/use-newest-jobs.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { isUnlisted, selectedJob } from './selected-job.ts'

const maxJobs = 50

/** The jobs of the package, and the log of the selected or newest one. */
export function PackageJobs({ uuid, chosen }: { uuid: string; chosen: string | undefined }) {
  const t = useMessages(messages)
  const newest = useNewestJobs(uuid, maxJobs)
  const listed = newest.jobs ?? []
  const isOlder = newest.jobs !== undefined && isUnlisted(listed, chosen)
  const older = useApiQuery(queryApiJob, { q: [`uuid=${chosen}`, `subjectUuid=${uuid}`] }, { enabled: isOlder })
  const jobs = isOlder ? [...listed, ...(older.data?.inventories ?? [])] : listed
  const shown = selectedJob(jobs, chosen, isOlder && older.isPending)
  const error = newest.error ?? older.error
  // the failure of the newest job is at the top of the page
  const isNewest = shown?.uuid === listed[0]?.uuid
  const failed = useJobFailure(shown?.uuid ?? '', shown?.state === 'Failed' && !isNewest)
  const failure = isNewest ? undefined : failed
  const titleOf = useJobTitle()
  const show = (job: string | undefined): void => navigate(linkTo(['packages', uuid], { job }), { replace: true })
  return (
    <SpaceBetween size="l">
      <SectionTable
        title={t.jobs}
        records={newest.jobs && jobs}
        keyOf={({ uuid = '' }) => uuid}
        error={error}
        selection={{
          selectionType: 'single',
          selectedItems: shown ? [shown] : [],
          onSelectionChange: ({ detail }) => show(detail.selectedItems[0]?.uuid),
          ariaLabels: {
            selectionGroupLabel: t.showLog,
            itemSelectionLabel: (_, job) => t.logOf(titleOf(job)),
          },
        }}
        onRowClick={({ uuid }) => show(uuid)}
        columns={[
          {
            field: 'operation',
            label: t.operation,
            cell: (job) => <Link href={linkTo(['jobs', job.uuid ?? ''])}>{titleOf(job)}</Link>,
          },
          { field: 'state', label: t.state, cell: (job) => <Status value={job.state} isJob /> },
          { field: 'errorCode', label: t.error },
          { field: 'userName', label: t.startedBy },
          { field: 'createDate', label: t.started, cell: (job) => <RelativeTime time={job.createDate} /> },
          { field: 'lastOpDate', label: t.duration, cell: (job) => <JobDuration job={job} /> },
        ]}
        empty={t.noJobs}
      />
      {shown?.uuid ? (
        <Container header={<Header variant="h2">{t.logOf(titleOf(shown))}</Header>}>
          <SpaceBetween size="m">
            {failure ? <ErrorAlert error={failure} /> : null}
            <JobLog key={shown.uuid} jobUuid={shown.uuid} operation={shown.operation ?? ''} />
          </SpaceBetween>
        </Container>
      ) : null}
    </SpaceBetween>
  )
}

import Link from '@cloudscape-design/components/link'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import { isActiveJob, jobStates, queryApiJob } from '@wharf/contract'
import type { Route } from '../../browser/route.ts'
import { linkTo, navigate } from '../../browser/route.ts'
import { durationOf, JobDuration } from '../../components/JobDuration.tsx'
import { useJobTitle } from '../../components/job-titles/use-job-title.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { type Column, type RecordOf, ResourceTable } from '../../components/ResourceTable.tsx'
import { Status } from '../../components/Status.tsx'
import { useSession } from '../../data/session.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { JobDetail } from './JobDetail.tsx'
import { conditionsOfView, type JobView, jobViews, searchOfView, viewIn } from './job-views.ts'
import { messages } from './messages.ts'
import { useJobBulkActions } from './use-job-bulk-actions.ts'

type Job = RecordOf<typeof queryApiJob>

export default function Jobs({ path: [uuid], search }: Route) {
  return uuid === undefined ? <JobList search={search} /> : <JobDetail key={uuid} uuid={uuid} />
}

function JobList({ search }: Pick<Route, 'search'>) {
  const t = useMessages(messages)
  const format = useFormat()
  const titleOf = useJobTitle()
  const { userUuid = '' } = useSession() ?? {}
  const view = viewIn(search)
  const columns: Column<Job>[] = [
    {
      field: 'summary',
      label: t.job,
      cell: (job) => <Link href={linkTo(['jobs', job.uuid ?? ''])}>{titleOf(job)}</Link>,
      text: titleOf,
      width: 210,
      lines: 2,
    },
    { field: 'state', label: t.state, choices: jobStates, width: 155, cell: (job) => <JobState job={job} /> },
    { field: 'userName', label: t.user, width: 130 },
    { field: 'createDate', label: t.created, isMeasure: true, cell: (job) => <RelativeTime time={job.createDate} /> },
    {
      field: 'lastOpDate',
      label: t.duration,
      isDerived: true,
      width: 138,
      cell: (job) => <JobDuration job={job} />,
      text: (job) => durationOf(job, format),
    },
    { field: 'endDate', label: t.end, isMeasure: true, cell: (job) => <RelativeTime time={job.endDate} /> },
    { field: 'errorCode', label: t.error, isOptional: true },
    { field: 'targetName', label: t.target, isOptional: true },
    { field: 'operation', label: t.operation, isOptional: true },
  ]
  return (
    <ResourceTable
      operation={queryApiJob}
      title={t.title}
      columns={columns}
      search={search}
      path={['jobs']}
      bulkActions={useJobBulkActions()}
      textField="summary"
      only={conditionsOfView(view, userUuid)}
      actions={
        <SegmentedControl
          selectedId={view}
          label={t.view}
          options={jobViews.map((id) => ({ id, text: t.views[id] }))}
          onChange={({ detail }) =>
            navigate(`${linkTo(['jobs'])}${searchOfView(search, detail.selectedId as JobView)}`)
          }
        />
      }
      empty={view === 'all' ? t.empty : t.emptyViews[view]}
    />
  )
}

function JobState({ job: { state, progress = 0 } }: { job: Job }) {
  const format = useFormat()
  return (
    <>
      <Status value={state} isJob />
      {isActiveJob(state) ? ` ${format.percent(progress / 100)}` : null}
    </>
  )
}

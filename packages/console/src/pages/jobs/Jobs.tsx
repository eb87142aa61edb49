import Link from '@cloudscape-design/components/link'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import { jobStates, queryApiJob } from '@wharf/contract'
import type { Route } from '../../browser/route.ts'
import { linkTo } from '../../browser/route.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { type Column, type RecordOf, ResourceTable } from '../../components/ResourceTable.tsx'
import { Status } from '../../components/Status.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { JobDetail } from './JobDetail.tsx'
import { messages } from './messages.ts'

export default function Jobs({ path: [uuid], search }: Route) {
  const t = useMessages(messages)
  if (uuid !== undefined) return <JobDetail uuid={uuid} />
  const columns: Column<RecordOf<typeof queryApiJob>>[] = [
    {
      field: 'operation',
      label: t.operation,
      cell: (job) => <Link href={linkTo(['jobs', job.uuid ?? ''])}>{job.operation}</Link>,
    },
    { field: 'state', label: t.state, choices: jobStates, cell: (job) => <Status value={job.state} isJob /> },
    {
      field: 'progress',
      label: t.progress,
      isMeasure: true,
      cell: (job) => <ProgressBar value={job.progress ?? 0} ariaLabel={t.progress} />,
    },
    { field: 'currentStep', label: t.step },
    { field: 'errorCode', label: t.error },
    { field: 'createDate', label: t.created, isMeasure: true, cell: (job) => <RelativeTime time={job.createDate} /> },
  ]
  return (
    <ResourceTable
      operation={queryApiJob}
      title={t.title}
      columns={columns}
      search={search}
      path={['jobs']}
      textField="operation"
      empty={t.empty}
    />
  )
}

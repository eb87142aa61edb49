import Link from '@cloudscape-design/components/link'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import { jobStates, queryApiJob } from '@wharf/contract'
import type { PageProps } from '../../frame/page-props.ts'
import { linkTo } from '../../frame/route.ts'
import { type Column, type RecordOf, ResourceTable } from '../../parts/ResourceTable.tsx'
import { Status } from '../../parts/Status.tsx'
import { When } from '../../parts/When.tsx'
import { useWords } from '../../words/words.ts'
import { JobDetail } from './JobDetail.tsx'
import { words } from './words.ts'

export default function Jobs({ path: [uuid], search }: PageProps) {
  const say = useWords(words)
  if (uuid !== undefined) return <JobDetail uuid={uuid} />
  const columns: Column<RecordOf<typeof queryApiJob>>[] = [
    {
      field: 'operation',
      label: say.operation,
      cell: (job) => <Link href={linkTo(['jobs', job.uuid ?? ''])}>{job.operation}</Link>,
    },
    { field: 'state', label: say.state, choices: jobStates, cell: (job) => <Status value={job.state} isJob /> },
    {
      field: 'progress',
      label: say.progress,
      isMeasure: true,
      cell: (job) => <ProgressBar value={job.progress ?? 0} ariaLabel={say.progress} />,
    },
    { field: 'currentStep', label: say.step },
    { field: 'errorCode', label: say.error },
    { field: 'createDate', label: say.created, isMeasure: true, cell: (job) => <When time={job.createDate} /> },
  ]
  return (
    <ResourceTable
      operation={queryApiJob}
      title={say.title}
      columns={columns}
      search={search}
      path={['jobs']}
      textField="operation"
      empty={say.empty}
    />
  )
}

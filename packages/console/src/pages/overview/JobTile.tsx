import Box from '@cloudscape-design/components/box'
import Link from '@cloudscape-design/components/link'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import { activeJobsQuery, queryApiJob } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { useStepTitle } from '../../components/job-steps/use-step-title.ts'
import { useJobTitle } from '../../components/job-titles/use-job-title.ts'
import { useApiQuery } from '../../data/api-query.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { Tile } from './Tile.tsx'

export function JobTile() {
  const t = useMessages(messages)
  const format = useFormat()
  const { data, error } = useApiQuery(queryApiJob, {
    q: [activeJobsQuery],
    sort: '-createDate',
    limit: 4,
    replyWithCount: true,
  })
  const jobs = data?.inventories ?? []
  const titleOf = useJobTitle()
  const stepTitle = useStepTitle()
  return (
    <Tile title={t.jobs} counter={data && `(${format.number(data.total ?? 0)})`} href={linkTo(['jobs'])} error={error}>
      {data && jobs.length === 0 ? <Box color="text-body-secondary">{t.noJobs}</Box> : null}
      <ul className="lines">
        {jobs.map(({ uuid = '', progress = 0, currentStep, ...job }) => (
          <li key={uuid}>
            <Link href={linkTo(['jobs', uuid])}>{titleOf(job)}</Link>
            <ProgressBar
              value={progress}
              ariaLabel={titleOf(job)}
              additionalInfo={currentStep ? stepTitle(job.operation ?? '', currentStep) : ''}
            />
          </li>
        ))}
      </ul>
    </Tile>
  )
}

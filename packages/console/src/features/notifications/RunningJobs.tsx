import Link from '@cloudscape-design/components/link'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { activeJobsQuery, queryApiJob } from '@wharf/contract'
import { linkTo, usePath } from '../../browser/route.ts'
import { useJobTitle } from '../../components/job-titles/use-job-title.ts'
import { useApiQuery } from '../../data/api-query.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import './running-jobs.css'

const running = { q: [activeJobsQuery], sort: '-createDate', limit: 1, replyWithCount: true }

/** One line about the running jobs; none on the pages that show them. */
export function RunningJobs() {
  const t = useMessages(messages)
  const format = useFormat()
  const titleOf = useJobTitle()
  const path = usePath()
  const { data } = useApiQuery(queryApiJob, running)
  const [job] = data?.inventories ?? []
  const count = data?.total ?? 0
  if (job === undefined || count === 0 || path[0] === 'jobs') return null
  const isOne = count === 1
  if (isOne && path[1] !== undefined && path[1] === job.subjectUuid) return null
  const text = isOne
    ? t.progress(titleOf(job), format.percent((job.progress ?? 0) / 100))
    : t.running(format.number(count))
  return (
    <div className="running-jobs">
      <StatusIndicator type="in-progress">
        <Link href={linkTo(isOne ? ['jobs', job.uuid ?? ''] : ['jobs'])}>{text}</Link>
      </StatusIndicator>
    </div>
  )
}

import Box from '@cloudscape-design/components/box'
import Link from '@cloudscape-design/components/link'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import { queryApiJob } from '@wharf/contract'
import { linkTo } from '../../frame/route.ts'
import { useJobTitles } from '../../parts/job-titles/use-job-titles.ts'
import { useAnswer } from '../../wharf/answers.ts'
import { useFigures } from '../../words/figures.ts'
import { useWords } from '../../words/words.ts'
import { Tile } from './Tile.tsx'
import { words } from './words.ts'

const running = 'state?=Waiting,Running,Undoing'

export function JobTile() {
  const say = useWords(words)
  const figures = useFigures()
  const { data, error } = useAnswer(queryApiJob, { q: [running], sort: '-createDate', limit: 4, replyWithCount: true })
  const jobs = data?.inventories ?? []
  const titleOf = useJobTitles(jobs)
  return (
    <Tile
      title={say.jobs}
      counter={data && `(${figures.number(data.total ?? 0)})`}
      href={linkTo(['jobs'])}
      error={error}
    >
      {data && jobs.length === 0 ? <Box color="text-body-secondary">{say.noJobs}</Box> : null}
      <ul className="lines">
        {jobs.map(({ uuid = '', progress = 0, currentStep, ...job }) => (
          <li key={uuid}>
            <Link href={linkTo(['jobs', uuid])}>{titleOf(job).title}</Link>
            <ProgressBar value={progress} ariaLabel={titleOf(job).title} additionalInfo={currentStep ?? ''} />
          </li>
        ))}
      </ul>
    </Tile>
  )
}

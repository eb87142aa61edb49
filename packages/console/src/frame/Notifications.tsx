import Button from '@cloudscape-design/components/button'
import Flashbar, { type FlashbarProps } from '@cloudscape-design/components/flashbar'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import { queryApiJob } from '@wharf/contract'
import { useState } from 'react'
import { useJobTitles } from '../parts/job-titles/use-job-titles.ts'
import { useUploadFlashes } from '../uploads/upload-flashes.tsx'
import { useUploadsOfSession } from '../uploads/uploads.ts'
import { useAnswer } from '../wharf/answers.ts'
import { useChanges } from '../wharf/changes.ts'
import { useWords } from '../words/words.ts'
import { go, linkTo } from './route.ts'
import { words } from './words.ts'

/** More than this would hide the page; the rest is counted. */
const shown = 2
const running = { q: ['state?=Waiting,Running,Undoing'], sort: '-createDate', limit: shown, replyWithCount: true }

/** What runs at the moment, and whether the server is heard. */
export function Notifications() {
  const say = useWords(words)
  const { isConnected } = useChanges()
  useUploadsOfSession()
  const uploadFlashes = useUploadFlashes()
  const { data } = useAnswer(queryApiJob, running)
  const jobs = data?.inventories ?? []
  const titleOf = useJobTitles(jobs)
  const [dismissed, setDismissed] = useState<readonly string[]>([])
  const canBeDismissed = (id: string) => ({
    id,
    dismissible: true,
    dismissLabel: say.dismiss,
    onDismiss: () => setDismissed((before) => [...before, id]),
  })
  const items: FlashbarProps.MessageDefinition[] = isConnected
    ? jobs.map(({ uuid = '', progress = 0, currentStep, ...job }) => ({
        ...canBeDismissed(uuid),
        type: 'in-progress',
        content: (
          <ProgressBar
            variant="flash"
            value={progress}
            label={titleOf(job).title}
            additionalInfo={currentStep ?? undefined}
          />
        ),
        action: <Button onClick={() => go(linkTo(['jobs', uuid]))}>{say.showJobs}</Button>,
      }))
    : [{ id: 'away', type: 'warning', loading: true, content: say.away }]
  const hidden = (data?.total ?? 0) - jobs.length
  if (isConnected && hidden > 0)
    items.push({
      // more of them are news
      ...canBeDismissed(`${data?.total} run`),
      type: 'in-progress',
      loading: true,
      content: say.running(data?.total ?? 0),
      action: <Button onClick={() => go(linkTo(['jobs']))}>{say.showJobs}</Button>,
    })
  const shownItems = items.filter(({ id = '' }) => !dismissed.includes(id))
  return <Flashbar items={[...uploadFlashes, ...shownItems]} stackItems={false} />
}

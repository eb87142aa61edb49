import Button from '@cloudscape-design/components/button'
import Flashbar, { type FlashbarProps } from '@cloudscape-design/components/flashbar'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import { queryApiJob } from '@wharf/contract'
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
  const items: FlashbarProps.MessageDefinition[] = isConnected
    ? jobs.map(({ uuid = '', operation = '', progress = 0, currentStep }) => ({
        id: uuid,
        type: 'in-progress',
        content: (
          <ProgressBar variant="flash" value={progress} label={operation} additionalInfo={currentStep ?? undefined} />
        ),
        action: <Button onClick={() => go(linkTo(['jobs', uuid]))}>{say.showJobs}</Button>,
      }))
    : [{ id: 'away', type: 'warning', loading: true, content: say.away }]
  const hidden = (data?.total ?? 0) - jobs.length
  if (isConnected && hidden > 0)
    items.push({
      id: 'more',
      type: 'in-progress',
      loading: true,
      content: say.running(data?.total ?? 0),
      action: <Button onClick={() => go(linkTo(['jobs']))}>{say.showJobs}</Button>,
    })
  return <Flashbar items={[...uploadFlashes, ...items]} stackItems={false} />
}

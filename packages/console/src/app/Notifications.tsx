import Button from '@cloudscape-design/components/button'
import Flashbar, { type FlashbarProps } from '@cloudscape-design/components/flashbar'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import { useQueryClient } from '@tanstack/react-query'
import { activeJobsQuery, queryApiJob } from '@wharf/contract'
import { useEffect, useState } from 'react'
import { linkTo, navigate } from '../browser/route.ts'
import { useJobTitles } from '../components/job-titles/use-job-titles.ts'
import { useApiQuery } from '../data/api-query.ts'
import { followEvents } from '../data/follow-events.ts'
import { signOut, useEndedSession } from '../data/session.ts'
import { useWharf } from '../data/wharf-context.tsx'
import { useUploadFlashes } from '../features/uploads/use-upload-flashes.tsx'
import { useUploadSession } from '../features/uploads/use-uploads.ts'
import { useMessages } from '../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** More notifications would hide the page; the rest is counted. */
const shown = 2
const running = { q: [activeJobsQuery], sort: '-createDate', limit: shown, replyWithCount: true }

/** Running jobs and uploads, and whether the event stream is connected. */
export function Notifications() {
  const t = useMessages(messages)
  const isConnected = useChangeEvents()
  useUploadSession()
  const uploadFlashes = useUploadFlashes()
  const { data } = useApiQuery(queryApiJob, running)
  const jobs = data?.inventories ?? []
  const titleOf = useJobTitles(jobs)
  const [dismissed, setDismissed] = useState<readonly string[]>([])
  const canBeDismissed = (id: string) => ({
    id,
    dismissible: true,
    dismissLabel: t.dismiss,
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
        action: <Button onClick={() => navigate(linkTo(['jobs', uuid]))}>{t.showJobs}</Button>,
      }))
    : [{ id: 'away', type: 'warning', loading: true, content: t.disconnected }]
  const hidden = (data?.total ?? 0) - jobs.length
  if (isConnected && hidden > 0)
    items.push({
      // a changed count shows a dismissed notification again
      ...canBeDismissed(`${data?.total} run`),
      type: 'in-progress',
      loading: true,
      content: t.running(data?.total ?? 0),
      action: <Button onClick={() => navigate(linkTo(['jobs']))}>{t.showJobs}</Button>,
    })
  const shownItems = items.filter(({ id = '' }) => !dismissed.includes(id))
  return <Flashbar items={[...uploadFlashes, ...shownItems]} stackItems={false} />
}

/** Refetches the queries that an event makes stale. Returns whether the event stream is connected. */
function useChangeEvents(): boolean {
  const wharf = useWharf()
  const queries = useQueryClient()
  const [isConnected, setConnected] = useState(true)
  useEffect(() => {
    const end = new AbortController()
    void followEvents({ wharf, queries, signal: end.signal, onConnection: setConnected, onSessionEnd: signOut })
    return () => end.abort()
  }, [wharf, queries])
  // without a session the stream is closed although the server responds
  return useEndedSession() !== undefined || isConnected
}

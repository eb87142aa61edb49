import Button from '@cloudscape-design/components/button'
import type { FlashbarProps } from '@cloudscape-design/components/flashbar'
import { useEffect, useSyncExternalStore } from 'react'
import { linkTo, navigate, useRoute } from '../../browser/route.ts'
import { useJobTitle } from '../../components/job-titles/use-job-title.ts'
import { useSession } from '../../data/session.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { useUploads } from '../uploads/use-uploads.ts'
import { messages } from './messages.ts'
import type { JobNotification } from './notification.ts'
import { flashes, isOnPage, useEndedJobs } from './use-ended-jobs.ts'
import { notificationStore } from './use-notifications.ts'

const types = { Succeeded: 'success', Failed: 'error', Cancelled: 'info' } as const

/** The jobs of this user that have just ended. */
export function useJobFlashes(): FlashbarProps.MessageDefinition[] {
  const t = useMessages(messages)
  const titleOf = useJobTitle()
  const { userUuid = '' } = useSession() ?? {}
  useEndedJobs()
  const shown = useSyncExternalStore(flashes.subscribe, flashes.read)
  const { path } = useRoute()
  const shownHere = shown.find((one) => isOnPage(one, path))?.jobUuid
  useEffect(() => {
    if (shownHere === undefined) return
    flashes.dismiss(shownHere)
    notificationStore(userUuid).markRead(({ jobUuid }) => jobUuid === shownHere)
  }, [shownHere, userUuid])
  // an upload of this tab has a notification of its own, also after it is retried or dismissed
  const uploaded = useUploads().map(({ packageUuid }) => packageUuid)
  const reportedTwice = shown.find(({ subjectUuid }) => uploaded.includes(subjectUuid ?? ''))?.jobUuid
  useEffect(() => {
    if (reportedTwice !== undefined) flashes.dismiss(reportedTwice)
  }, [reportedTwice])
  return shown.filter(({ jobUuid }) => jobUuid !== reportedTwice).map(flashOf)

  function flashOf(notification: JobNotification): FlashbarProps.MessageDefinition {
    const { jobUuid, state, reason } = notification
    const title = titleOf(notification)
    const header = { Succeeded: t.succeeded, Failed: t.failed, Cancelled: t.cancelled }[state](title)
    const dismiss = (): void => {
      flashes.dismiss(jobUuid)
      notificationStore(userUuid).markRead((one) => one.jobUuid === jobUuid)
    }
    const show = (): void => {
      dismiss()
      navigate(linkTo(['jobs', jobUuid]))
    }
    return {
      id: `job ${jobUuid}`,
      type: types[state],
      dismissible: true,
      dismissLabel: t.dismiss,
      onDismiss: dismiss,
      // announced by screen readers
      ariaRole: state === 'Failed' ? 'alert' : 'status',
      action: <Button onClick={show}>{state === 'Failed' ? t.showReason : t.showJob}</Button>,
      ...(reason ? { header, content: reason } : { content: header }),
    }
  }
}

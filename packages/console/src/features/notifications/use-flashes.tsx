import Button from '@cloudscape-design/components/button'
import type { FlashbarProps } from '@cloudscape-design/components/flashbar'
import { useEffect, useSyncExternalStore } from 'react'
import { linkTo, navigate, usePath } from '../../browser/route.ts'
import { useSession } from '../../data/session.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { useUploads } from '../uploads/use-uploads.ts'
import { messages } from './messages.ts'
import { idOf, type Notification, needsAttention, pathOf } from './notification.ts'
import { flashes, isOnPage } from './show-added.ts'
import { useEndedJobs } from './use-ended-jobs.ts'
import { useNotificationText } from './use-notification-text.ts'
import { closeNotificationStores, notificationStore } from './use-notifications.ts'
import { useRolloutNews } from './use-rollout-news.ts'

const types = {
  Succeeded: 'success',
  Failed: 'error',
  Cancelled: 'info',
  Paused: 'warning',
  Stopped: 'info',
  Denied: 'info',
  RolledBack: 'warning',
  RollbackFailed: 'error',
} as const

/** The jobs of this user that have just ended, and the rollouts that have just paused or ended. */
export function useFlashes(): FlashbarProps.MessageDefinition[] {
  const t = useMessages(messages)
  const textOf = useNotificationText()
  const { userUuid = '' } = useSession() ?? {}
  useEndedJobs()
  useRolloutNews()
  // another user must not see them
  useEffect(
    () => () => {
      flashes.clear()
      closeNotificationStores()
    },
    [],
  )
  const shown = useSyncExternalStore(flashes.subscribe, flashes.read)
  const path = usePath()
  const here = shown.find((one) => isOnPage(one, path))
  const shownHere = here && idOf(here)
  useEffect(() => {
    if (shownHere === undefined) return
    flashes.dismiss(shownHere)
    notificationStore(userUuid).markRead((one) => idOf(one) === shownHere)
  }, [shownHere, userUuid])
  // an upload of this tab has a notification of its own, also after it is retried or dismissed
  const uploaded = useUploads().map(({ packageUuid }) => packageUuid)
  const twice = shown.find((one) => 'jobUuid' in one && uploaded.includes(one.subjectUuid ?? ''))
  const reportedTwice = twice && idOf(twice)
  useEffect(() => {
    if (reportedTwice !== undefined) flashes.dismiss(reportedTwice)
  }, [reportedTwice])
  return shown.filter((one) => idOf(one) !== reportedTwice).map(flashOf)

  function flashOf(notification: Notification): FlashbarProps.MessageDefinition {
    const { state, reason } = notification
    const id = idOf(notification)
    const header = textOf(notification)
    const dismiss = (): void => {
      flashes.dismiss(id)
      notificationStore(userUuid).markRead((one) => idOf(one) === id)
    }
    const show = (): void => {
      dismiss()
      navigate(linkTo(pathOf(notification)))
    }
    const isJob = 'jobUuid' in notification
    return {
      id: `notification ${id}`,
      type: types[state],
      dismissible: true,
      dismissLabel: t.dismiss,
      onDismiss: dismiss,
      // announced by screen readers
      ariaRole: needsAttention(notification) ? 'alert' : 'status',
      action: <Button onClick={show}>{isJob ? (state === 'Failed' ? t.showReason : t.showJob) : t.showRollout}</Button>,
      ...(reason ? { header, content: reason } : { content: header }),
    }
  }
}

import { useJobTitle } from '../../components/job-titles/use-job-title.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import type { Notification } from './notification.ts'

/** `Install hello 1.0.0 on web-1: failed`, `Rollout web-1.1 is paused: too many failures` */
export function useNotificationText(): (notification: Notification) => string {
  const t = useMessages(messages)
  const titleOf = useJobTitle()
  return (notification) => {
    if ('jobUuid' in notification) return t.jobEnds[notification.state](titleOf(notification))
    const { name, state, pauseReason } = notification
    return state === 'Paused' ? t.rolloutPauses[pauseReason ?? 'Operator'](name) : t.rolloutEnds[state](name)
  }
}

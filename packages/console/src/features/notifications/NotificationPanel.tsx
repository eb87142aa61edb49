import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import HelpPanel from '@cloudscape-design/components/help-panel'
import Link from '@cloudscape-design/components/link'
import List from '@cloudscape-design/components/list'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { linkTo } from '../../browser/route.ts'
import { useIsNarrow } from '../../browser/use-is-narrow.ts'
import { useSession } from '../../data/session.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { countUnread, idOf, type Notification, pathOf } from './notification.ts'
import { notificationPanel } from './panel-state.ts'
import { useNotificationText } from './use-notification-text.ts'
import { notificationStore, useNotifications } from './use-notifications.ts'

const types = {
  Succeeded: 'success',
  Failed: 'error',
  Cancelled: 'stopped',
  Paused: 'warning',
  Stopped: 'stopped',
  Denied: 'stopped',
  RolledBack: 'warning',
  RollbackFailed: 'error',
} as const

/** The notification centre: the last jobs of the user that have ended, and rollouts that have paused or ended. */
export default function NotificationPanel() {
  const t = useMessages(messages)
  const { userUuid = '' } = useSession() ?? {}
  const notifications = useNotifications(userUuid)
  const store = notificationStore(userUuid)
  return (
    <HelpPanel
      header={<h2>{t.title}</h2>}
      footer={
        <Button disabled={countUnread(notifications) === 0} onClick={() => store.markRead()}>
          {t.markAllRead}
        </Button>
      }
    >
      {notifications.length === 0 ? (
        <Box color="text-body-secondary">{t.empty}</Box>
      ) : (
        <List
          ariaLabel={t.title}
          items={notifications}
          disableItemPaddings={false}
          renderItem={(one) => ({ id: idOf(one), content: <NotificationItem notification={one} /> })}
        />
      )}
    </HelpPanel>
  )
}

function NotificationItem({ notification }: { notification: Notification }) {
  const t = useMessages(messages)
  const format = useFormat()
  const textOf = useNotificationText()
  const isNarrow = useIsNarrow()
  const { userUuid = '' } = useSession() ?? {}
  const { state, reason, at, isRead } = notification
  const text = textOf(notification)
  return (
    <>
      <StatusIndicator type={types[state]} wrapText>
        <Link
          href={linkTo(pathOf(notification))}
          onFollow={() => {
            notificationStore(userUuid).markRead((one) => idOf(one) === idOf(notification))
            // on a phone the panel covers the page
            if (isNarrow) notificationPanel.set(false)
          }}
        >
          {isRead ? text : <strong>{text}</strong>}
        </Link>
      </StatusIndicator>
      {reason ? <Box variant="small">{reason}</Box> : null}
      <Box variant="small" color="text-body-secondary">
        <time dateTime={new Date(at).toISOString()} title={format.moment(at)}>
          {format.ago(at)}
        </time>
        {isRead ? '' : ` · ${t.unread}`}
      </Box>
    </>
  )
}

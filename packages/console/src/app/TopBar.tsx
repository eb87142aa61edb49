import TopNavigation from '@cloudscape-design/components/top-navigation'
import { type Appearance, appearances, chooseAppearance, useAppearance } from '../browser/appearance.ts'
import { linkTo } from '../browser/route.ts'
import { useSession } from '../data/session.ts'
import { messages as notificationMessages } from '../features/notifications/messages.ts'
import { countUnread } from '../features/notifications/notification.ts'
import { notificationPanel } from '../features/notifications/panel-state.ts'
import { useNotifications } from '../features/notifications/use-notifications.ts'
import { useLanguage } from '../i18n/language.tsx'
import { useMessages } from '../i18n/use-messages.ts'
import { openFind } from './find/find-request.ts'
import { isMac } from './find/shortcut.ts'
import { messages } from './messages.ts'
import { requestSignOut } from './sign-out-request.ts'

export function TopBar() {
  const t = useMessages(messages)
  const session = useSession()
  const { language, choose } = useLanguage()
  const appearance = useAppearance()
  const notifications = useMessages(notificationMessages)
  const unread = countUnread(useNotifications(session?.userUuid ?? ''))
  return (
    <TopNavigation
      identity={{ href: linkTo(['overview']), logo: { src: './logo.svg', alt: t.product } }}
      utilities={[
        ...(session
          ? [
              {
                type: 'button' as const,
                iconName: 'search' as const,
                text: t.find,
                ariaLabel: t.find,
                title: isMac() ? '⌘ K' : 'Ctrl K',
                onClick: openFind,
              },
              {
                type: 'button' as const,
                iconName: 'notification' as const,
                ...(unread > 0 ? { text: String(unread), disableTextCollapse: true } : {}),
                badge: unread > 0,
                ariaLabel: notifications.open(unread),
                disableUtilityCollapse: true,
                onClick: () => notificationPanel.toggle(),
              },
            ]
          : []),
        {
          type: 'menu-dropdown',
          text: language === 'zh' ? '中文' : 'English',
          ariaLabel: `${language === 'zh' ? '中文' : 'English'}, ${t.language}`,
          items: [
            { id: 'en', text: 'English' },
            { id: 'zh', text: '中文' },
          ],
          onItemClick: ({ detail }) => choose(detail.id === 'zh' ? 'zh' : 'en'),
        },
        {
          type: 'menu-dropdown',
          text: t.appearance,
          ariaLabel: `${t.appearance}: ${t.appearances[appearance]}`,
          items: appearances.map((id) => ({ id, text: t.appearances[id] })),
          onItemClick: ({ detail }) => chooseAppearance(detail.id as Appearance),
        },
        ...(session
          ? [
              {
                type: 'menu-dropdown' as const,
                text: session.userName,
                iconName: 'user-profile' as const,
                items: [
                  { id: 'account', text: t.pages.account, href: linkTo(['account']) },
                  { id: 'sign-out', text: t.signOut },
                ],
                onItemClick: ({ detail }: { detail: { id: string } }) => {
                  if (detail.id === 'sign-out') requestSignOut()
                },
              },
            ]
          : []),
      ]}
    />
  )
}

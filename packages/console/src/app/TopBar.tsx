import TopNavigation from '@cloudscape-design/components/top-navigation'
import { useState } from 'react'
import { requestLeave } from '../browser/leave-guard.ts'
import { linkTo } from '../browser/route.ts'
import { Confirm } from '../components/Confirm.tsx'
import { signOut, useSession } from '../data/session.ts'
import { useUploads } from '../features/uploads/use-uploads.ts'
import { useLanguage } from '../i18n/language.tsx'
import { useMessages } from '../i18n/use-messages.ts'
import { useAppearance } from './appearance.ts'
import { messages } from './messages.ts'

export function TopBar() {
  const t = useMessages(messages)
  const session = useSession()
  const { language, choose } = useLanguage()
  const [appearance, setAppearance] = useAppearance()
  const isDark = appearance === 'dark'
  const sending = useUploads().filter(({ state }) => state !== 'done' && state !== 'failed').length
  const [isConfirming, setConfirming] = useState(false)
  return (
    <>
      <TopNavigation
        identity={{ href: linkTo(['overview']), logo: { src: './logo.svg', alt: t.product } }}
        utilities={[
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
            type: 'button',
            text: isDark ? t.light : t.dark,
            ariaLabel: `${t.appearance}: ${isDark ? t.light : t.dark}`,
            onClick: () => setAppearance(isDark ? 'light' : 'dark'),
          },
          ...(session
            ? [
                {
                  type: 'menu-dropdown' as const,
                  text: session.userName,
                  iconName: 'user-profile' as const,
                  items: [{ id: 'sign-out', text: t.signOut }],
                  onItemClick: () => requestLeave(() => (sending > 0 ? setConfirming(true) : signOut())),
                },
              ]
            : []),
        ]}
      />
      {isConfirming && session ? (
        <Confirm
          title={t.signOutTitle}
          consequences={t.signOutMeans(sending)}
          action={t.signOut}
          keep={t.stay}
          onConfirm={async () => signOut()}
          onDismiss={() => setConfirming(false)}
        />
      ) : null}
    </>
  )
}

import TopNavigation from '@cloudscape-design/components/top-navigation'
import { useState } from 'react'
import { Confirm } from '../parts/Confirm.tsx'
import { useUploads } from '../uploads/uploads.ts'
import { signOut, useSession } from '../wharf/session.ts'
import { useLanguage } from '../words/language.tsx'
import { useWords } from '../words/words.ts'
import { useAppearance } from './appearance.ts'
import { linkTo } from './route.ts'
import { words } from './words.ts'

export function TopBar() {
  const say = useWords(words)
  const session = useSession()
  const { language, choose } = useLanguage()
  const [appearance, setAppearance] = useAppearance()
  const isDark = appearance === 'dark'
  const sending = useUploads().filter(({ state }) => state !== 'done' && state !== 'failed').length
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <TopNavigation
        identity={{ href: linkTo(['overview']), logo: { src: './logo.svg', alt: say.product } }}
        utilities={[
          {
            type: 'menu-dropdown',
            text: language === 'zh' ? '中文' : 'English',
            ariaLabel: `${language === 'zh' ? '中文' : 'English'}, ${say.language}`,
            items: [
              { id: 'en', text: 'English' },
              { id: 'zh', text: '中文' },
            ],
            onItemClick: ({ detail }) => choose(detail.id === 'zh' ? 'zh' : 'en'),
          },
          {
            type: 'button',
            text: isDark ? say.light : say.dark,
            ariaLabel: `${say.appearance}: ${isDark ? say.light : say.dark}`,
            onClick: () => setAppearance(isDark ? 'light' : 'dark'),
          },
          ...(session
            ? [
                {
                  type: 'menu-dropdown' as const,
                  text: session.userName,
                  iconName: 'user-profile' as const,
                  items: [{ id: 'sign-out', text: say.signOut }],
                  onItemClick: () => (sending > 0 ? setAsking(true) : signOut()),
                },
              ]
            : []),
        ]}
      />
      {isAsking && session ? (
        <Confirm
          title={say.signOutTitle}
          consequences={say.signOutMeans(sending)}
          action={say.signOut}
          keep={say.stay}
          onConfirm={async () => signOut()}
          onDismiss={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}

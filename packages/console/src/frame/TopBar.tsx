import TopNavigation from '@cloudscape-design/components/top-navigation'
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
  return (
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
                onItemClick: () => signOut(),
              },
            ]
          : []),
      ]}
    />
  )
}

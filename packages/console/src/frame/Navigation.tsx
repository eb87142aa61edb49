import SideNavigation, { type SideNavigationProps } from '@cloudscape-design/components/side-navigation'
import { useWords } from '../words/words.ts'
import { sections } from './pages.ts'
import { linkTo } from './route.ts'
import { words } from './words.ts'

export function Navigation({ page }: { page: string }) {
  const say = useWords(words)
  const link = (name: keyof typeof say.pages): SideNavigationProps.Link => ({
    type: 'link',
    text: say.pages[name],
    href: linkTo([name]),
  })
  const items: SideNavigationProps.Item[] = [
    link('overview'),
    ...sections.map(
      ({ name, pages }): SideNavigationProps.Section => ({
        type: 'section',
        text: say.sections[name],
        items: pages.map(link),
      }),
    ),
    { type: 'divider' },
    { type: 'link', text: say.pages.reference, href: './docs', external: true },
  ]
  return <SideNavigation activeHref={linkTo([page])} items={items} />
}

import SideNavigation, { type SideNavigationProps } from '@cloudscape-design/components/side-navigation'
import { linkTo } from '../browser/route.ts'
import { useMessages } from '../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { sections } from './pages.ts'

export function Navigation({ page }: { page: string }) {
  const t = useMessages(messages)
  const link = (name: keyof typeof t.pages): SideNavigationProps.Link => ({
    type: 'link',
    text: t.pages[name],
    href: linkTo([name]),
  })
  const items: SideNavigationProps.Item[] = [
    link('overview'),
    ...sections.map(
      ({ name, pages }): SideNavigationProps.Section => ({
        type: 'section',
        text: t.sections[name],
        items: pages.map(link),
      }),
    ),
    { type: 'divider' },
    link('documents'),
    { type: 'link', text: t.pages.reference, href: './docs', external: true },
  ]
  return <SideNavigation activeHref={linkTo([page])} items={items} />
}

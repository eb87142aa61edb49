import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group'
import { linkTo, useRoute } from '../browser/route.ts'
import { useMessages } from '../i18n/use-messages.ts'
import { messages } from './messages.ts'
import type { Place } from './use-page-title.ts'

export function Breadcrumbs({ page, inside }: Place) {
  const t = useMessages(messages)
  const { path } = useRoute()
  if (inside === undefined) return null
  return (
    <BreadcrumbGroup
      ariaLabel={t.breadcrumbs}
      items={[
        { text: page, href: linkTo(path.slice(0, 1)) },
        { text: inside, href: linkTo(path) },
      ]}
    />
  )
}

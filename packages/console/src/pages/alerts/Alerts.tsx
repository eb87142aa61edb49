import Tabs from '@cloudscape-design/components/tabs'
import type { Route } from '../../browser/route.ts'
import { linkTo, navigate } from '../../browser/route.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { AlertDetail } from './AlertDetail.tsx'
import { AlertTable } from './AlertTable.tsx'
import { messages } from './messages.ts'
import { PlatformDetail } from './platforms/PlatformDetail.tsx'
import { PlatformTable } from './platforms/PlatformTable.tsx'

/** `#/alerts`, `#/alerts/<uuid>`, `#/alerts/platforms`, `#/alerts/platforms/<uuid>` */
export default function Alerts({ path: [place, within], search }: Route) {
  const t = useMessages(messages)
  if (place === 'platforms' && within !== undefined) return <PlatformDetail uuid={within} />
  if (place !== undefined && place !== 'platforms') return <AlertDetail uuid={place} />
  const platforms = linkTo(['alerts', 'platforms'])
  return (
    <Tabs
      ariaLabel={t.title}
      activeTabId={place ?? 'alerts'}
      onChange={({ detail }) => navigate(detail.activeTabHref ?? linkTo(['alerts']))}
      tabs={[
        { id: 'alerts', label: t.title, href: linkTo(['alerts']), content: <AlertTable search={search} /> },
        { id: 'platforms', label: t.platforms, href: platforms, content: <PlatformTable search={search} /> },
      ]}
    />
  )
}

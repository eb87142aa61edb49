import Tabs from '@cloudscape-design/components/tabs'
import type { PageProps } from '../../frame/page-props.ts'
import { go, linkTo } from '../../frame/route.ts'
import { useWords } from '../../words/words.ts'
import { AlertDetail } from './AlertDetail.tsx'
import { AlertTable } from './AlertTable.tsx'
import { PlatformDetail } from './platforms/PlatformDetail.tsx'
import { PlatformTable } from './platforms/PlatformTable.tsx'
import { words } from './words.ts'

/** `#/alerts`, `#/alerts/<uuid>`, `#/alerts/platforms`, `#/alerts/platforms/<uuid>` */
export default function Alerts({ path: [place, within], search }: PageProps) {
  const say = useWords(words)
  if (place === 'platforms' && within !== undefined) return <PlatformDetail uuid={within} />
  if (place !== undefined && place !== 'platforms') return <AlertDetail uuid={place} />
  const platforms = linkTo(['alerts', 'platforms'])
  return (
    <Tabs
      ariaLabel={say.title}
      activeTabId={place ?? 'alerts'}
      onChange={({ detail }) => go(detail.activeTabHref ?? linkTo(['alerts']))}
      tabs={[
        { id: 'alerts', label: say.title, href: linkTo(['alerts']), content: <AlertTable search={search} /> },
        { id: 'platforms', label: say.platforms, href: platforms, content: <PlatformTable search={search} /> },
      ]}
    />
  )
}

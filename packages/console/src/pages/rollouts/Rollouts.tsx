import Tabs from '@cloudscape-design/components/tabs'
import type { Route } from '../../browser/route.ts'
import { linkTo, navigate } from '../../browser/route.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { RolloutDetail } from './detail/RolloutDetail.tsx'
import { messages } from './messages.ts'
import { RolloutTable } from './RolloutTable.tsx'
import { WindowTable } from './windows/WindowTable.tsx'
import { CreateRollout } from './wizard/CreateRollout.tsx'

/** `#/rollouts`, `#/rollouts/create`, `#/rollouts/<uuid>`, `#/rollouts/windows` */
export default function Rollouts({ path: [place], search }: Route) {
  const t = useMessages(messages)
  if (place === 'create') return <CreateRollout search={search} />
  if (place !== undefined && place !== 'windows') return <RolloutDetail key={place} uuid={place} search={search} />
  const windows = linkTo(['rollouts', 'windows'])
  return (
    <Tabs
      ariaLabel={t.title}
      activeTabId={place ?? 'rollouts'}
      onChange={({ detail }) => navigate(detail.activeTabHref ?? linkTo(['rollouts']))}
      tabs={[
        { id: 'rollouts', label: t.title, href: linkTo(['rollouts']), content: <RolloutTable search={search} /> },
        { id: 'windows', label: t.windows, href: windows, content: <WindowTable search={search} /> },
      ]}
    />
  )
}

import Tabs from '@cloudscape-design/components/tabs'
import type { Route } from '../../browser/route.ts'
import { linkTo, navigate } from '../../browser/route.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { AddHost } from './add/AddHost.tsx'
import { Candidates } from './Candidates.tsx'
import { HostDetail } from './detail/HostDetail.tsx'
import { HostTable } from './HostTable.tsx'
import './hosts.css'
import { messages } from './messages.ts'

/** `#/hosts`, `#/hosts/candidates`, `#/hosts/add`, `#/hosts/<uuid>` */
export default function Hosts({ path: [place], search }: Route) {
  const t = useMessages(messages)
  if (place === 'add') return <AddHost search={search} />
  if (place !== undefined && place !== 'candidates') return <HostDetail uuid={place} search={search} />
  return (
    <Tabs
      ariaLabel={t.title}
      activeTabId={place ?? 'managed'}
      onChange={({ detail }) => navigate(detail.activeTabHref ?? linkTo(['hosts']))}
      tabs={[
        { id: 'managed', label: t.managed, href: linkTo(['hosts']), content: <HostTable search={search} /> },
        {
          id: 'candidates',
          label: t.candidates,
          href: linkTo(['hosts', 'candidates']),
          content: <Candidates search={search} />,
        },
      ]}
    />
  )
}

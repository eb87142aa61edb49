import Tabs from '@cloudscape-design/components/tabs'
import type { PageProps } from '../../frame/page-props.ts'
import { go, linkTo } from '../../frame/route.ts'
import { useWords } from '../../words/words.ts'
import { AddHost } from './add/AddHost.tsx'
import { Candidates } from './Candidates.tsx'
import { HostDetail } from './detail/HostDetail.tsx'
import { HostTable } from './HostTable.tsx'
import './hosts.css'
import { words } from './words.ts'

/** `#/hosts`, `#/hosts/candidates`, `#/hosts/add`, `#/hosts/<uuid>` */
export default function Hosts({ path: [place], search }: PageProps) {
  const say = useWords(words)
  if (place === 'add') return <AddHost search={search} />
  if (place !== undefined && place !== 'candidates') return <HostDetail uuid={place} search={search} />
  return (
    <Tabs
      ariaLabel={say.title}
      activeTabId={place ?? 'managed'}
      onChange={({ detail }) => go(detail.activeTabHref ?? linkTo(['hosts']))}
      tabs={[
        { id: 'managed', label: say.managed, href: linkTo(['hosts']), content: <HostTable search={search} /> },
        { id: 'candidates', label: say.candidates, href: linkTo(['hosts', 'candidates']), content: <Candidates /> },
      ]}
    />
  )
}

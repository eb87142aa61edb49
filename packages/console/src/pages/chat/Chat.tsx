import Tabs from '@cloudscape-design/components/tabs'
import type { PageProps } from '../../frame/page-props.ts'
import { go, linkTo } from '../../frame/route.ts'
import { useWords } from '../../words/words.ts'
import { DeliveryDetail } from './deliveries/DeliveryDetail.tsx'
import { DeliveryTable } from './deliveries/DeliveryTable.tsx'
import { EditEndpoint } from './endpoints/EditEndpoint.tsx'
import { EndpointDetail } from './endpoints/EndpointDetail.tsx'
import { EndpointTable } from './endpoints/EndpointTable.tsx'
import { NewEndpoint } from './endpoints/NewEndpoint.tsx'
import { words } from './words.ts'

/** `#/chat`, `#/chat/add`, `#/chat/<uuid>`, `#/chat/<uuid>/edit`, `#/chat/deliveries`, `#/chat/deliveries/<uuid>` */
export default function Chat({ path: [place, within], search }: PageProps) {
  const say = useWords(words)
  if (place === 'add') return <NewEndpoint />
  if (place === 'deliveries' && within !== undefined) return <DeliveryDetail uuid={within} />
  if (place !== undefined && place !== 'deliveries')
    return within === 'edit' ? <EditEndpoint uuid={place} /> : <EndpointDetail uuid={place} />
  const deliveries = linkTo(['chat', 'deliveries'])
  return (
    <Tabs
      ariaLabel={say.title}
      activeTabId={place ?? 'endpoints'}
      onChange={({ detail }) => go(detail.activeTabHref ?? linkTo(['chat']))}
      tabs={[
        { id: 'endpoints', label: say.endpoints, href: linkTo(['chat']), content: <EndpointTable search={search} /> },
        {
          id: 'deliveries',
          label: say.deliveries,
          href: deliveries,
          content: <DeliveryTable search={search} />,
        },
      ]}
    />
  )
}

import Tabs from '@cloudscape-design/components/tabs'
import type { Route } from '../../browser/route.ts'
import { linkTo, navigate } from '../../browser/route.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { DeliveryDetail } from './deliveries/DeliveryDetail.tsx'
import { DeliveryTable } from './deliveries/DeliveryTable.tsx'
import { EditEndpoint } from './endpoints/EditEndpoint.tsx'
import { EndpointDetail } from './endpoints/EndpointDetail.tsx'
import { EndpointTable } from './endpoints/EndpointTable.tsx'
import { NewEndpoint } from './endpoints/NewEndpoint.tsx'
import { messages } from './messages.ts'

/** `#/chat`, `#/chat/add`, `#/chat/<uuid>`, `#/chat/<uuid>/edit`, `#/chat/deliveries`, `#/chat/deliveries/<uuid>` */
export default function Chat({ path: [place, within], search }: Route) {
  const t = useMessages(messages)
  if (place === 'add') return <NewEndpoint />
  if (place === 'deliveries' && within !== undefined) return <DeliveryDetail uuid={within} />
  if (place !== undefined && place !== 'deliveries')
    return within === 'edit' ? <EditEndpoint uuid={place} /> : <EndpointDetail uuid={place} />
  const deliveries = linkTo(['chat', 'deliveries'])
  return (
    <Tabs
      ariaLabel={t.title}
      activeTabId={place ?? 'endpoints'}
      onChange={({ detail }) => navigate(detail.activeTabHref ?? linkTo(['chat']))}
      tabs={[
        { id: 'endpoints', label: t.endpoints, href: linkTo(['chat']), content: <EndpointTable search={search} /> },
        {
          id: 'deliveries',
          label: t.deliveries,
          href: deliveries,
          content: <DeliveryTable search={search} />,
        },
      ]}
    />
  )
}

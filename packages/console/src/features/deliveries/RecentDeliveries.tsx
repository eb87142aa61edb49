import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import { queryDelivery } from '@wharf/contract'
import { linkTo, navigate } from '../../browser/route.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import type { Column, RecordOf } from '../../components/ResourceTable.tsx'
import { SectionTable } from '../../components/table/SectionTable.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { DeliveryStatus } from './DeliveryStatus.tsx'
import { messages } from './messages.ts'
import { useEndpointNames } from './use-endpoint-names.ts'

interface RecentDeliveriesProps {
  readonly title: string
  /** The label of the link to all of them. */
  readonly more: string
  /** A condition of `q` that selects an alert or an endpoint. */
  readonly condition: string
  readonly withEndpoint?: boolean
}

type Delivery = RecordOf<typeof queryDelivery>

const shown = 10

/** The latest messages about an alert or to an endpoint. */
export function RecentDeliveries({ title, more, condition, withEndpoint = true }: RecentDeliveriesProps) {
  const t = useMessages(messages)
  const format = useFormat()
  const endpointName = useEndpointNames()
  const { data, error } = useApiQuery(queryDelivery, {
    q: [condition],
    sort: '-createDate',
    limit: shown,
    replyWithCount: true,
  })
  const endpoint: Column<Delivery> = {
    field: 'endpointUuid',
    label: t.endpoint,
    cell: ({ endpointUuid = '' }) => endpointName(endpointUuid),
  }
  return (
    <SectionTable
      title={title}
      records={data?.inventories}
      total={data?.total}
      keyOf={({ uuid = '' }) => uuid}
      error={error}
      actions={<Button onClick={() => navigate(linkTo(['chat', 'deliveries'], { q: condition }))}>{more}</Button>}
      columns={[
        {
          field: 'title',
          label: t.message,
          cell: ({ uuid = '', title }) => <Link href={linkTo(['chat', 'deliveries', uuid])}>{title}</Link>,
        },
        { field: 'status', label: t.status, cell: ({ status }) => <DeliveryStatus status={status} /> },
        ...(withEndpoint ? [endpoint] : []),
        { field: 'attempts', label: t.attempts, cell: ({ attempts = 0 }) => format.number(attempts) },
        { field: 'reason', label: t.reason },
        { field: 'createDate', label: t.created, cell: ({ createDate }) => <RelativeTime time={createDate} /> },
      ]}
      empty={t.noneHere}
    />
  )
}

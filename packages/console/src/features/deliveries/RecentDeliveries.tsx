import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import Table from '@cloudscape-design/components/table'
import { queryDelivery } from '@wharf/contract'
import { linkTo, navigate } from '../../browser/route.ts'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import type { RecordOf } from '../../components/ResourceTable.tsx'
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
  const endpoint = {
    id: 'endpoint',
    header: t.endpoint,
    cell: ({ endpointUuid = '' }: RecordOf<typeof queryDelivery>) => endpointName(endpointUuid),
  }
  if (error) return <ErrorAlert error={error} />
  return (
    <Table
      items={data?.inventories ?? []}
      trackBy="uuid"
      header={
        <Header
          variant="h2"
          counter={data && `(${format.number(data.total ?? 0)})`}
          actions={<Button onClick={() => navigate(linkTo(['chat', 'deliveries'], { q: condition }))}>{more}</Button>}
        >
          {title}
        </Header>
      }
      columnDefinitions={[
        {
          id: 'title',
          header: t.message,
          isRowHeader: true,
          cell: ({ uuid = '', title }) => <Link href={linkTo(['chat', 'deliveries', uuid])}>{title}</Link>,
        },
        { id: 'status', header: t.status, cell: ({ status }) => <DeliveryStatus status={status} /> },
        ...(withEndpoint ? [endpoint] : []),
        { id: 'attempts', header: t.attempts, cell: ({ attempts = 0 }) => format.number(attempts) },
        { id: 'reason', header: t.reason, cell: ({ reason }) => reason ?? '–' },
        { id: 'created', header: t.created, cell: ({ createDate }) => <RelativeTime time={createDate} /> },
      ]}
      empty={<Box textAlign="center">{t.noneHere}</Box>}
    />
  )
}

import Link from '@cloudscape-design/components/link'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import { deliveryStatuses, queryDelivery, resendDelivery, systemEventNames } from '@wharf/contract'
import { linkTo, navigate } from '../../../browser/route.ts'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { type BulkAction, type Column, type RecordOf, ResourceTable } from '../../../components/ResourceTable.tsx'
import { segmentSearch, statusSegment } from '../../../components/status-filter.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { DeliveryStatus } from '../../../features/deliveries/DeliveryStatus.tsx'
import { messages } from '../../../features/deliveries/messages.ts'
import { useEndpointChoices, useEndpointNames } from '../../../features/deliveries/use-endpoint-names.ts'
import { messages as eventMessages } from '../../../features/system-events/messages.ts'
import { useMessages } from '../../../i18n/use-messages.ts'

type Delivery = RecordOf<typeof queryDelivery>

export function DeliveryTable({ search }: { search: URLSearchParams }) {
  const t = useMessages(messages)
  const { events } = useMessages(eventMessages)
  const endpointName = useEndpointNames()
  const endpoints = useEndpointChoices()
  const { deliveries } = useWharf()
  const resend: BulkAction<Delivery> = {
    id: 'resend',
    label: t.resend,
    operation: resendDelivery,
    consequences: t.resendConsequences,
    problem: ({ status }) => (status === 'Failed' ? undefined : t.onlyFailed),
    run: ({ uuid = '' }) => deliveries.resend(uuid),
    inputOf: ({ uuid }) => ({ uuid }),
  }
  const columns: Column<Delivery>[] = [
    {
      field: 'title',
      label: t.message,
      width: 255,
      cell: ({ uuid = '', title }) => <Link href={linkTo(['chat', 'deliveries', uuid])}>{title}</Link>,
    },
    {
      field: 'status',
      label: t.status,
      choices: deliveryStatuses,
      width: 130,
      cell: ({ status }) => <DeliveryStatus status={status} />,
    },
    {
      field: 'endpointUuid',
      label: t.endpoint,
      choices: endpoints,
      width: 135,
      cell: ({ endpointUuid = '' }) => <Link href={linkTo(['chat', endpointUuid])}>{endpointName(endpointUuid)}</Link>,
      text: ({ endpointUuid = '' }) => endpointName(endpointUuid),
    },
    {
      field: 'ownEvent',
      label: t.ownEvent,
      choices: systemEventNames.map((value) => ({ value, label: events[value].name })),
      cell: ({ ownEvent }) => (ownEvent ? events[ownEvent].name : '–'),
      text: ({ ownEvent }) => (ownEvent ? events[ownEvent].name : ''),
      isOptional: true,
    },
    { field: 'attempts', label: t.attempts, isMeasure: true, width: 125 },
    { field: 'reason', label: t.reason, width: 165 },
    { field: 'createDate', label: t.created, isMeasure: true, cell: (one) => <RelativeTime time={one.createDate} /> },
    {
      field: 'deliveredDate',
      label: t.delivered,
      isMeasure: true,
      isOptional: true,
      cell: (one) => <RelativeTime time={one.deliveredDate} />,
    },
  ]
  return (
    <ResourceTable
      operation={queryDelivery}
      title={t.title}
      columns={columns}
      search={search}
      path={['chat', 'deliveries']}
      textField="title"
      empty={t.empty}
      bulkActions={[resend]}
      actions={<StatusChoice conditions={search.getAll('q')} />}
    />
  )
}

/** Shortcuts for the most common filters. */
function StatusChoice({ conditions }: { conditions: readonly string[] }) {
  const t = useMessages(messages)
  return (
    <SegmentedControl
      label={t.which}
      selectedId={statusSegment(conditions, deliveryStatuses)}
      options={[
        { id: 'all', text: t.all },
        { id: 'Waiting', text: t.waiting },
        { id: 'Failed', text: t.failed },
      ]}
      onChange={({ detail }) => navigate(linkTo(['chat', 'deliveries'], segmentSearch(detail.selectedId)))}
    />
  )
}

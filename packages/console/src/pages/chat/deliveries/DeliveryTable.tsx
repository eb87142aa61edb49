import Link from '@cloudscape-design/components/link'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { deliveryStatuses, queryDelivery } from '@wharf/contract'
import { useState } from 'react'
import { go, linkTo } from '../../../frame/route.ts'
import { type Column, type RecordOf, ResourceTable } from '../../../parts/ResourceTable.tsx'
import { Status } from '../../../parts/Status.tsx'
import { When } from '../../../parts/When.tsx'
import { useWords } from '../../../words/words.ts'
import { useEndpointChoices, useEndpointNames } from '../use-endpoint-names.ts'
import { type Delivery, Resend } from './Resend.tsx'
import { words } from './words.ts'

export function DeliveryTable({ search }: { search: URLSearchParams }) {
  const say = useWords(words)
  const endpointName = useEndpointNames()
  const endpoints = useEndpointChoices()
  const [selected, setSelected] = useState<Delivery[]>([])
  const columns: Column<RecordOf<typeof queryDelivery>>[] = [
    {
      field: 'title',
      label: say.message,
      cell: ({ uuid = '', title }) => <Link href={linkTo(['chat', 'deliveries', uuid])}>{title}</Link>,
    },
    { field: 'status', label: say.status, choices: deliveryStatuses, cell: ({ status }) => <Status value={status} /> },
    {
      field: 'endpointUuid',
      label: say.endpoint,
      choices: endpoints,
      cell: ({ endpointUuid = '' }) => <Link href={linkTo(['chat', endpointUuid])}>{endpointName(endpointUuid)}</Link>,
    },
    { field: 'attempts', label: say.attempts, isMeasure: true },
    { field: 'reason', label: say.reason },
    { field: 'createDate', label: say.created, isMeasure: true, cell: (one) => <When time={one.createDate} /> },
    { field: 'deliveredDate', label: say.delivered, isMeasure: true, cell: (one) => <When time={one.deliveredDate} /> },
  ]
  return (
    <ResourceTable
      operation={queryDelivery}
      title={say.title}
      columns={columns}
      search={search}
      path={['chat', 'deliveries']}
      textField="title"
      empty={say.empty}
      selected={selected}
      onSelect={setSelected}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <StatusChoice conditions={search.getAll('q')} />
          <Resend deliveries={selected} onDone={() => setSelected([])} />
        </SpaceBetween>
      }
    />
  )
}

/** What is looked for most: above all what reached nobody. */
function StatusChoice({ conditions }: { conditions: readonly string[] }) {
  const say = useWords(words)
  const isAlone = conditions.length === 1
  const chosen = deliveryStatuses.find((status) => isAlone && conditions[0] === `status=${status}`)
  return (
    <SegmentedControl
      label={say.which}
      selectedId={chosen ?? (conditions.length === 0 ? 'all' : null)}
      options={[
        { id: 'all', text: say.all },
        { id: 'Waiting', text: say.waiting },
        { id: 'Failed', text: say.failed },
      ]}
      onChange={({ detail: { selectedId } }) =>
        go(linkTo(['chat', 'deliveries'], selectedId === 'all' ? {} : { q: `status=${selectedId}` }))
      }
    />
  )
}

import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import Table from '@cloudscape-design/components/table'
import { queryDelivery } from '@wharf/contract'
import { go, linkTo } from '../../../frame/route.ts'
import { Failure } from '../../../parts/Failure.tsx'
import { Status } from '../../../parts/Status.tsx'
import { When } from '../../../parts/When.tsx'
import { useAnswer } from '../../../wharf/answers.ts'
import { useFigures } from '../../../words/figures.ts'
import { useWords } from '../../../words/words.ts'
import { useEndpointNames } from '../use-endpoint-names.ts'
import type { Delivery } from './Resend.tsx'
import { words } from './words.ts'

interface RecentDeliveriesProps {
  readonly title: string
  /** What leads to all of them. */
  readonly more: string
  /** Of which alert, or to which endpoint: a condition of `q`. */
  readonly condition: string
  /** Not where all go to the same. */
  readonly withEndpoint?: boolean
}

const shown = 10

/** The last messages of something, where that is shown. */
export function RecentDeliveries({ title, more, condition, withEndpoint = true }: RecentDeliveriesProps) {
  const say = useWords(words)
  const figures = useFigures()
  const endpointName = useEndpointNames()
  const { data, error } = useAnswer(queryDelivery, {
    q: [condition],
    sort: '-createDate',
    limit: shown,
    replyWithCount: true,
  })
  const endpoint = {
    id: 'endpoint',
    header: say.endpoint,
    cell: ({ endpointUuid = '' }: Delivery) => endpointName(endpointUuid),
  }
  if (error) return <Failure error={error} />
  return (
    <Table
      items={data?.inventories ?? []}
      trackBy="uuid"
      header={
        <Header
          variant="h2"
          counter={data && `(${figures.number(data.total ?? 0)})`}
          actions={<Button onClick={() => go(linkTo(['chat', 'deliveries'], { q: condition }))}>{more}</Button>}
        >
          {title}
        </Header>
      }
      columnDefinitions={[
        {
          id: 'title',
          header: say.message,
          isRowHeader: true,
          cell: ({ uuid = '', title }) => <Link href={linkTo(['chat', 'deliveries', uuid])}>{title}</Link>,
        },
        { id: 'status', header: say.status, cell: ({ status }) => <Status value={status} /> },
        ...(withEndpoint ? [endpoint] : []),
        { id: 'attempts', header: say.attempts, cell: ({ attempts = 0 }) => figures.number(attempts) },
        { id: 'reason', header: say.reason, cell: ({ reason }) => reason ?? '–' },
        { id: 'created', header: say.created, cell: ({ createDate }) => <When time={createDate} /> },
      ]}
      empty={<Box textAlign="center">{say.noneHere}</Box>}
    />
  )
}

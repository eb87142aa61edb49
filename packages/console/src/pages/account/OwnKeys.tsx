import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Table from '@cloudscape-design/components/table'
import { queryAccessKey } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { Status } from '../../components/Status.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** The page of access keys has the rest, and the actions. */
const shown = 20

export function OwnKeys({ userUuid }: { userUuid: string }) {
  const t = useMessages(messages)
  const format = useFormat()
  const own = `userUuid=${userUuid}`
  const { data, error, isPending } = useApiQuery(queryAccessKey, {
    q: [own],
    sort: '-createDate',
    limit: shown,
    replyWithCount: true,
  })
  return (
    <SpaceBetween size="m">
      {error ? <ErrorAlert error={error} /> : null}
      <Table
        variant="container"
        loading={isPending}
        items={data?.inventories ?? []}
        trackBy="uuid"
        header={
          <Header
            variant="h2"
            {...(data?.total === undefined ? {} : { counter: `(${format.number(data.total)})` })}
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                <Button href={linkTo(['access-keys'], { q: own })}>{t.manageKeys}</Button>
                <Button href={linkTo(['access-keys'], { create: '1' })}>{t.createKey}</Button>
              </SpaceBetween>
            }
          >
            {t.keys}
          </Header>
        }
        columnDefinitions={[
          { id: 'id', header: t.keyId, cell: ({ AccessKeyID }) => AccessKeyID, isRowHeader: true },
          { id: 'state', header: t.state, cell: ({ state }) => <Status value={state} /> },
          { id: 'description', header: t.description, cell: ({ description }) => description ?? '–' },
          { id: 'created', header: t.created, cell: ({ createDate }) => <RelativeTime time={createDate} /> },
        ]}
        empty={<Box textAlign="center">{t.noKeys}</Box>}
      />
    </SpaceBetween>
  )
}

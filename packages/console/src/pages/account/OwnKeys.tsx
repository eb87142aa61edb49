import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { queryAccessKey } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { Status } from '../../components/Status.tsx'
import { SectionTable } from '../../components/table/SectionTable.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** The page of access keys has the rest, and the actions. */
const shown = 20

export function OwnKeys({ userUuid }: { userUuid: string }) {
  const t = useMessages(messages)
  const own = `userUuid=${userUuid}`
  const { data, error } = useApiQuery(queryAccessKey, {
    q: [own],
    sort: '-createDate',
    limit: shown,
    replyWithCount: true,
  })
  return (
    <SectionTable
      title={t.keys}
      records={data?.inventories}
      total={data?.total}
      keyOf={({ uuid = '' }) => uuid}
      error={error}
      call={{ operation: queryAccessKey, input: { q: [own], sort: '-createDate' } }}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <Button href={linkTo(['access-keys'], { q: own })}>{t.manageKeys}</Button>
          <Button href={linkTo(['access-keys'], { create: '1' })}>{t.createKey}</Button>
        </SpaceBetween>
      }
      columns={[
        { field: 'AccessKeyID', label: t.keyId },
        { field: 'state', label: t.state, cell: ({ state }) => <Status value={state} /> },
        { field: 'description', label: t.description },
        { field: 'createDate', label: t.created, cell: ({ createDate }) => <RelativeTime time={createDate} /> },
      ]}
      empty={t.noKeys}
    />
  )
}

import Link from '@cloudscape-design/components/link'
import { queryAccount, queryUser, roles } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { type Column, type RecordOf, ResourceTable } from '../../components/ResourceTable.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** Accounts beyond the limit are shown by their uuid. */
const manyAccounts = { fields: ['uuid', 'name'], limit: 1000 }

/** The users of all accounts, read-only. */
export function UserTable({ search }: { search: URLSearchParams }) {
  const t = useMessages(messages)
  const { data } = useApiQuery(queryAccount, manyAccounts)
  const names = new Map(data?.inventories?.map(({ uuid, name }) => [uuid, name]))
  const columns: Column<RecordOf<typeof queryUser>>[] = [
    { field: 'name', label: t.name },
    { field: 'role', label: t.role, choices: roles },
    {
      field: 'accountUuid',
      label: t.account,
      cell: ({ accountUuid = '' }) => (
        <Link href={linkTo(['accounts', accountUuid])}>{names.get(accountUuid) ?? accountUuid}</Link>
      ),
    },
    { field: 'description', label: t.description },
    { field: 'createDate', label: t.created, isMeasure: true, cell: (user) => <RelativeTime time={user.createDate} /> },
  ]
  return (
    <ResourceTable
      operation={queryUser}
      title={t.users}
      columns={columns}
      search={search}
      path={['accounts', 'users']}
      defaultSort="+name"
      empty={t.empty}
    />
  )
}

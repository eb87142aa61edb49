import Link from '@cloudscape-design/components/link'
import { deleteUser, queryAccount, queryUser, roles, userSources } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { type User, useCaller } from '../../components/permission.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { type BulkAction, type Column, ResourceTable } from '../../components/ResourceTable.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { adminQuery, countFullAdmins, userDeletionProblem } from './account-rules.ts'
import { messages } from './messages.ts'

/** Accounts beyond the limit are shown by their uuid. */
const manyAccounts = { fields: ['uuid', 'name'], limit: 1000 }

/** The users of all accounts. */
export function UserTable({ search }: { search: URLSearchParams }) {
  const t = useMessages(messages)
  const { data } = useApiQuery(queryAccount, manyAccounts)
  const names = new Map(data?.inventories?.map(({ uuid, name }) => [uuid, name]))
  const { users } = useWharf()
  const context = { caller: useCaller(), admins: countFullAdmins(useApiQuery(queryUser, adminQuery).data?.inventories) }
  const remove: BulkAction<User> = {
    id: 'delete',
    label: t.deleteUser,
    operation: deleteUser,
    consequences: t.deleteUserConsequences,
    problem: (user) => {
      const reason = userDeletionProblem(user, context)
      return reason && t[reason]
    },
    run: ({ uuid = '' }) => users.delete(uuid),
    inputOf: ({ uuid }) => ({ uuid }),
  }
  const columns: Column<User>[] = [
    { field: 'name', label: t.name, width: 125 },
    { field: 'role', label: t.role, choices: roles, width: 105 },
    {
      field: 'scope',
      label: t.scope,
      width: 225,
      lines: 2,
      isDerived: true,
      text: ({ scope = [] }) => scope.join(', ') || t.allHosts,
    },
    {
      field: 'accountUuid',
      label: t.account,
      width: 125,
      cell: ({ accountUuid = '' }) => (
        <Link href={linkTo(['accounts', accountUuid])}>{names.get(accountUuid) ?? accountUuid}</Link>
      ),
      text: ({ accountUuid = '' }) => names.get(accountUuid) ?? accountUuid,
    },
    {
      field: 'source',
      label: t.source,
      width: 110,
      choices: userSources,
      text: ({ source = 'Local' }) => t.sources[source],
    },
    { field: 'description', label: t.description, width: 125 },
    { field: 'createDate', label: t.created, isMeasure: true, cell: (user) => <RelativeTime time={user.createDate} /> },
  ]
  return (
    <ResourceTable
      operation={queryUser}
      title={t.users}
      columns={columns}
      search={search}
      path={['accounts', 'users']}
      bulkActions={[remove]}
      defaultSort="+name"
      empty={t.empty}
    />
  )
}

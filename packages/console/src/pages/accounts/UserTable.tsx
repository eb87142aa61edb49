import Link from '@cloudscape-design/components/link'
import { queryAccount, queryUser, roles } from '@wharf/contract'
import { linkTo } from '../../frame/route.ts'
import { type Column, type RecordOf, ResourceTable } from '../../parts/ResourceTable.tsx'
import { When } from '../../parts/When.tsx'
import { useAnswer } from '../../wharf/answers.ts'
import { useWords } from '../../words/words.ts'
import { words } from './words.ts'

/** Names are shown for as many accounts as one answer holds; the others by their uuid. */
const manyAccounts = { fields: ['uuid', 'name'], limit: 1000 }

/** The users of all accounts; they are changed where their account is. */
export function UserTable({ search }: { search: URLSearchParams }) {
  const say = useWords(words)
  const { data } = useAnswer(queryAccount, manyAccounts)
  const names = new Map(data?.inventories?.map(({ uuid, name }) => [uuid, name]))
  const columns: Column<RecordOf<typeof queryUser>>[] = [
    { field: 'name', label: say.name },
    { field: 'role', label: say.role, choices: roles },
    {
      field: 'accountUuid',
      label: say.account,
      cell: ({ accountUuid = '' }) => (
        <Link href={linkTo(['accounts', accountUuid])}>{names.get(accountUuid) ?? accountUuid}</Link>
      ),
    },
    { field: 'description', label: say.description },
    { field: 'createDate', label: say.created, isMeasure: true, cell: (user) => <When time={user.createDate} /> },
  ]
  return (
    <ResourceTable
      operation={queryUser}
      title={say.users}
      columns={columns}
      search={search}
      path={['accounts', 'users']}
      standardSort="+name"
      empty={say.empty}
    />
  )
}

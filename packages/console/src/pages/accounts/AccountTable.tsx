import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import { createAccount, queryAccount } from '@wharf/contract'
import { useState } from 'react'
import { linkTo } from '../../frame/route.ts'
import { useRefusal } from '../../parts/permission.ts'
import { type Column, type RecordOf, ResourceTable } from '../../parts/ResourceTable.tsx'
import { When } from '../../parts/When.tsx'
import { useWords } from '../../words/words.ts'
import { NewUser } from './NewUser.tsx'
import { words } from './words.ts'

export function AccountTable({ search }: { search: URLSearchParams }) {
  const say = useWords(words)
  const refused = useRefusal()
  const [isCreating, setCreating] = useState(false)
  const columns: Column<RecordOf<typeof queryAccount>>[] = [
    {
      field: 'name',
      label: say.name,
      cell: ({ uuid = '', name }) => <Link href={linkTo(['accounts', uuid])}>{name}</Link>,
    },
    { field: 'description', label: say.description },
    { field: 'createDate', label: say.created, isMeasure: true, cell: (account) => <When time={account.createDate} /> },
    { field: 'lastOpDate', label: say.changed, isMeasure: true, cell: (account) => <When time={account.lastOpDate} /> },
  ]
  return (
    <>
      <ResourceTable
        operation={queryAccount}
        title={say.title}
        columns={columns}
        search={search}
        path={['accounts']}
        empty={say.empty}
        actions={
          <Button variant="primary" {...refused(createAccount)} onClick={() => setCreating(true)}>
            {say.create}
          </Button>
        }
      />
      {isCreating ? <NewUser onDismiss={() => setCreating(false)} /> : null}
    </>
  )
}

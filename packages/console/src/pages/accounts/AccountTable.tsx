import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import { createAccount, queryAccount } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { useDialogLink } from '../../browser/use-dialog-link.ts'
import { useRefusal } from '../../components/permission.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { type Column, type RecordOf, ResourceTable } from '../../components/ResourceTable.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { NewUser } from './NewUser.tsx'

export function AccountTable({ search }: { search: URLSearchParams }) {
  const t = useMessages(messages)
  const refused = useRefusal()
  const creation = useDialogLink('create')
  const refusal = refused(createAccount)
  const columns: Column<RecordOf<typeof queryAccount>>[] = [
    {
      field: 'name',
      label: t.name,
      cell: ({ uuid = '', name }) => <Link href={linkTo(['accounts', uuid])}>{name}</Link>,
    },
    { field: 'description', label: t.description },
    {
      field: 'createDate',
      label: t.created,
      isMeasure: true,
      cell: (account) => <RelativeTime time={account.createDate} />,
    },
    {
      field: 'lastOpDate',
      label: t.changed,
      isMeasure: true,
      cell: (account) => <RelativeTime time={account.lastOpDate} />,
    },
  ]
  return (
    <>
      <ResourceTable
        operation={queryAccount}
        title={t.title}
        columns={columns}
        search={search}
        path={['accounts']}
        empty={t.empty}
        actions={
          <Button variant="primary" {...refusal} onClick={creation.open}>
            {t.create}
          </Button>
        }
      />
      {creation.isOpen && !refusal ? <NewUser onDismiss={creation.close} /> : null}
    </>
  )
}

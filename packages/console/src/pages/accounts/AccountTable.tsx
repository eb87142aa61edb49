import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import { createAccount, deleteAccount, queryAccount, queryUser } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { useDialogLink } from '../../browser/use-dialog-link.ts'
import { useCaller, useRefusal } from '../../components/permission.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { type BulkAction, type Column, type RecordOf, ResourceTable } from '../../components/ResourceTable.tsx'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { accountDeletionProblem } from './account-rules.ts'
import { messages } from './messages.ts'
import { NewUser } from './NewUser.tsx'

export function AccountTable({ search }: { search: URLSearchParams }) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const caller = useCaller()
  const refused = useRefusal()
  const creation = useDialogLink('create')
  const refusal = refused(createAccount)
  const remove: BulkAction<RecordOf<typeof queryAccount>> = {
    id: 'delete',
    label: t.deleteAccount,
    operation: deleteAccount,
    consequences: t.deleteAccountsConsequences,
    prepare: async ({ uuid = '' }, signal) => {
      const read = (q: string[], limit: number) => wharf.call(queryUser, { q, limit, replyWithCount: true }, { signal })
      const [users, admins] = await Promise.all([read([`accountUuid=${uuid}`], 1000), read(['role=admin'], 1)])
      const problem = accountDeletionProblem(users.inventories ?? [], { caller, admins: admins.total })
      return problem ? { problem: t[problem] } : { value: undefined }
    },
    run: ({ uuid = '' }) => wharf.accounts.delete(uuid),
    inputOf: ({ uuid }) => ({ uuid }),
  }
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
        bulkActions={[remove]}
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

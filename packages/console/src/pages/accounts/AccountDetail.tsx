import Alert from '@cloudscape-design/components/alert'
import Container from '@cloudscape-design/components/container'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import { deleteAccount, getAccount, queryAccessKey, queryUser } from '@wharf/contract'
import { useState } from 'react'
import { linkTo, navigate } from '../../browser/route.ts'
import { DetailPage } from '../../components/DetailPage.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { useCaller } from '../../components/permission.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { SessionTable } from '../../features/sessions/SessionTable.tsx'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { AccountUsers } from './AccountUsers.tsx'
import {
  accountDeletionProblem,
  adminQuery,
  countFullAdmins,
  passwordChangeProblem,
  type Reason,
} from './account-rules.ts'
import { ChangePassword } from './ChangePassword.tsx'
import { messages } from './messages.ts'

export function AccountDetail({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const format = useFormat()
  const wharf = useWharf()
  const caller = useCaller()
  const [changed, setChanged] = useState<string>()
  const found = useApiQuery(queryUser, { q: [`accountUuid=${uuid}`], sort: '+name', limit: 1000 })
  const { data: admins } = useApiQuery(queryUser, adminQuery)
  const { data: keys } = useApiQuery(queryAccessKey, { q: [`accountUuid=${uuid}`], limit: 1, replyWithCount: true })
  const users = found.data?.inventories ?? []
  const context = { caller, admins: countFullAdmins(admins?.inventories) }
  const builtIn = users.find((user) => user.uuid === uuid)
  const reasonText = (reason: Reason | undefined): string | undefined => reason && t[reason]
  return (
    <DetailPage
      query={useApiQuery(getAccount, { uuid })}
      notFound={t.notFound}
      list={{ path: ['accounts'], label: t.toList }}
      title={({ name }) => name}
      actions={({ name = '' }) => [
        {
          label: t.changePassword,
          disabledReason: builtIn ? reasonText(passwordChangeProblem(builtIn, context)) : t.noBuiltInUser,
          dialog: (onDismiss) =>
            builtIn ? <ChangePassword user={builtIn} onChanged={() => setChanged(name)} onDismiss={onDismiss} /> : null,
        },
        {
          label: t.deleteAccount,
          operation: deleteAccount,
          disabledReason: reasonText(accountDeletionProblem(users, context)),
          call: { operation: deleteAccount, input: { uuid } },
          confirm: {
            title: t.deleteAccountTitle(name),
            consequences: t.deleteAccountConsequences(format.number(users.length), format.number(keys?.total ?? 0)),
            name,
          },
          run: async () => {
            await wharf.accounts.delete(uuid)
            navigate(linkTo(['accounts']))
          },
        },
      ]}
    >
      {({ name = '', description, createDate, lastOpDate }) => (
        <>
          {changed ? (
            <Alert type="success" dismissible onDismiss={() => setChanged(undefined)}>
              {t.passwordChanged(changed)}
            </Alert>
          ) : null}
          <Container>
            <KeyValuePairs
              columns={4}
              items={[
                { label: t.description, value: description || '–' },
                { label: t.created, value: <RelativeTime time={createDate} /> },
                { label: t.changed, value: <RelativeTime time={lastOpDate} /> },
                { label: 'UUID', value: uuid },
              ]}
            />
          </Container>
          {found.error ? <ErrorAlert error={found.error} /> : null}
          <AccountUsers account={{ uuid, name }} users={users} context={context} onChanged={setChanged} />
          <SessionTable
            title={t.sessions}
            description={t.sessionsMean}
            condition={`accountUuid=${uuid}`}
            userNames={new Map(users.map((user) => [user.uuid, user.name]))}
          />
        </>
      )}
    </DetailPage>
  )
}

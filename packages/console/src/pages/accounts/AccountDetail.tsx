import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { deleteAccount, getAccount, queryAccessKey, queryUser } from '@wharf/contract'
import { useState } from 'react'
import { linkTo, navigate } from '../../browser/route.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { DeletedNotice } from '../../components/DeletedNotice.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { isNotFound } from '../../components/is-not-found.ts'
import { useCaller, useRefusal } from '../../components/permission.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useMessages } from '../../i18n/messages.ts'
import { AccountUsers } from './AccountUsers.tsx'
import { keepsAccount, keepsPassword, type Reason } from './account-rules.ts'
import { ChangePassword } from './ChangePassword.tsx'
import { messages } from './messages.ts'

/** Whether one is left is all that matters, so two are enough to know. */
const someAdmins = { q: ['role=admin'], limit: 1, replyWithCount: true }

export function AccountDetail({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const format = useFormat()
  const wharf = useWharf()
  const refused = useRefusal()
  const caller = useCaller()
  const [open, setOpen] = useState<'delete' | 'password'>()
  const [changed, setChanged] = useState<string>()
  const { data, error } = useApiQuery(getAccount, { uuid })
  const { data: found, error: unread } = useApiQuery(queryUser, {
    q: [`accountUuid=${uuid}`],
    sort: '+name',
    limit: 1000,
  })
  const { data: admins } = useApiQuery(queryUser, someAdmins)
  const { data: keys } = useApiQuery(queryAccessKey, { q: [`accountUuid=${uuid}`], limit: 1, replyWithCount: true })
  const account = data?.inventories?.[0]
  const users = found?.inventories ?? []
  const standing = { caller, admins: admins?.total }
  const self = users.find((user) => user.uuid === uuid)
  const because = (reason: Reason | undefined) => (reason ? { disabled: true, disabledReason: t[reason] } : {})
  if (isNotFound(error)) return <DeletedNotice text={t.gone} href={linkTo(['accounts'])} toList={t.toList} />
  if (error) return <ErrorAlert error={error} />
  const { name = '', description, createDate, lastOpDate } = account ?? {}
  return (
    <ContentLayout
      header={
        <Header
          variant="h1"
          actions={
            <SpaceBetween direction="horizontal" size="xs">
              <Button
                {...(self ? because(keepsPassword(self, standing)) : { disabled: true, disabledReason: t.noSelf })}
                onClick={() => setOpen('password')}
              >
                {t.changePassword}
              </Button>
              <Button
                {...(refused(deleteAccount) ?? because(keepsAccount(users, standing)))}
                onClick={() => setOpen('delete')}
              >
                {t.deleteAccount}
              </Button>
            </SpaceBetween>
          }
        >
          {name || uuid}
        </Header>
      }
    >
      <SpaceBetween size="l">
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
        {unread ? <ErrorAlert error={unread} /> : null}
        <AccountUsers account={{ uuid, name }} users={users} standing={standing} onChanged={setChanged} />
      </SpaceBetween>
      {open === 'password' && self ? (
        <ChangePassword user={self} onChanged={() => setChanged(name)} onDismiss={() => setOpen(undefined)} />
      ) : null}
      {open === 'delete' ? (
        <Confirm
          title={t.deleteAccountTitle(name)}
          consequences={t.deleteAccountMeans(format.number(users.length), format.number(keys?.total ?? 0))}
          action={t.deleteAccount}
          name={name}
          onConfirm={async () => {
            await wharf.accounts.delete(uuid)
            navigate(linkTo(['accounts']))
          }}
          onDismiss={() => setOpen(undefined)}
        />
      ) : null}
    </ContentLayout>
  )
}

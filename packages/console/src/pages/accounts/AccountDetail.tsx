import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { deleteAccount, getAccount, queryAccessKey, queryUser } from '@wharf/contract'
import { useState } from 'react'
import { go, linkTo } from '../../frame/route.ts'
import { Confirm } from '../../parts/Confirm.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { Gone } from '../../parts/Gone.tsx'
import { isGone } from '../../parts/is-gone.ts'
import { useCaller, useRefusal } from '../../parts/permission.ts'
import { When } from '../../parts/When.tsx'
import { useAnswer } from '../../wharf/answers.ts'
import { useWharf } from '../../wharf/wharf.tsx'
import { useFigures } from '../../words/figures.ts'
import { useWords } from '../../words/words.ts'
import { keepsAccount, keepsPassword, type Reason } from './account-rules.ts'
import { ChangePassword } from './ChangePassword.tsx'
import { UsersOfAccount } from './UsersOfAccount.tsx'
import { words } from './words.ts'

/** Whether one is left is all that matters, so two are enough to know. */
const someAdmins = { q: ['role=admin'], limit: 1, replyWithCount: true }

export function AccountDetail({ uuid }: { uuid: string }) {
  const say = useWords(words)
  const figures = useFigures()
  const wharf = useWharf()
  const refused = useRefusal()
  const caller = useCaller()
  const [open, setOpen] = useState<'delete' | 'password'>()
  const [changed, setChanged] = useState<string>()
  const { data, error } = useAnswer(getAccount, { uuid })
  const { data: found, error: unread } = useAnswer(queryUser, {
    q: [`accountUuid=${uuid}`],
    sort: '+name',
    limit: 1000,
  })
  const { data: admins } = useAnswer(queryUser, someAdmins)
  const { data: keys } = useAnswer(queryAccessKey, { q: [`accountUuid=${uuid}`], limit: 1, replyWithCount: true })
  const account = data?.inventories?.[0]
  const users = found?.inventories ?? []
  const standing = { caller, admins: admins?.total }
  const self = users.find((user) => user.uuid === uuid)
  const because = (reason: Reason | undefined) => (reason ? { disabled: true, disabledReason: say[reason] } : {})
  if (isGone(error)) return <Gone text={say.gone} href={linkTo(['accounts'])} toList={say.toList} />
  if (error) return <Failure error={error} />
  const { name = '', description, createDate, lastOpDate } = account ?? {}
  return (
    <ContentLayout
      header={
        <Header
          variant="h1"
          actions={
            <SpaceBetween direction="horizontal" size="xs">
              <Button
                {...(self ? because(keepsPassword(self, standing)) : { disabled: true, disabledReason: say.noSelf })}
                onClick={() => setOpen('password')}
              >
                {say.changePassword}
              </Button>
              <Button
                {...(refused(deleteAccount) ?? because(keepsAccount(users, standing)))}
                onClick={() => setOpen('delete')}
              >
                {say.deleteAccount}
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
            {say.passwordChanged(changed)}
          </Alert>
        ) : null}
        <Container>
          <KeyValuePairs
            columns={4}
            items={[
              { label: say.description, value: description || '–' },
              { label: say.created, value: <When time={createDate} /> },
              { label: say.changed, value: <When time={lastOpDate} /> },
              { label: 'UUID', value: uuid },
            ]}
          />
        </Container>
        {unread ? <Failure error={unread} /> : null}
        <UsersOfAccount account={{ uuid, name }} users={users} standing={standing} onChanged={setChanged} />
      </SpaceBetween>
      {open === 'password' && self ? (
        <ChangePassword user={self} onChanged={() => setChanged(name)} onDismiss={() => setOpen(undefined)} />
      ) : null}
      {open === 'delete' ? (
        <Confirm
          title={say.deleteAccountTitle(name)}
          consequences={say.deleteAccountMeans(figures.number(users.length), figures.number(keys?.total ?? 0))}
          action={say.deleteAccount}
          name={name}
          onConfirm={async () => {
            await wharf.accounts.delete(uuid)
            go(linkTo(['accounts']))
          }}
          onDismiss={() => setOpen(undefined)}
        />
      ) : null}
    </ContentLayout>
  )
}

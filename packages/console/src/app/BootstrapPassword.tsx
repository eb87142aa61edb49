import Box from '@cloudscape-design/components/box'
import { changeOwnPassword, getCallerIdentity } from '@wharf/contract'
import { useState } from 'react'
import { FormModal } from '../components/FormModal.tsx'
import { NewPassword } from '../components/NewPassword.tsx'
import { useApiMutation, useApiQuery } from '../data/api-query.ts'
import { forgetEnteredPassword } from '../data/session.ts'
import { useMessages } from '../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** After a sign-in with the password of the first start: prompts for another one, now or at the next sign-in. */
export function BootstrapPassword({ oldPassword }: { oldPassword: string }) {
  const t = useMessages(messages)
  const { data } = useApiQuery(getCallerIdentity, {})
  const change = useApiMutation(changeOwnPassword)
  const [password, setPassword] = useState<string>()
  if (!data?.inventory.hasBootstrapPassword) return null
  return (
    <FormModal
      title={t.bootstrapPasswordTitle}
      action={t.changePassword}
      leave={t.later}
      isReady={password !== undefined}
      notReady={t.newPasswordMissing}
      onSubmit={() => change.mutateAsync({ oldPassword, password: password ?? '' })}
      onDismiss={forgetEnteredPassword}
    >
      <Box>{t.bootstrapPasswordHelp}</Box>
      <NewPassword label={t.newPassword} onChange={setPassword} />
    </FormModal>
  )
}

import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { useState } from 'react'
import { FormModal } from '../../parts/FormModal.tsx'
import { type User, useCaller } from '../../parts/permission.ts'
import { useWharf } from '../../wharf/wharf.tsx'
import { useWords } from '../../words/words.ts'
import { isBuiltIn } from './account-rules.ts'
import { PasswordTwice } from './PasswordTwice.tsx'
import { words } from './words.ts'

interface ChangePasswordProps {
  readonly user: User
  readonly onChanged: () => void
  readonly onDismiss: () => void
}

/** The password of an account is that of its built-in user. Whoever is no admin proves to know the old one. */
export function ChangePassword({ user, onChanged, onDismiss }: ChangePasswordProps) {
  const say = useWords(words)
  const wharf = useWharf()
  const needsOld = useCaller()?.role !== 'admin'
  const [oldPassword, setOldPassword] = useState('')
  const [password, setPassword] = useState<string>()
  const { uuid = '', name = '' } = user
  const change = async (): Promise<void> => {
    const fields = { password: password ?? '' }
    if (isBuiltIn(user)) await wharf.accounts.update(uuid, { ...fields, ...(needsOld ? { oldPassword } : {}) })
    else await wharf.users.update(uuid, fields)
    onChanged()
  }
  return (
    <FormModal
      title={say.changePasswordOf(name)}
      action={say.changePassword}
      isReady={password !== undefined && !(needsOld && oldPassword === '')}
      onSubmit={change}
      onDismiss={onDismiss}
    >
      <Box>{say.passwordMeans}</Box>
      {needsOld ? (
        <FormField label={say.oldPassword}>
          <Input
            value={oldPassword}
            type="password"
            autoComplete="current-password"
            onChange={({ detail }) => setOldPassword(detail.value)}
          />
        </FormField>
      ) : null}
      <PasswordTwice label={say.newPassword} onChange={setPassword} />
    </FormModal>
  )
}

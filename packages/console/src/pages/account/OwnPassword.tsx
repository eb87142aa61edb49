import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { changeOwnPassword } from '@wharf/contract'
import { type FormEvent, useState } from 'react'
import { CopyAsCommand } from '../../components/copy-command/CopyAsCommand.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { NewPassword } from '../../components/NewPassword.tsx'
import { useFormDraft } from '../../components/use-form-draft.ts'
import { useApiMutation } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

export function OwnPassword() {
  const t = useMessages(messages)
  const change = useApiMutation(changeOwnPassword)
  const draft = useFormDraft('own password', { oldPassword: '', password: '' })
  const { form, setForm } = draft
  const { oldPassword, password } = form
  const [showsProblem, setShowsProblem] = useState(false)
  /** A changed password empties the fields. */
  const [changes, setChanges] = useState(0)
  const isComplete = oldPassword !== '' && password !== ''
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setShowsProblem(!isComplete)
    if (!isComplete || change.isPending) return
    await change.mutateAsync({ oldPassword, password })
    draft.discard()
    setChanges(changes + 1)
  }
  return (
    <Container
      header={
        <Header variant="h2" description={t.passwordConsequences}>
          {t.password}
        </Header>
      }
    >
      {/* `change.error` has the reason */}
      <form onSubmit={(event) => void submit(event).catch(() => {})}>
        <SpaceBetween size="m">
          {change.error ? <ErrorAlert error={change.error} /> : null}
          {change.isSuccess && !draft.isDirty ? <Alert type="success">{t.passwordChanged}</Alert> : null}
          <FormField label={t.currentPassword} errorText={showsProblem && !isComplete ? t.incomplete : undefined}>
            <Input
              value={oldPassword}
              type="password"
              autoComplete="current-password"
              onChange={({ detail }) => setForm({ ...form, oldPassword: detail.value })}
            />
          </FormField>
          <NewPassword
            key={changes}
            label={t.newPassword}
            onChange={(password = '') => setForm({ ...form, password })}
          />
          <SpaceBetween direction="horizontal" size="xs">
            <Button formAction="submit" loading={change.isPending}>
              {t.changePassword}
            </Button>
            <CopyAsCommand calls={[{ operation: changeOwnPassword, input: form }]} />
          </SpaceBetween>
        </SpaceBetween>
      </form>
    </Container>
  )
}

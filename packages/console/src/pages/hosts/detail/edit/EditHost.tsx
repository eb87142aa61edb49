import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { addHost, updateHost } from '@wharf/contract'
import type { ReactNode } from 'react'
import { FormModal } from '../../../../components/FormModal.tsx'
import { useRefusal } from '../../../../components/permission.ts'
import { useFormDraft } from '../../../../components/use-form-draft.ts'
import { useWharf } from '../../../../data/wharf-context.tsx'
import { useMessages } from '../../../../i18n/use-messages.ts'
import { messages as addMessages } from '../../add/messages.ts'
import { changeOf, type EditForm, formOf, type Host, hasConnection, problemsOf } from './edit-form.ts'
import { messages } from './messages.ts'

/** Changes a host; a changed connection is tested before it is saved. */
export function EditHost({ host, onDismiss }: { host: Host; onDismiss: () => void }) {
  const t = useMessages(messages)
  const add = useMessages(addMessages)
  const wharf = useWharf()
  const uuid = host.uuid ?? ''
  const draft = useFormDraft<EditForm>(`host ${uuid}`, formOf(host))
  const { form, setForm } = draft
  // how a host is reached needs as much as adding one
  const isConnectionRefused = useRefusal()(addHost) !== undefined
  const problems = problemsOf(form, host)
  const change = changeOf(form, host)
  const isUnchanged = Object.keys(change).length === 0
  const field = (name: keyof EditForm, label: string, help = '', isDisabled = false): ReactNode => {
    const problem = problems[name]
    return (
      <FormField label={label} description={help} errorText={problem ? t.problems[problem] : ''} stretch>
        <Input
          value={form[name]}
          autoComplete={false}
          disabled={isDisabled}
          onChange={({ detail }) => setForm({ ...form, [name]: detail.value })}
        />
      </FormField>
    )
  }
  return (
    <FormModal
      title={t.title(host.name ?? '')}
      draft={draft}
      action={t.save}
      isReady={Object.keys(problems).length === 0 && !isUnchanged}
      {...(isUnchanged && { notReady: t.unchanged })}
      call={{ operation: updateHost, input: { uuid, ...change } }}
      onSubmit={() => wharf.call(updateHost, { uuid, ...change })}
      onDismiss={onDismiss}
    >
      {field('name', add.name)}
      {field('description', add.description)}
      {hasConnection(host) ? (
        <SpaceBetween size="l">
          <Box color="text-body-secondary">{isConnectionRefused ? t.connectionRefused : t.connectionHelp}</Box>
          {field('address', add.address, add.addressHelp, isConnectionRefused)}
          {field('sshPort', add.port, '', isConnectionRefused)}
          {field('username', add.username, '', isConnectionRefused)}
          {field('hostKeyFingerprint', t.fingerprint, t.fingerprintHelp, isConnectionRefused)}
          <FormField label={add.key} stretch>
            <RadioGroup
              value={form.key}
              onChange={({ detail }) => setForm({ ...form, key: detail.value as EditForm['key'] })}
              items={(['kept', 'own', 'given'] as const).map((value) => ({
                value,
                label: t.keys[value],
                disabled: isConnectionRefused,
              }))}
            />
          </FormField>
          {form.key === 'given' ? (
            <FormField
              label={add.privateKey}
              description={add.privateKeyHelp}
              errorText={problems.privateKey && form.privateKey !== '' ? t.problems.badKey : ''}
              stretch
            >
              <Textarea
                value={form.privateKey}
                rows={6}
                spellcheck={false}
                autoComplete={false}
                placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
                onChange={({ detail }) => setForm({ ...form, privateKey: detail.value })}
              />
            </FormField>
          ) : null}
        </SpaceBetween>
      ) : null}
    </FormModal>
  )
}

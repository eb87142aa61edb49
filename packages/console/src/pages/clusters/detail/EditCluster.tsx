import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { updateClusterPlugin } from '@wharf/contract'
import { FormModal } from '../../../components/FormModal.tsx'
import { useFormDraft } from '../../../components/use-form-draft.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'

interface EditClusterProps {
  readonly uuid: string
  readonly name: string
  readonly onDismiss: () => void
}

/** Changes the name of a cluster, or its token, which is verified before it is stored. */
export function EditCluster({ uuid, name, onDismiss }: EditClusterProps) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const draft = useFormDraft(`cluster ${uuid}`, { name, adminToken: '' })
  const { form, setForm } = draft
  const change = {
    ...(form.name.trim() === name ? {} : { name: form.name.trim() }),
    ...(form.adminToken.trim() === '' ? {} : { adminToken: form.adminToken.trim() }),
  }
  const isUnchanged = Object.keys(change).length === 0
  return (
    <FormModal
      title={t.editTitle(name)}
      draft={draft}
      action={t.save}
      isReady={form.name.trim() !== '' && !isUnchanged}
      {...(isUnchanged && { notReady: t.unchanged })}
      call={{ operation: updateClusterPlugin, input: { uuid, ...change } }}
      onSubmit={() => wharf.call(updateClusterPlugin, { uuid, ...change })}
      onDismiss={onDismiss}
    >
      <Box color="text-body-secondary">{t.editHelp}</Box>
      <FormField label={t.name} stretch>
        <Input value={form.name} onChange={({ detail }) => setForm({ ...form, name: detail.value })} />
      </FormField>
      <FormField label={t.token} description={t.tokenHelp} stretch>
        <Input
          value={form.adminToken}
          type="password"
          autoComplete={false}
          onChange={({ detail }) => setForm({ ...form, adminToken: detail.value })}
        />
      </FormField>
    </FormModal>
  )
}

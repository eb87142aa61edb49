import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Textarea from '@cloudscape-design/components/textarea'
import { createThirdpartyPlatform } from '@wharf/contract'
import { FormModal } from '../../../components/FormModal.tsx'
import { useFormDraft } from '../../../components/use-form-draft.ts'
import { useOptionalLabel } from '../../../components/use-optional-label.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'

interface NewPlatformProps {
  readonly onCreated: (secret: { url: string; token: string }) => void
  readonly onDismiss: () => void
}

export function NewPlatform({ onCreated, onDismiss }: NewPlatformProps) {
  const t = useMessages(messages)
  const optional = useOptionalLabel()
  const { alertPlatforms } = useWharf()
  const draft = useFormDraft('alert platform', { name: '', description: '', template: '' })
  const { form, setForm } = draft
  const { name, description, template } = form
  const fields = {
    name,
    type: 'Alertmanager' as const,
    ...(description === '' ? {} : { description }),
    ...(template === '' ? {} : { template }),
  }
  const create = async (): Promise<void> => {
    const { inventory, token } = await alertPlatforms.create(fields)
    // a retried call returns no token
    onCreated({ url: inventory.url, token: token ?? (await alertPlatforms.resetToken(inventory.uuid)).token ?? '' })
  }
  return (
    <FormModal
      title={t.create}
      action={t.create}
      draft={draft}
      isReady={name.trim() !== ''}
      notReady={t.nameRequired}
      call={{ operation: createThirdpartyPlatform, input: fields }}
      onSubmit={create}
      onDismiss={onDismiss}
    >
      <Box>{t.createIntro}</Box>
      <FormField label={t.name}>
        <Input value={name} onChange={({ detail }) => setForm({ ...form, name: detail.value })} />
      </FormField>
      <FormField label={optional(t.description)}>
        <Input value={description} onChange={({ detail }) => setForm({ ...form, description: detail.value })} />
      </FormField>
      <FormField label={optional(t.template)} description={t.templateHelp}>
        <Textarea
          value={template}
          rows={6}
          spellcheck={false}
          onChange={({ detail }) => setForm({ ...form, template: detail.value })}
        />
      </FormField>
    </FormModal>
  )
}

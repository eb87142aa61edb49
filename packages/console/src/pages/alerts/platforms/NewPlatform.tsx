import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { FormModal } from '../../../parts/FormModal.tsx'
import { useWharf } from '../../../wharf/wharf.tsx'
import { useWords } from '../../../words/words.ts'
import { words } from './words.ts'

interface NewPlatformProps {
  readonly onCreated: (secret: { url: string; token: string }) => void
  readonly onDismiss: () => void
}

export function NewPlatform({ onCreated, onDismiss }: NewPlatformProps) {
  const say = useWords(words)
  const { alertPlatforms } = useWharf()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [template, setTemplate] = useState('')
  const create = async (): Promise<void> => {
    const { inventory, token } = await alertPlatforms.create({
      name,
      type: 'Alertmanager',
      ...(description === '' ? {} : { description }),
      ...(template === '' ? {} : { template }),
    })
    // a repeated call, after an answer that was lost, has no token
    onCreated({ url: inventory.url, token: token ?? (await alertPlatforms.resetToken(inventory.uuid)).token ?? '' })
  }
  return (
    <FormModal
      title={say.create}
      action={say.create}
      isReady={name.trim() !== ''}
      notReady={say.nameNeeded}
      onSubmit={create}
      onDismiss={onDismiss}
    >
      <Box>{say.createIntro}</Box>
      <FormField label={say.name}>
        <Input value={name} onChange={({ detail }) => setName(detail.value)} />
      </FormField>
      <FormField label={`${say.description} – ${say.optional}`}>
        <Input value={description} onChange={({ detail }) => setDescription(detail.value)} />
      </FormField>
      <FormField label={`${say.template} – ${say.optional}`} description={say.templateMeans}>
        <Textarea value={template} rows={6} spellcheck={false} onChange={({ detail }) => setTemplate(detail.value)} />
      </FormField>
    </FormModal>
  )
}

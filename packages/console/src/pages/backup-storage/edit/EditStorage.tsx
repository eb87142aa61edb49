import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Input, { type InputProps } from '@cloudscape-design/components/input'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { updateBackupStorage } from '@wharf/contract'
import type { ReactNode } from 'react'
import { FormModal } from '../../../components/FormModal.tsx'
import { useFormDraft } from '../../../components/use-form-draft.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages as storageMessages } from '../messages.ts'
import { changeOf, type EditForm, formOf, problemsOf, type Storage } from './edit-form.ts'
import { messages } from './messages.ts'

interface FieldOptions {
  readonly help?: string
  readonly type?: InputProps['type']
}

/** Changes backup storage; a changed URL or credential is tested before it is saved. */
export function EditStorage({ storage, onDismiss }: { storage: Storage; onDismiss: () => void }) {
  const t = useMessages(messages)
  const labels = useMessages(storageMessages)
  const wharf = useWharf()
  const uuid = storage.uuid ?? ''
  const draft = useFormDraft<EditForm>(`storage ${uuid}`, formOf(storage))
  const { form, setForm } = draft
  const problems = problemsOf(form, storage)
  const change = changeOf(form, storage)
  const isUnchanged = Object.keys(change).length === 0
  const field = (
    name: Exclude<keyof EditForm, 'key'>,
    label: string,
    { help = '', type = 'text' }: FieldOptions = {},
  ) => {
    const problem = problems[name]
    return (
      <FormField label={label} description={help} errorText={problem ? t.problems[problem] : ''} stretch>
        <Input
          value={form[name]}
          type={type}
          autoComplete={false}
          onChange={({ detail }) => setForm({ ...form, [name]: detail.value })}
        />
      </FormField>
    )
  }
  const ofType: Record<string, ReactNode> = {
    sftp: (
      <SpaceBetween size="l">
        {field('username', labels.username, { help: t.unchangedIfEmpty })}
        {field('hostKeyFingerprint', labels.fingerprint, { help: t.fingerprintHelp })}
        <FormField label={t.key} stretch>
          <RadioGroup
            value={form.key}
            onChange={({ detail }) => setForm({ ...form, key: detail.value as EditForm['key'] })}
            items={(['kept', 'own', 'given'] as const).map((value) => ({ value, label: t.keys[value] }))}
          />
        </FormField>
        {form.key === 'given' ? (
          <FormField
            label={labels.privateKey}
            errorText={problems.privateKey && form.privateKey !== '' ? t.problems.badKey : ''}
            stretch
          >
            <Textarea
              value={form.privateKey}
              rows={4}
              spellcheck={false}
              onChange={({ detail }) => setForm({ ...form, privateKey: detail.value })}
            />
          </FormField>
        ) : null}
      </SpaceBetween>
    ),
    s3: (
      <SpaceBetween size="l">
        {field('accessKeyId', labels.accessKeyId, { help: t.unchangedIfEmpty })}
        {field('secretAccessKey', labels.secretAccessKey, { type: 'password', help: t.unchangedIfEmpty })}
        {field('region', labels.region, { help: t.unchangedIfEmpty })}
      </SpaceBetween>
    ),
  }
  return (
    <FormModal
      title={t.title(storage.name ?? '')}
      draft={draft}
      action={t.save}
      isReady={Object.keys(problems).length === 0 && !isUnchanged}
      {...(isUnchanged && { notReady: t.unchanged })}
      call={{ operation: updateBackupStorage, input: { uuid, ...change } }}
      onSubmit={() => wharf.call(updateBackupStorage, { uuid, ...change })}
      onDismiss={onDismiss}
    >
      <Box color="text-body-secondary">{t.intro}</Box>
      {field('name', labels.name)}
      {field('description', labels.description)}
      {field('url', labels.url, { help: t.urlHelp })}
      {ofType[storage.type ?? '']}
    </FormModal>
  )
}

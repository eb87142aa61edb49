import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Input, { type InputProps } from '@cloudscape-design/components/input'
import Textarea from '@cloudscape-design/components/textarea'
import Tiles from '@cloudscape-design/components/tiles'
import { addBackupStorage } from '@wharf/contract'
import type { ReactNode } from 'react'
import { FormModal } from '../../../components/FormModal.tsx'
import { useFormDraft } from '../../../components/use-form-draft.ts'
import { useOptionalLabel } from '../../../components/use-optional-label.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from '../messages.ts'
import { emptyForm, type FieldName, inputOf, problemsOf, type StorageForm, storageTypes } from './storage-form.ts'

interface FieldOptions {
  readonly help?: string
  readonly isOptional?: boolean
  readonly placeholder?: string
  readonly type?: InputProps['type']
  readonly isLong?: boolean
}

/** Adds backup storage; the server tests it first. */
export function AddStorage({ onDismiss }: { onDismiss: () => void }) {
  const t = useMessages(messages)
  const optional = useOptionalLabel()
  const wharf = useWharf()
  const draft = useFormDraft<StorageForm>('storage', emptyForm)
  const { form, setForm } = draft
  const problems = problemsOf(form)
  const isReady = Object.keys(problems).length === 0
  const field = (name: FieldName, label: string, options: FieldOptions = {}): ReactNode => {
    const { help = '', isOptional = false, placeholder = '', type = 'text', isLong = false } = options
    const problem = problems[name]
    const common = {
      value: form[name],
      placeholder,
      onChange: ({ detail }: { detail: { value: string } }) => setForm({ ...form, [name]: detail.value }),
    }
    return (
      <FormField
        key={name}
        label={isOptional ? optional(label) : label}
        description={help}
        // an empty field shows no error; the button stays disabled
        errorText={problem && form[name] !== '' ? t.problems[problem] : ''}
        stretch
      >
        {isLong ? (
          <Textarea {...common} rows={4} spellcheck={false} />
        ) : (
          <Input {...common} type={type} autoComplete={false} />
        )}
      </FormField>
    )
  }
  const ofType = {
    folder: [field('folder', t.folder, { help: t.folderHelp, placeholder: '/srv/packages' })],
    sftp: [
      field('host', t.host, { placeholder: 'backup.example.com' }),
      field('port', t.port, { isOptional: true, placeholder: '22' }),
      field('path', t.path, { placeholder: '/packages' }),
      field('username', t.username),
      field('privateKey', t.privateKey, { help: t.privateKeyHelp, isOptional: true, isLong: true }),
      field('hostKeyFingerprint', t.fingerprint, { help: t.fingerprintHelp, isOptional: true }),
    ],
    s3: [
      field('endpoint', t.endpoint, {
        help: t.endpointHelp,
        isOptional: true,
        placeholder: 'https://s3.example.com',
      }),
      field('bucket', t.bucket),
      field('prefix', t.prefix, { isOptional: true }),
      field('accessKeyId', t.accessKeyId),
      field('secretAccessKey', t.secretAccessKey, { type: 'password' }),
      field('region', t.region, { help: t.regionHelp, isOptional: true }),
    ],
  }
  return (
    <FormModal
      title={t.addTitle}
      draft={draft}
      action={t.add}
      isReady={isReady}
      // the fields of an incomplete form have no URL
      call={isReady ? { operation: addBackupStorage, input: inputOf(form) } : undefined}
      onSubmit={() => wharf.backupStorage.add(inputOf(form))}
      onDismiss={onDismiss}
    >
      <Box>{t.addIntro}</Box>
      <FormField label={t.type} stretch>
        <Tiles
          columns={1}
          value={form.type}
          items={storageTypes.map((type) => ({ value: type, label: t.types[type], description: t.typeHelp[type] }))}
          onChange={({ detail }) => setForm({ ...form, type: detail.value as StorageForm['type'] })}
        />
      </FormField>
      {field('name', t.name)}
      {field('description', t.description, { isOptional: true })}
      {ofType[form.type]}
    </FormModal>
  )
}

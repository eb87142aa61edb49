import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Input, { type InputProps } from '@cloudscape-design/components/input'
import Textarea from '@cloudscape-design/components/textarea'
import Tiles from '@cloudscape-design/components/tiles'
import { type ReactNode, useState } from 'react'
import { FormModal } from '../../../parts/FormModal.tsx'
import { useWharf } from '../../../wharf/wharf.tsx'
import { useWords } from '../../../words/words.ts'
import { words } from '../words.ts'
import { emptyForm, type FieldName, inputOf, problemsOf, type StorageForm, storageTypes } from './storage-form.ts'

interface FieldOptions {
  readonly help?: string
  readonly isOptional?: boolean
  readonly placeholder?: string
  readonly type?: InputProps['type']
  readonly isLong?: boolean
}

/** Adds a place for packages; the server tries it, and it stays open with the reason when that fails. */
export function AddStorage({ onDismiss }: { onDismiss: () => void }) {
  const say = useWords(words)
  const wharf = useWharf()
  const [form, setForm] = useState<StorageForm>(emptyForm)
  const problems = problemsOf(form)
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
        label={
          isOptional ? (
            <span>
              {label} <i>({say.optional})</i>
            </span>
          ) : (
            label
          )
        }
        description={help}
        // an empty field is no mistake yet: the button waits for it
        errorText={problem && form[name] !== '' ? say.problems[problem] : ''}
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
    folder: [field('folder', say.folder, { help: say.folderHelp, placeholder: '/srv/packages' })],
    sftp: [
      field('host', say.host, { placeholder: 'backup.example.com' }),
      field('port', say.port, { isOptional: true, placeholder: '22' }),
      field('path', say.path, { placeholder: '/packages' }),
      field('username', say.username),
      field('privateKey', say.privateKey, { help: say.privateKeyHelp, isOptional: true, isLong: true }),
      field('hostKeyFingerprint', say.fingerprint, { help: say.fingerprintHelp, isOptional: true }),
    ],
    s3: [
      field('endpoint', say.endpoint, {
        help: say.endpointHelp,
        isOptional: true,
        placeholder: 'https://s3.example.com',
      }),
      field('bucket', say.bucket),
      field('prefix', say.prefix, { isOptional: true }),
      field('accessKeyId', say.accessKeyId),
      field('secretAccessKey', say.secretAccessKey, { type: 'password' }),
      field('region', say.region, { help: say.regionHelp, isOptional: true }),
    ],
  }
  return (
    <FormModal
      title={say.addTitle}
      action={say.add}
      isReady={Object.keys(problems).length === 0}
      onSubmit={() => wharf.backupStorage.add(inputOf(form))}
      onDismiss={onDismiss}
    >
      <Box>{say.addIntro}</Box>
      <FormField label={say.type} stretch>
        <Tiles
          columns={1}
          value={form.type}
          items={storageTypes.map((type) => ({ value: type, label: say.types[type], description: say.typeHelp[type] }))}
          onChange={({ detail }) => setForm({ ...form, type: detail.value as StorageForm['type'] })}
        />
      </FormField>
      {field('name', say.name)}
      {field('description', say.description, { isOptional: true })}
      {ofType[form.type]}
    </FormModal>
  )
}

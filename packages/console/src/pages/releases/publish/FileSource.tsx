import Box from '@cloudscape-design/components/box'
import FileInput from '@cloudscape-design/components/file-input'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { queryBackupStorage } from '@wharf/contract'
import { useChoices } from '../../../components/choices/use-choices.ts'
import { useSearch } from '../../../components/choices/use-search.ts'
import type { RecordOf } from '../../../components/ResourceTable.tsx'
import { useStatusNames } from '../../../components/statuses/use-status-names.ts'
import { draftOf, isType } from '../../../features/uploads/drafts.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import type { PublishForm } from './publish-form.ts'

interface FileSourceProps {
  readonly form: PublishForm
  readonly onChange: (change: Partial<PublishForm>) => void
}

export function FileSource({ form: { upload, storageUuid }, onChange }: FileSourceProps) {
  const t = useMessages(messages)
  const format = useFormat()
  const choose = async ([file]: readonly File[]): Promise<void> => {
    if (file) onChange({ upload: await draftOf(file) })
  }
  return (
    <SpaceBetween size="l">
      <FormField label={t.file} description={t.fileHelp} stretch>
        <SpaceBetween size="xs">
          <FileInput value={[]} onChange={({ detail }) => void choose(detail.value)}>
            {t.chooseFile}
          </FileInput>
          {upload ? (
            <Box>
              {upload.name} · {upload.file.name} · {format.bytes(upload.file.size)}
            </Box>
          ) : null}
        </SpaceBetween>
      </FormField>
      {upload ? (
        <FormField
          label={t.type}
          description={t.typeHelp}
          errorText={upload.type === '' || isType(upload.type) ? '' : t.problems.badType}
        >
          <Input
            value={upload.type}
            onChange={({ detail }) => onChange({ upload: { ...upload, type: detail.value } })}
          />
        </FormField>
      ) : null}
      <StorageField value={storageUuid} onChange={(chosen) => onChange({ storageUuid: chosen })} />
      <Box color="text-body-secondary">{t.background}</Box>
    </SpaceBetween>
  )
}

function StorageField({ value, onChange }: { value: string; onChange: (uuid: string) => void }) {
  const t = useMessages(messages)
  const nameOf = useStatusNames()
  const { text, listOf } = useSearch()
  const storages = useChoices(queryBackupStorage, { text, chosen: value })
  const any = { value: '', label: t.anyStorage }
  const optionOf = ({ uuid = '', name = '', state, status }: RecordOf<typeof queryBackupStorage>) => {
    const obstacle = state !== 'Enabled' ? state : status !== 'Connected' ? status : undefined
    return {
      value: uuid,
      label: name,
      ...(obstacle && { disabled: true, disabledReason: t.unusable(nameOf(obstacle)) }),
    }
  }
  return (
    <FormField label={t.storage} stretch>
      <Select
        {...listOf(storages)}
        options={[any, ...storages.records.map(optionOf)]}
        selectedOption={storages.chosen ? optionOf(storages.chosen) : any}
        onChange={({ detail }) => onChange(detail.selectedOption.value ?? '')}
      />
    </FormField>
  )
}

import Alert from '@cloudscape-design/components/alert'
import Autosuggest from '@cloudscape-design/components/autosuggest'
import FormField from '@cloudscape-design/components/form-field'
import Select, { type SelectProps } from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { folderProblem } from '../../../components/folder-problem.ts'
import { useHostRefusal } from '../../../components/permission.ts'
import { useStatusNames } from '../../../components/statuses/use-status-names.ts'
import { defaultFolder, pathIn } from '../../../features/uploads/suggested-path.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import type { Destination } from './destination.ts'
import { messages } from './messages.ts'
import { useDestinations, useUploadSuggestions } from './use-destinations.ts'

interface DestinationFieldsProps {
  readonly destination: Destination | undefined
  readonly folder: string
  readonly fileNames: readonly string[]
  readonly sizeBytes: number
  readonly showProblems: boolean
  readonly onDestination: (destination: Destination | undefined) => void
  readonly onFolder: (folder: string) => void
}

export function DestinationFields(props: DestinationFieldsProps) {
  const { destination, folder, fileNames, sizeBytes, showProblems, onDestination, onFolder } = props
  const t = useMessages(messages)
  const format = useFormat()
  const nameOf = useStatusNames()
  const refused = useHostRefusal()
  const { foldersOf } = useUploadSuggestions()
  const { hosts, storages, list } = useDestinations()
  const optionOf = (one: Destination): SelectProps.Option => ({
    value: one.uuid,
    label: one.name,
    description: t.free(format.bytes(one.availableCapacity)),
    ...(one.obstacle === undefined
      ? refused(one)
      : { disabled: true, disabledReason: t.unusable(nameOf(one.obstacle)) }),
  })
  const groups = [
    { label: t.hosts, options: hosts.map(optionOf) },
    { label: t.storages, options: storages.map(optionOf) },
  ].filter(({ options }) => options.length > 0)
  const kind = destination?.kind ?? 'host'
  const problem = destination && folderProblem(folder, destination.kind === 'host')
  const suggestions = [...new Set([...(destination ? [defaultFolder(destination)] : []), ...foldersOf(destination)])]
  return (
    <SpaceBetween size="m">
      <FormField label={t.destination} errorText={showProblems && !destination ? t.missing.destination : ''} stretch>
        <Select
          options={groups}
          {...list}
          empty={t.noDestination}
          placeholder={t.chooseDestination}
          selectedOption={destination ? optionOf(destination) : null}
          onChange={({ detail }) =>
            onDestination([...hosts, ...storages].find(({ uuid }) => uuid === detail.selectedOption.value))
          }
        />
      </FormField>
      <FormField
        label={t.folder}
        description={t.folderHelp[kind]}
        errorText={problem ? t.folderProblems[problem] : ''}
        constraintText={fileNames.length > 0 ? t.files(fileNames.map((name) => pathIn(folder, name)).join(', ')) : ''}
        stretch
      >
        <Autosuggest
          value={folder}
          options={suggestions.map((value) => ({ value }))}
          enteredTextLabel={(text) => `${t.suggestions} ${text}`}
          onChange={({ detail }) => onFolder(detail.value)}
        />
      </FormField>
      {destination && sizeBytes > destination.availableCapacity ? (
        <Alert type="warning">{t.tooLarge(format.bytes(sizeBytes), format.bytes(destination.availableCapacity))}</Alert>
      ) : null}
    </SpaceBetween>
  )
}

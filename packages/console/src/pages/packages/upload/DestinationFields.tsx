import Alert from '@cloudscape-design/components/alert'
import Autosuggest from '@cloudscape-design/components/autosuggest'
import FormField from '@cloudscape-design/components/form-field'
import Select, { type SelectProps } from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { folderProblem } from '../../../components/folder-problem.ts'
import { useHostRefusal } from '../../../components/permission.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { type Place, useDestinations, useUploadSuggestions } from './destinations.ts'
import { messages } from './messages.ts'
import { defaultFolder, pathIn } from './suggested-path.ts'

interface DestinationFieldsProps {
  readonly place: Place | undefined
  readonly folder: string
  readonly fileNames: readonly string[]
  readonly sizeBytes: number
  readonly showProblems: boolean
  readonly onPlace: (place: Place | undefined) => void
  readonly onFolder: (folder: string) => void
}

/** Where it goes: a host or a backup storage, and a folder there. */
export function DestinationFields(props: DestinationFieldsProps) {
  const { place, folder, fileNames, sizeBytes, showProblems, onPlace, onFolder } = props
  const t = useMessages(messages)
  const format = useFormat()
  const refused = useHostRefusal()
  const { foldersOf } = useUploadSuggestions()
  const { hosts, storages, list } = useDestinations()
  const optionOf = (one: Place): SelectProps.Option => ({
    value: one.uuid,
    label: one.name,
    description: t.free(format.bytes(one.availableCapacity)),
    ...(one.obstacle === undefined ? refused(one) : { disabled: true, disabledReason: t.unusable(one.obstacle) }),
  })
  const groups = [
    { label: t.hosts, options: hosts.map(optionOf) },
    { label: t.storages, options: storages.map(optionOf) },
  ].filter(({ options }) => options.length > 0)
  const kind = place?.kind ?? 'host'
  const problem = place && folderProblem(folder, place.kind === 'host')
  const suggestions = [...new Set([...(place ? [defaultFolder(place)] : []), ...foldersOf(place)])]
  return (
    <SpaceBetween size="m">
      <FormField label={t.place} errorText={showProblems && !place ? t.missing.place : ''} stretch>
        <Select
          options={groups}
          {...list}
          empty={t.noPlace}
          placeholder={t.placeChoose}
          selectedOption={place ? optionOf(place) : null}
          onChange={({ detail }) =>
            onPlace([...hosts, ...storages].find(({ uuid }) => uuid === detail.selectedOption.value))
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
      {place && sizeBytes > place.availableCapacity ? (
        <Alert type="warning">{t.tooLarge(format.bytes(sizeBytes), format.bytes(place.availableCapacity))}</Alert>
      ) : null}
    </SpaceBetween>
  )
}
